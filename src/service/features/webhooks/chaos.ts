import { MINUTE } from "../../../base/kernel/duration.js";
import { isJsonObject, type JsonObject, parseObject } from "../../../base/kernel/json.js";
import type { Random } from "../../../base/kernel/runtime.js";
import { familyOf } from "./catalogue.js";
import type { ClaimedDelivery } from "./store.js";

/**
 * Webhook chaos: deliveries fail on purpose, as in production (docs/service/sandbox.md#webhook-chaos;
 * docs/decisions/028-webhook-chaos.md). `Chaos` has one method for each moment of a delivery: `delayUntil`, `attempt`,
 * `endAttempt`, `copy`.
 */

/** The settings of chaos. All but `delay_ms` are probabilities; 0 is off. */
const OFF = {
  /** A delivery that arrived is sent once more. */
  duplicate: 0,
  /** Emulated milliseconds by which the first attempt of every delivery is delayed. */
  reorder: 0,
  /** Emulated milliseconds by which the first attempt of every delivery is delayed. */
  delay_ms: 0,
  /** An attempt carries a wrong digest. */
  corrupt_signature: 0,
  /** An attempt is signed with a timestamp that is too old. */
  stale_timestamp: 0,
  /** An event of a MED case is not published. */
  lose_med: 0,
  /** A delivery has a field that no document names. */
  unknown_fields: 0,
  /** A delivery has a new value in a field with a closed list of values. */
  unknown_values: 0,
};
export type ChaosSettings = Readonly<typeof OFF>;

const BODY_CHANGES = ["unknown_fields", "unknown_values"] as const;

/** The settings that change a sending, in the order of an attempt's list. Unpublished events have no sending. */
export const CHAOS_KINDS = [
  "duplicate",
  "reorder",
  "delay_ms",
  "corrupt_signature",
  "stale_timestamp",
  ...BODY_CHANGES,
] as const;
export type ChaosKind = (typeof CHAOS_KINDS)[number];

/** The signature and the changes of an attempt. */
export interface Sending {
  readonly secret: string;
  /** The instant of a canonical signature, in milliseconds. */
  readonly signedAt: number;
  /** The settings that changed this sending, its body too. */
  readonly chaos: readonly ChaosKind[];
}

/** A delivery that is held back. */
interface HeldDelivery {
  readonly seq: number;
  readonly id: string;
  readonly wasDelayed: boolean;
}

/** Receivers refuse timestamps that are older than ten minutes. One minute more, for those that allow exactly ten. */
export const STALE_MS = 11 * MINUTE;
/** Emulated milliseconds that a delivery waits for a later one to overtake it. */
const LONGEST_HOLD_MS = 30_000;

/** True if `delay_ms` delayed the first attempt: only this setting makes it due later than the delivery was created. */
function isDelayed({ attempts, next_attempt_at: dueAt, created_at: createdAt }: ClaimedDelivery): boolean {
  return attempts === 0 && dueAt !== null && dueAt > createdAt;
}

/**
 * The settings, and their effect on each delivery. They are in memory and hold for every account. No published event is
 * lost: a delayed delivery is sent in the end, and only a probability of 1 spoils the signature of a last attempt.
 */
export class Chaos {
  readonly #draw: (name: string) => Random;
  #settings: ChaosSettings = OFF;
  /** The delayed deliveries that are not sent yet, by their id. */
  readonly #held = new Map<string, HeldDelivery>();
  /** The delayed delivery of each endpoint that was not overtaken yet. Only one each, so that none waits for long. */
  readonly #waiting = new Map<number, HeldDelivery>();
  /** The delayed deliveries that were overtaken, by the id of the overtaking delivery. */
  readonly #overtaken = new Map<string, HeldDelivery>();

  /** `draw` returns the random source for a name. No other draw changes its values. */
  constructor(draw: (name: string) => Random) {
    this.#draw = draw;
  }

  /** Changes these settings, keeps the others, and returns all of them. */
  change(given: { readonly [Kind in keyof ChaosSettings]?: number | undefined }): ChaosSettings {
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    this.#settings = { ...this.#settings, ...Object.fromEntries(set) };
    return this.#settings;
  }

  clear(): void {
    this.#settings = OFF;
    this.forget();
  }

