import type { WebhookStore } from "../features/webhooks/store.js";
import { toLoggedEvent } from "../features/webhooks/wire.js";
import type { Subscribable } from "../kernel/feed.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { type EventQuery, requestFilter } from "./filters.js";
import type { KeptRequest } from "./kept-request.js";
import { toLoggedRequest } from "./logged-request.js";

type Send = (event: string, id: string, data: unknown) => void;

/** The requests and events of one book as they happen, each sent as one server-sent event. Answers how to stop. */
export type FollowLog = (
  log: "requests" | "events",
  bookId: number,
  query: Readonly<Record<string, unknown>>,
  send: Send,
) => () => void;

interface LiveLogParts {
  readonly requests: Subscribable<KeptRequest>;
  /** The `seq` of each new event. */
  readonly eventWritten: Subscribable<number>;
  readonly webhooks: Pick<WebhookStore, "event">;
}

export function createFollowLog({ requests, eventWritten, webhooks }: LiveLogParts): FollowLog {
  return (log, bookId, query, send) => {
    if (log === "requests") {
      const matches = requestFilter(query);
      return requests.subscribe((entry) => {
        const isOwn = entry.bookId === bookId || entry.bookId === null;
        if (isOwn && matches(entry)) send("request", entry.id, toLoggedRequest(entry));
      });
    }
    const { type, subject }: EventQuery = query;
    return eventWritten.subscribe((seq) => {
      const event = webhooks.event(seq);
      if (event === null || event.book_id !== bookId) return;
      const isWanted =
        (type === undefined || event.type === type) && (subject === undefined || event.subject === subject);
      if (isWanted) send("event", ID_PREFIX.event + event.id, toLoggedEvent(event));
    });
  };
}
