import type { Log, RealTime } from "../kernel/runtime.js";

/** Tells every listener of each item as it happens. One that throws is reported, stays, and hurts no other. */
export interface Feed<Item> {
  publish(item: Item): void;
  /** Answers how to stop listening. */
  subscribe(listener: (item: Item) => void): () => void;
  readonly size: number;
}

/** How long a feed says nothing of further failures: a listener may fail at every item. */
const SAID_EVERY_MS = 60_000;

/** `name` is what the items are called where a failure is reported. */
export function createFeed<Item>(name: string, real: RealTime, log: Log): Feed<Item> {
  const listeners = new Set<(item: Item) => void>();
  let silentUntil = Number.NEGATIVE_INFINITY;
  let unsaid = 0;

  function report(reason: unknown): void {
    const now = real.monotonic();
    if (now < silentUntil) {
      unsaid += 1;
      return;
    }
    const more = unsaid === 0 ? "" : `, after ${unsaid} that were not reported`;
    log.error(`a listener of ${name} failed${more}; it missed one of them`, reason);
    silentUntil = now + SAID_EVERY_MS;
    unsaid = 0;
  }

  return {
    publish(item) {
      for (const listener of listeners) {
        try {
          listener(item);
        } catch (reason) {
          report(reason);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get size() {
      return listeners.size;
    },
  };
}
