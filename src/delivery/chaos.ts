import { familyOf } from "../features/webhooks/catalogue.js";
import type { ClaimedDelivery } from "../features/webhooks/store.js";
import type { Random } from "../kernel/runtime.js";
import type { ChaosControls, ChaosSettings } from "../sandbox/control-interface.js";

/**
 * Webhook chaos (decisions on the control interface; docs/decisions/028-webhook-chaos.md): what a receiver must be able
 * to bear, on purpose. Settings are of this process and in memory, and hold for every account. No published event is
 * lost by them: what is held back leaves in the end, and the last attempt of a delivery is signed as it should be.
 */
export interface Chaos extends ChaosControls {
  /**
   * Asked before a due delivery leaves. Emulated milliseconds until which it stays instead; null: it leaves now, and
   * thereby overtakes what is held back for it.
   */
  putOff(delivery: ClaimedDelivery, now: number): number | null;
  /** How the attempt that begins now is signed. */
  attempt(delivery: ClaimedDelivery, now: number): Sending;
  /** The delivery that `id` has overtaken, which leaves now that an attempt of `id` has ended. */
  overtakenBy(id: string): Held | null;
  /** Whether a delivery that has arrived is sent once more. */
  repeats(): boolean;
  /** How that second sending is signed. */
  repetition(delivery: ClaimedDelivery, now: number): Sending;
  /** Whether the event of a MED case that is about to be published is not. */
  losesMedEvent(): boolean;
  /** Everything off, nothing held back. */
  clear(): void;
  /** Nothing held back: the database holds other deliveries now. The settings stay. */
  forget(): void;
}

export interface Sending {
  /** The key of the digest. */
  readonly secret: string;
  /** Emulated milliseconds, for the timestamp of a canonical signature. */
  readonly signedAt: number;
  /** What was done to it, by the names of the settings. */
  readonly chaos: readonly ChaosKind[];
}

/** The settings that change a sending; an event that is lost has none. */
export type ChaosKind = Exclude<keyof ChaosSettings, "lose_med">;

interface Held {
  readonly seq: number;
  readonly id: string;
  readonly wasDelayed: boolean;
}

/** A minute more than the ten that make a timestamp stale: a receiver that allows exactly ten refuses it too. */
const STALE_MS = 11 * 60_000;
/** How long a delivery waits for a later one to overtake it. */
const LONGEST_HOLD_MS = 30_000;

const OFF: ChaosSettings = {
  duplicate: 0,
  reorder: 0,
  delay_ms: 0,
  corrupt_signature: 0,
  stale_timestamp: 0,
  lose_med: 0,
};

/** Nothing but chaos makes the first attempt of a delivery due after its creation. */
function isDelayed({ attempts, next_attempt_at: dueAt, created_at: createdAt }: ClaimedDelivery): boolean {
  return attempts === 0 && dueAt !== null && dueAt > createdAt;
}

export function createChaos(random: Random): Chaos {
  return new Mischief(random);
}

class Mischief implements Chaos {
  readonly #random: Random;
  #settings = OFF;
  /** Held back so that a later one arrives first, and not sent yet; by their id. */
  readonly #held = new Map<string, Held>();
  /** Those of them that nothing has overtaken, by endpoint: one each, so that what is held back is soon let go. */
  readonly #waiting = new Map<number, Held>();
  /** The others, by the id of the delivery that overtakes them. */
  readonly #overtaken = new Map<string, Held>();

  constructor(random: Random) {
    this.#random = random;
  }

  change(given: Parameters<ChaosControls["change"]>[0]): ChaosSettings {
    const known = this.#settings;
    this.#settings = {
      duplicate: given.duplicate ?? known.duplicate,
      reorder: given.reorder ?? known.reorder,
      delay_ms: given.delay_ms ?? known.delay_ms,
      corrupt_signature: given.corrupt_signature ?? known.corrupt_signature,
      stale_timestamp: given.stale_timestamp ?? known.stale_timestamp,
      lose_med: given.lose_med ?? known.lose_med,
    };
    return this.#settings;
  }

  clear(): void {
    this.#settings = OFF;
    this.forget();
  }

  forget(): void {
    for (const kept of [this.#held, this.#waiting, this.#overtaken]) kept.clear();
  }

  putOff(delivery: ClaimedDelivery, now: number): number | null {
    const { seq, id, endpoint_seq: endpoint, attempts } = delivery;
    const waiting = this.#waiting.get(endpoint);
    // Retries keep to their schedule, and what was held back once is not held back again.
    if (attempts === 0 && !this.#held.has(id)) {
      const earliest = delivery.created_at + this.#settings.delay_ms;
      if (earliest > now) return earliest;
      if (waiting === undefined && this.#happens("reorder")) {
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

  attempt(delivery: ClaimedDelivery, now: number): Sending {
    const held = this.#held.get(delivery.id);
    this.#held.delete(delivery.id);
    const kinds: ChaosKind[] = [];
    if (held?.wasDelayed ?? isDelayed(delivery)) kinds.push("delay_ms");
    if (held !== undefined) kinds.push("reorder");
    return this.#signed(delivery, now, kinds, delivery.attempts + 1 >= delivery.max_attempts);
  }

  overtakenBy(id: string): Held | null {
    const held = this.#overtaken.get(id) ?? null;
    this.#overtaken.delete(id);
    return held;
  }

  repeats(): boolean {
    return this.#happens("duplicate");
  }

  repetition(delivery: ClaimedDelivery, now: number): Sending {
    return this.#signed(delivery, now, ["duplicate"], false);
  }

  losesMedEvent(): boolean {
    return this.#happens("lose_med");
  }

  #signed(delivery: ClaimedDelivery, now: number, kinds: ChaosKind[], isLast: boolean): Sending {
    const isForged = this.#spoils("corrupt_signature", isLast);
    if (isForged) kinds.push("corrupt_signature");
    // A legacy signature has no timestamp that could be old.
    const isStale = familyOf(delivery.type) === "canonical" && this.#spoils("stale_timestamp", isLast);
    if (isStale) kinds.push("stale_timestamp");
    return {
      // With a key that nobody has, the digest has the right form and is wrong.
      secret: isForged ? this.#random.hex(32) : delivery.secret,
      signedAt: isStale ? now - STALE_MS : now,
      chaos: kinds,
    };
  }

  /** No retry could set a last attempt right, so chance spares it. Who asks for always has it always. */
  #spoils(kind: "corrupt_signature" | "stale_timestamp", isLast: boolean): boolean {
    return isLast ? this.#settings[kind] === 1 : this.#happens(kind);
  }

  #happens(kind: Exclude<keyof ChaosSettings, "delay_ms">): boolean {
    const probability = this.#settings[kind];
    return probability > 0 && this.#random.fraction() < probability;
  }
}