  /** Ends all delays, because the deliveries of the database were replaced. The settings stay. */
  forget(): void {
    for (const deliveries of [this.#held, this.#waiting, this.#overtaken]) deliveries.clear();
  }

  /**
   * A delivery is due. Returns the emulated instant until which it is delayed. Null means that it is sent now; it
   * overtakes the delayed delivery of its endpoint, if there is one.
   */
  delayUntil(delivery: ClaimedDelivery, now: number): number | null {
    const { seq, id, endpoint_seq: endpoint, attempts } = delivery;
    const waiting = this.#waiting.get(endpoint);
    // Retries keep to their schedule. A delivery is delayed only once.
    if (attempts === 0 && !this.#held.has(id)) {
      const earliest = delivery.created_at + this.#settings.delay_ms;
      if (earliest > now) return earliest;
      if (waiting === undefined && this.#draws("reorder", id)) {
        const held = { seq, id, wasDelayed: isDelayed(delivery) };
        this.#held.set(id, held);
        this.#waiting.set(endpoint, held);
        return now + LONGEST_HOLD_MS;
      }
    }
    if (waiting !== undefined && waiting.seq <= seq) {
      this.#waiting.delete(endpoint);
      if (waiting.id !== id) this.#overtaken.set(id, waiting);
    }
    return null;
  }

  /**
   * An attempt begins. Returns its signature and the changes of its body. `time` is the instant of its signature.
   * `earlier` are the kinds of the delivery's first attempt, empty without one: retries send the body of the first
   * attempt.
   */
  attempt(delivery: ClaimedDelivery, time: number, earlier: readonly string[]): Sending {
    const held = this.#held.get(delivery.id);
    this.#held.delete(delivery.id);
    const kinds: ChaosKind[] = [];
    if (held?.wasDelayed ?? isDelayed(delivery)) kinds.push("delay_ms");
    if (held !== undefined) kinds.push("reorder");
    const isFirst = delivery.attempts === 0;
    for (const kind of BODY_CHANGES)
      if (isFirst ? this.#draws(kind, delivery.id) : earlier.includes(kind)) kinds.push(kind);
    return this.#sign(delivery, time, kinds, delivery.attempts + 1 >= delivery.max_attempts);
  }

  /** An attempt has ended. Returns `repeats` if it is sent again after its arrival, and the overtaken delivery. */
  endAttempt({ id, attempts }: ClaimedDelivery): {
    readonly repeats: boolean;
    readonly overtaken: HeldDelivery | null;
  } {
    const overtaken = this.#overtaken.get(id) ?? null;
    this.#overtaken.delete(id);
    return { repeats: this.#draws("duplicate", `${id} ${attempts}`), overtaken };
  }

  /** A delivery that arrived is sent once more, with the same body. Returns the signature of the copy. */
  copy(delivery: ClaimedDelivery, time: number, first: Pick<Sending, "chaos">): Sending {
    const changes = BODY_CHANGES.filter((kind) => first.chaos.includes(kind));
    return this.#sign(delivery, time, ["duplicate", ...changes], false);
  }

  /** An event of a MED case happens. Returns true if it is not published. */
  losesMedEvent(of: string): boolean {
    return this.#draws("lose_med", of);
  }

  #sign(delivery: ClaimedDelivery, time: number, kinds: ChaosKind[], isLast: boolean): Sending {
    // The second sending of an attempt has draws of its own.
    const of = `${delivery.id} ${delivery.attempts} ${kinds.includes("duplicate")}`;
    const isForged = this.#spoils("corrupt_signature", of, isLast);
    if (isForged) kinds.push("corrupt_signature");
    // A legacy signature has no timestamp.
    const isStale = familyOf(delivery.type) === "canonical" && this.#spoils("stale_timestamp", of, isLast);
    if (isStale) kinds.push("stale_timestamp");
    return {
      // A random key creates a wrong digest of the right form.
      secret: isForged ? this.#draw(`forged ${of}`).hex(32) : delivery.secret,
      signedAt: isStale ? time - STALE_MS : time,
      chaos: kinds,
    };
  }

  /** Chance does not change a last attempt, because no retry follows it. A probability of 1 changes it, too. */
  #spoils(kind: "corrupt_signature" | "stale_timestamp", of: string, isLast: boolean): boolean {
    return isLast ? this.#settings[kind] === 1 : this.#draws(kind, of);
  }

  /** Decides if `kind` happens to the delivery or event named by `of`: the same in each run with the same seed. */
  #draws(kind: Exclude<keyof ChaosSettings, "delay_ms">, of: string): boolean {
    const probability = this.#settings[kind];
    return probability > 0 && this.#draw(`${kind} ${of}`).fraction() < probability;
  }
}

/** Reads the kinds of chaos of an attempt from their column. */
export function chaosKinds(column: string | null | undefined): readonly string[] {
  return column?.split(",") ?? [];
}

/** The fields with a closed list of values. The first one of them in a body gets a new value. The status is last, because receivers decide by it. */
const CLOSED = ["payment_method", "type", "pix_key_type", "previousStatus", "status"];

/** The object of an event, in the envelope of either family. */
function objectOf(body: JsonObject): JsonObject {
  const data = isJsonObject(body.data) ? body.data : {};
  return isJsonObject(data.object) ? data.object : data;
}

function setNewValue(object: JsonObject): void {
  const destination = isJsonObject(object.destination) ? object.destination : {};
  for (const name of CLOSED) {
    const holder = [object, destination].find((one) => typeof one[name] === "string");
    if (holder === undefined) continue;
    const isUpper = holder[name] === String(holder[name]).toUpperCase();
    holder[name] = isUpper ? "A_NEW_VALUE" : "a_new_value";
    return;
  }
}

/** Returns the body of an attempt with these kinds of chaos. The same kinds always return the same bytes. */
export function changeBody(body: string, kinds: readonly string[]): string {
  if (!BODY_CHANGES.some((kind) => kinds.includes(kind))) return body;
  const changed = parseObject(body);
  const object = objectOf(changed);
  if (kinds.includes("unknown_values")) setNewValue(object);
  if (kinds.includes("unknown_fields")) object.a_new_field = "a new value";
  return JSON.stringify(changed);
}
