import { alternative } from "../../base/kernel/nearest.js";
import { AS_OPTIONS, OptionError } from "../../base/kernel/options.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { EVENT_NAMES, isEventName } from "../../service/features/webhooks/catalogue.js";

/** The object of a wait, and the notification of changes. */
export interface PendingWait<Thing> {
  readonly real: Pick<RealTime, "after">;
  readonly timeoutMs: number;
  /** Aborted when nothing can arrive any more. */
  readonly closed: AbortSignal;
  /** Calls the listener after each change. Returns a function that ends it. */
  readonly onNews: (listener: () => void) => () => void;
  readonly look: () => Thing | null | Promise<Thing | null>;
  /** The error when the time is over. */
  readonly failure: () => Promise<Error>;
}

/** Looks now and after each change, until something is found or the time is over. */
export async function waitUntil<Thing>({ real, timeoutMs, closed, ...how }: PendingWait<Thing>): Promise<Thing> {
  let wake: () => void = () => undefined;
  let isNews = false;
  let isOver = false;
  const announceNews = () => {
    isNews = true;
    wake();
  };
  const end = () => {
    isOver = true;
    wake();
  };
  // It listens before it looks, so that nothing is missed in between.
  const stop = how.onNews(announceNews);
  const timer = real.after(timeoutMs, end);
  closed.addEventListener("abort", end);
  try {
    for (;;) {
      isNews = false;
      const thing = await how.look();
      if (thing !== null) return thing;
      closed.throwIfAborted();
      if (isOver) throw await how.failure();
      if (isNews) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop();
    timer.cancel();
    closed.removeEventListener("abort", end);
  }
}

/** Throws OptionError for an event that does not exist: nobody could wait for it. */
export function checkEvent(taker: string, eventType: unknown): void {
  if (typeof eventType === "string" && isEventName(eventType)) return;
  const next = alternative(String(eventType), EVENT_NAMES) || `. There are ${EVENT_NAMES.join(", ")}.`;
  throw new OptionError("eventType", `${taker}: there is no event ${AS_OPTIONS.show(eventType)}${next}`);
}
