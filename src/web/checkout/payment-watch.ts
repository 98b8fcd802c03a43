import type { Subscribable } from "../../base/kernel/feed.js";
import type { Log } from "../../base/kernel/runtime.js";
import type { HistoryRow } from "../../service/features/history/store.js";

/** A holder of the address of one payment must not use up the streams of all others. */
const MAX_PAGES_OF_ONE = 20;

interface WatchParts {
  readonly happened: Subscribable<HistoryRow>;
  /** The end of each advance of the clock. The history records an advance at its begin, before the clock has moved. */
  readonly clockReached: Subscribable<number>;
  readonly log: Pick<Log, "error">;
}

export type PaymentWatch = ReturnType<typeof createPaymentWatch>;

/** Notifies payers' open pages of changes of their payment or the clock (docs/decisions/026-hosted-pages.md). */
export function createPaymentWatch({ happened, clockReached, log }: WatchParts) {
  const pages = new Map<string, Set<() => void>>();
  let unsubscribe: (() => void) | null = null;

  /** A page whose payment cannot be read does not keep the others from being notified. */
  function notify(some: Iterable<() => void>): void {
    for (const changed of [...some]) {
      try {
        changed();
      } catch (reason) {
        log.error("an open checkout page could not be notified of a change", reason);
      }
    }
  }

  const notifyAll = () => notify([...pages.values()].flatMap((some) => [...some]));

  function take({ noun, subject, move }: HistoryRow): void {
    if (noun === "transaction") notify(pages.get(subject) ?? []);
    if (noun === "clock" && move !== "advance") notifyAll();
  }

  function listen(): () => void {
    const ends = [happened.subscribe(take), clockReached.subscribe(notifyAll)];
    return () => {
      for (const end of ends) end();
    };
  }

  return {
    /** True if the maximum number of pages follows a payment. */
    isFull: (id: string) => (pages.get(id)?.size ?? 0) >= MAX_PAGES_OF_ONE,
    /** Calls `changed` after each change. Returns a function that stops it. */
    follow(id: string, changed: () => void) {
      const some = pages.get(id) ?? new Set();
      pages.set(id, some.add(changed));
      // Without a subscriber, units of work do not prepare rows for the feed of the history.
      unsubscribe ??= listen();
      return () => {
        some.delete(changed);
        if (some.size === 0 && pages.get(id) === some) pages.delete(id);
        if (pages.size > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      };
    },
    /** Notifies every page, because the contents of the database have been replaced. */
    notifyAll,
  };
}
