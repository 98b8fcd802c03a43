import type { RealTime } from "../../base/kernel/runtime.js";

/**
 * Decides how many attempts may be under way, and for which endpoints (docs/decisions/040-fair-deliveries.md). Every attempt
 * takes a slot. There are two pools of slots: one for endpoints that answer, which get many slots each, and one for endpoints
 * that did not answer in time or have had no attempt yet, which get one slot each. So endpoints that answer never wait for
 * endpoints that hang.
 */

const MAX_ANSWERING = 256;
const MAX_PER_ENDPOINT = 16;
/** An attempt without an answer after this many real milliseconds moves to the other pool. */
const SLOW_MS = 500;
/** Attempts under way to endpoints that did not answer in time or have had no attempt yet. */
const MAX_PROBING = 1_024;
/** Attempts under way to one endpoint that did not answer, while the clock is being advanced and waits for them. */
const MAX_PER_PROBED_IN_HURRY = 64;

interface Slot {
  readonly delivery: number;
  readonly endpoint: number;
  /** Real monotonic milliseconds. */
  readonly since: number;
  isProbing: boolean;
}

export class DeliverySlots {
  readonly #real: RealTime;
  #taken = new Set<Slot>();
  #byEndpoint = new Map<number, number>();
  /** True if the last attempt of an endpoint was answered in time. An endpoint without any attempt is not in it. */
  #answered = new Map<number, boolean>();
  #answering = 0;

  constructor(real: RealTime) {
    this.#real = real;
  }

  get size(): number {
    return this.#taken.size;
  }

  *deliveries(): Iterable<number> {
    for (const slot of this.#taken) yield slot.delivery;
  }

  isSilent(endpoint: number): boolean {
    return this.#answered.get(endpoint) === false;
  }

  limitOf(endpoint: number, isHurried: boolean): number {
    if (this.#answered.get(endpoint) === true) return MAX_PER_ENDPOINT;
    return isHurried && this.isSilent(endpoint) ? MAX_PER_PROBED_IN_HURRY : 1;
  }

  countOf(endpoint: number): number {
    return this.#byEndpoint.get(endpoint) ?? 0;
  }

  /** How many more attempts may begin, in each of the two pools. */
  free(): { answering: number; probing: number } {
    const now = this.#real.monotonic();
    // The set is in the order in which the attempts began: the first one that is not slow ends the search.
    for (const slot of this.#taken) {
      if (now - slot.since < SLOW_MS) break;
      this.#moveToProbing(slot);
    }
    const probing = this.#taken.size - this.#answering;
    return { answering: MAX_ANSWERING - this.#answering, probing: Math.max(0, MAX_PROBING - probing) };
  }

  /** The pool from which an attempt of this endpoint takes its slot. */
  poolOf(endpoint: number): "answering" | "probing" {
    return this.#answered.get(endpoint) === true ? "answering" : "probing";
  }

  /** Real milliseconds until the oldest attempt of a full pool "answering" counts as slow and leaves it; else null. */
  freeAgainIn(): number | null {
    if (this.#answering < MAX_ANSWERING) return null;
    const now = this.#real.monotonic();
    for (const slot of this.#taken) if (!slot.isProbing) return Math.max(1, SLOW_MS - (now - slot.since));
    return null;
  }

  enter(delivery: number, endpoint: number): Slot {
    const isProbing = this.poolOf(endpoint) === "probing";
    const slot: Slot = { delivery, endpoint, since: this.#real.monotonic(), isProbing };
    this.#taken.add(slot);
    this.#byEndpoint.set(endpoint, this.countOf(endpoint) + 1);
    if (!slot.isProbing) this.#answering += 1;
    return slot;
  }

  /** Frees the slot of an attempt that has ended. `isSilent`: the attempt timed out. */
  leave(slot: Slot, isSilent: boolean): void {
    this.#answered.set(slot.endpoint, !isSilent);
    if (!this.#taken.delete(slot)) return;
    if (!slot.isProbing) this.#answering -= 1;
    const left = this.countOf(slot.endpoint) - 1;
    if (left > 0) this.#byEndpoint.set(slot.endpoint, left);
    else this.#byEndpoint.delete(slot.endpoint);
  }

  /** Frees all slots and forgets all endpoints. Called when the deliveries of the database were replaced. */
  clear(): void {
    this.#taken = new Set();
    this.#byEndpoint = new Map();
    this.#answered = new Map();
    this.#answering = 0;
  }

  #moveToProbing(slot: Slot): void {
    if (slot.isProbing) return;
    slot.isProbing = true;
    this.#answering -= 1;
  }
}
