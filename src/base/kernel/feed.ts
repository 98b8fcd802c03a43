import type { Log, RealTime } from "./runtime.js";

export interface Subscribable<Item> {
  subscribe(listener: (item: Item) => void): () => void;
}

/** Passes each item to every listener. A listener that throws is reported and stays; the others get the item. */
export interface Feed<Item> extends Subscribable<Item> {
  publish(item: Item): void;
  readonly size: number;
}

/** After a report, failures of listeners are only counted for this long: a listener may fail at every item. */
const REPORT_EVERY_MS = 60_000;

/** `name` describes the items in reports of failures. */
export function createFeed<Item>(name: string, real: RealTime, log: Log): Feed<Item> {
  const listeners = new Set<(item: Item) => void>();
  let silentUntil = Number.NEGATIVE_INFINITY;
  let unreported = 0;

  function report(reason: unknown): void {
    const now = real.monotonic();
    if (now < silentUntil) {
      unreported += 1;
      return;
    }
    const more = unreported === 0 ? "" : `, after ${unreported} that were not reported`;
    log.error(`a listener of ${name} failed${more}; it missed one of them`, reason);
    silentUntil = now + REPORT_EVERY_MS;
    unreported = 0;
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
