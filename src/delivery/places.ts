import type { RealTime } from "../kernel/runtime.js";

/**
 * How many attempts may be under way, and for which endpoints (docs/decisions/040-fair-deliveries.md). An endpoint that
 * answers gets many places. One that was never asked, or that let its last attempt time out, gets one, from a pool of
 * its own: however many endpoints hang, those that answer do not wait for them.
 */

/** Attempts under way to endpoints that answer. */
const MAX_ANSWERING = 256;
/** Of them to a single endpoint. */
const MAX_PER_ENDPOINT = 16;
/** An attempt that has no answer after this time leaves the pool of those that answer. Real milliseconds. */
const SLOW_MS = 500;
/** Attempts under way to endpoints that do not answer, or of which nothing is known yet. */
const MAX_PROBING = 1_024;
/** Of them to a single endpoint while the clock is being advanced: nothing else is waiting then. */
const MAX_PER_PROBED_IN_HURRY = 64;

interface Place {
  readonly endpoint: number;
  /** Real monotonic milliseconds. */
  readonly since: number;
  isProbing: boolean;
}

export class Places {
  readonly #real: RealTime;
  #taken = new Set<Place>();
  #byEndpoint = new Map<number, number>();
  /** Whether the last attempt of an endpoint was answered in time. Endpoints that were not asked yet are not here. */
  #answered = new Map<number, boolean>();
  #answering = 0;

  constructor(real: RealTime) {
    this.#real = real;
  }

  /** Attempts under way. */
  get size(): number {
    return this.#taken.size;
  }

  isSilent(endpoint: number): boolean {
    return this.#answered.get(endpoint) === false;
  }

  /** How many attempts of this endpoint may be under way at once. */
  limitOf(endpoint: number, isHurried: boolean): number {
    if (this.#answered.get(endpoint) === true) return MAX_PER_ENDPOINT;
    return isHurried && this.isSilent(endpoint) ? MAX_PER_PROBED_IN_HURRY : 1;
  }

  /** Attempts of this endpoint under way. */
  takenBy(endpoint: number): number {
    return this.#byEndpoint.get(endpoint) ?? 0;
  }

  /** The endpoints that have no free place. */
  full(isHurried: boolean): number[] {
    return [...this.#byEndpoint].flatMap(([endpoint, taken]) =>
      taken >= this.limitOf(endpoint, isHurried) ? [endpoint] : [],
    );
  }

  /** How many more attempts may begin, in each of the two pools. */
  free(): { answering: number; probing: number } {
    const now = this.#real.monotonic();
    // In the order in which they began, so that the first young one ends the search.
    for (const place of this.#taken) {
      if (now - place.since < SLOW_MS) break;
      this.#moveToProbing(place);
    }
    const probing = this.#taken.size - this.#answering;
    return { answering: MAX_ANSWERING - this.#answering, probing: Math.max(0, MAX_PROBING - probing) };
  }

  /** Which of the two pools an attempt of this endpoint takes its place from. */
  poolOf(endpoint: number): "answering" | "probing" {
    return this.#answered.get(endpoint) === true ? "answering" : "probing";
  }

  /** Real milliseconds until a place of those that answer becomes free by itself; null while there is one. */
  freeAgainIn(): number | null {
    if (this.#answering < MAX_ANSWERING) return null;
    const now = this.#real.monotonic();
    for (const place of this.#taken) if (!place.isProbing) return Math.max(1, SLOW_MS - (now - place.since));
    return null;
  }

  enter(endpoint: number): Place {
    const place: Place = { endpoint, since: this.#real.monotonic(), isProbing: this.poolOf(endpoint) === "probing" };
    this.#taken.add(place);
    this.#byEndpoint.set(endpoint, this.takenBy(endpoint) + 1);
    if (!place.isProbing) this.#answering += 1;
    return place;
  }

  /** Ends an attempt. `isSilent`: the endpoint let it time out. */
  leave(place: Place, isSilent: boolean): void {
    this.#answered.set(place.endpoint, !isSilent);
    if (!this.#taken.delete(place)) return;
    if (!place.isProbing) this.#answering -= 1;
    const left = this.takenBy(place.endpoint) - 1;
    if (left > 0) this.#byEndpoint.set(place.endpoint, left);
    else this.#byEndpoint.delete(place.endpoint);
  }

  /** All places are free and nothing is known of any endpoint: the database holds other endpoints now. */
  clear(): void {
    this.#taken = new Set();
    this.#byEndpoint = new Map();
    this.#answered = new Map();
    this.#answering = 0;
  }

  #moveToProbing(place: Place): void {
    if (place.isProbing) return;
    place.isProbing = true;
    this.#answering -= 1;
  }
}
