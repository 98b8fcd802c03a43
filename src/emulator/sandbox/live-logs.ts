import type { Subscribable } from "../../base/kernel/feed.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { type KeptRequest, requestFilter, toLoggedRequest } from "../../service/features/requests/logged-request.js";
import { toLoggedEvent } from "../../service/features/webhooks/resource.js";
import type { WebhookStore } from "../../service/features/webhooks/store.js";

/** A stream of server-sent events to one reader. */
export interface Channel {
  send(event: string, id: string, data: unknown): void;
  /** Sends data that is JSON already. */
  sendText(event: string, id: string, text: string): void;
  /** Sends an id without data. A reader that reconnects sends it in Last-Event-ID. */
  remember(id: string): void;
  /** True if the reader is so far behind that the rest should be sent later. */
  isFull(): boolean;
  /** Calls `callback` once, when the reader has read everything that was sent. */
  onRoom(callback: () => void): void;
}

export type LogName = "requests" | "events" | "everything";

/** The request of a reader. */
export interface LogSubscription {
  readonly bookId: number;
  readonly query: Readonly<Record<string, unknown>>;
  /** The header Last-Event-ID. Only the stream of everything uses it. */
  readonly lastId: string | undefined;
}

/** Sends what happens in one book as server-sent events. Returns a function that ends the stream. */
export type FollowLog = (log: LogName, wanted: LogSubscription, channel: Channel) => () => void;

interface LiveLogParts {
  readonly requests: Subscribable<KeptRequest>;
  /** The `seq` of each new event. */
  readonly eventWritten: Subscribable<number>;
  readonly webhooks: Pick<WebhookStore, "event">;
  readonly everything: { follow(bookId: number, lastId: string | undefined, channel: Channel): () => void };
}

/** Returns the functions that send a log to a reader, limited to the reader's book. */
export function createFollowLog({ requests, eventWritten, webhooks, everything }: LiveLogParts): FollowLog {
  return (log, { bookId, query, lastId }, channel) => {
    if (log === "everything") return everything.follow(bookId, lastId, channel);
    const { send } = channel;
    if (log === "requests") {
      const matches = requestFilter(query);
      return requests.subscribe((entry) => {
        const isOwn = entry.bookId === bookId || entry.bookId === null;
        if (isOwn && matches(entry)) send("request", entry.id, toLoggedRequest(entry));
      });
    }
    const { type, subject } = query;
    return eventWritten.subscribe((seq) => {
      const event = webhooks.event(seq);
      if (event === null || event.book_id !== bookId) return;
      const isWanted =
        (type === undefined || event.type === type) && (subject === undefined || event.subject === subject);
      if (isWanted) send("event", ID_PREFIX.event + event.id, toLoggedEvent(event));
    });
  };
}
