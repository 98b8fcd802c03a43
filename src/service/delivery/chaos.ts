import { MINUTE } from "../../base/kernel/duration.js";
import type { Random } from "../../base/kernel/runtime.js";
import { familyOf } from "../features/webhooks/catalogue.js";
import { BODY_CHANGES } from "../features/webhooks/changed-envelope.js";
import type { ClaimedDelivery } from "../features/webhooks/store.js";

/** What goes wrong with webhooks on purpose. All settings but `delay_ms` are probabilities; 0 is off. */
const OFF = {
  /** A delivery that arrived is sent once more. */
  duplicate: 0,
  /** A delivery is held back until a later one of the same endpoint has been sent. */
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

export interface Sending {
  readonly secret: string;
  /** The instant of a canonical signature, in milliseconds. */
  readonly signedAt: number;
  /** The settings that changed this sending, its body too. */
  readonly chaos: readonly ChaosKind[];
}

/** The settings that change a sending. An event that is not published has no sending. */
export type ChaosKind = Exclude<keyof ChaosSettings, "lose_med">;

interface Held {
  readonly seq: number;
  readonly id: string;
  readonly wasDelayed: boolean;
}

/** Receivers refuse timestamps that are older than ten minutes. One minute more, for those that allow exactly ten. */
export const STALE_MS = 11 * MINUTE;
/** Emulated milliseconds that a delivery waits for a later one to overtake it. */
const LONGEST_HOLD_MS = 30_000;

/** Whether `delay_ms` delayed the first attempt: nothing else makes it due later than the delivery was created. */
function isDelayed({ attempts, next_attempt_at: dueAt, created_at: createdAt }: ClaimedDelivery): boolean {
  return attempts === 0 && dueAt !== null && dueAt > createdAt;
}

/**
 * Webhook chaos: deliveries go wrong on purpose, as they may in production (docs/service/sandbox.md#webhook-chaos;
 * docs/decisions/028-webhook-chaos.md). The settings are in memory and hold for every account. No published event is
 * lost: a delivery that is held back is sent in the end, and the last attempt of a delivery is signed correctly unless
 * the probability is 1.
 */
export class Chaos {
  readonly #draw: (name: string) => Random;
  #settings: ChaosSettings = OFF;
  /** The deliveries that are held back and not sent yet, by their id. */
  readonly #held = new Map<string, Held>();
  /** The held-back delivery of each endpoint that no other has overtaken yet. One each, so that none waits for long. */
  readonly #waiting = new Map<number, Held>();
  /** The held-back deliveries that were overtaken, by the id of the delivery that overtook them. */
  readonly #overtaken = new Map<string, Held>();

  /** `draw` gives the chance of what has this name, which no other draw moves. */
  constructor(draw: (name: string) => Random) {
    this.#draw = draw;
  }

  /** Changes the given settings, keeps the others, and answers all of them. */
  change(given: { readonly [Kind in keyof ChaosSettings]?: number | undefined }): ChaosSettings {
    const set = Object.entries(given).filter(([, value]) => value !== undefined);
    this.#settings = { ...this.#settings, ...Object.fromEntries(set) };
    return this.#settings;
  }

  clear(): void {
    this.#settings = OFF;
    this.forget();
  }

  /** Holds nothing back any more, because the deliveries of the database were replaced. The settings stay. */
  forget(): void {
    for (const deliveries of [this.#held, this.#waiting, this.#overtaken]) deliveries.clear();
  }

  /**
   * Called before a due delivery is sent. Returns the emulated instant until which it is held back. Null means that it is
   * sent now; it overtakes the delivery of its endpoint that is held back, if there is one.
   */
  putOff(delivery: ClaimedDelivery, now: number): number | null {
    const { seq, id, endpoint_seq: endpoint, attempts } = delivery;
    const waiting = this.#waiting.get(endpoint);
    // Retries keep to their schedule. A delivery is held back only once.
    if (attempts === 0 && !this.#held.has(id)) {
      const earliest = delivery.created_at + this.#settings.delay_ms;
      if (earliest > now) return earliest;
      if (waiting === undefined && this.#happens("reorder", id)) {
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
   * How an attempt that begins now is signed, and what is changed in its body. `time` is what its signature has. `earlier` are the kinds of the delivery's first
   * attempt, empty before there was one: a body stays through the retries as it was sent first.
   */
  attempt(delivery: ClaimedDelivery, time: number, earlier: readonly string[]): Sending {
    const held = this.#held.get(delivery.id);
    this.#held.delete(delivery.id);
    const kinds: ChaosKind[] = [];
    if (held?.wasDelayed ?? isDelayed(delivery)) kinds.push("delay_ms");
    if (held !== undefined) kinds.push("reorder");
    const isFirst = delivery.attempts === 0;
    for (const kind of BODY_CHANGES)
      if (isFirst ? this.#happens(kind, delivery.id) : earlier.includes(kind)) kinds.push(kind);
    return this.#signed(delivery, time, kinds, delivery.attempts + 1 >= delivery.max_attempts);
  }

  /** The delivery that `id` has overtaken. Call it when an attempt of `id` has ended; the overtaken one is sent then. */
  overtakenBy(id: string): Held | null {
    const held = this.#overtaken.get(id) ?? null;
    this.#overtaken.delete(id);
    return held;
  }

  repeats({ id, attempts }: ClaimedDelivery): boolean {
    return this.#happens("duplicate", `${id} ${attempts}`);
  }

  /** How the second sending of an arrived delivery is signed. Its body is that of the first sending. */
  repetition(delivery: ClaimedDelivery, time: number, first: Pick<Sending, "chaos">): Sending {
    const changes = BODY_CHANGES.filter((kind) => first.chaos.includes(kind));
    return this.#signed(delivery, time, ["duplicate", ...changes], false);
  }

  /** Decides whether the next event of a MED case is not published. */
  losesMedEvent(of: string): boolean {
    return this.#happens("lose_med", of);
  }

  #signed(delivery: ClaimedDelivery, time: number, kinds: ChaosKind[], isLast: boolean): Sending {
    // The second sending of an attempt has draws of its own.
    const of = `${delivery.id} ${delivery.attempts} ${kinds.includes("duplicate")}`;
    const isForged = this.#spoils("corrupt_signature", of, isLast);
    if (isForged) kinds.push("corrupt_signature");
    // A legacy signature has no timestamp.
    const isStale = familyOf(delivery.type) === "canonical" && this.#spoils("stale_timestamp", of, isLast);
    if (isStale) kinds.push("stale_timestamp");
    return {
      // A random key makes a wrong digest of the right form.
      secret: isForged ? this.#draw(`forged ${of}`).hex(32) : delivery.secret,
      signedAt: isStale ? time - STALE_MS : time,
      chaos: kinds,
    };
  }

  /** A last attempt is not changed by chance, because no retry follows it. With a probability of 1 it is changed, too. */
  #spoils(kind: "corrupt_signature" | "stale_timestamp", of: string, isLast: boolean): boolean {
    return isLast ? this.#settings[kind] === 1 : this.#happens(kind, of);
  }

  /** `of` names what may happen to: the same thing has the same chance in each run with a seed. */
  #happens(kind: Exclude<keyof ChaosSettings, "delay_ms">, of: string): boolean {
    const probability = this.#settings[kind];
    return probability > 0 && this.#draw(`${kind} ${of}`).fraction() < probability;
  }
}
