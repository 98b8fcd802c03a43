import type { Subscribable } from "../../base/kernel/feed.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { parseObject } from "../../base/kernel/json.js";
import { iso } from "../../base/kernel/time.js";
import type { Attempt } from "../../service/delivery/attempt.js";
import type { HistoryRow } from "../../service/features/history/store.js";
import type { JobRow } from "../../service/features/jobs/store.js";
import { type KeptRequest, toLoggedRequest } from "../../service/features/requests/logged-request.js";
import { MOVED } from "../../service/features/timeline-objects.js";
import type { News } from "../../service/features/tx.js";
import { toJournal } from "../../service/features/wallets/resource.js";
import type { LedgerStore } from "../../service/features/wallets/store.js";
import type { ClaimedDelivery, WebhookStore } from "../../service/features/webhooks/store.js";
import type { LiveStream } from "./live-stream.js";

/** The messages of the stream of everything: for each thing that happens, its ids and the changed values. */

export interface StreamFeeds {
  readonly requests: Subscribable<KeptRequest>;
  /** The `seq` of each new event. */
  readonly eventWritten: Subscribable<number>;
  readonly sending: Subscribable<ClaimedDelivery>;
  readonly attempts: Subscribable<Attempt>;
  /** The emulated instant at which an advance of the clock has ended. */
  readonly clockReached: Subscribable<number>;
  readonly news: Subscribable<News>;
  readonly happened: Subscribable<HistoryRow>;
  /** The id of each new journal. */
  readonly journalPosted: Subscribable<number>;
  readonly jobMade: Subscribable<JobRow>;
}

function requestData(entry: KeptRequest) {
  const { number, id, at, method, path, status, duration_ms, caller, subject, idempotency, error, fault } =
    toLoggedRequest(entry);
  const facts = { number, id, at, method, path, status, duration_ms, caller, subject, idempotency, fault };
  return { ...facts, code: error?.code ?? null };
}

function moveData(row: HistoryRow, prefix: string): Record<string, unknown> {
  const { subject, move, from_status: from, to_status: to, cause, request, command, at } = row;
  const data = row.data === null ? {} : parseObject(row.data);
  const about = subject === "" ? {} : { id: prefix + subject };
  const states = from === null && to === null ? {} : { from, to };
  return { ...about, at: iso(at), move, ...data, ...states, cause, request, command };
}

function sendingData(delivery: ClaimedDelivery) {
  const { id, event_id, type, url, attempts } = delivery;
  return { id: ID_PREFIX.delivery + id, event: ID_PREFIX.event + event_id, type, url, attempt: attempts + 1 };
}

function attemptData(attempt: Attempt) {
  const { deliveryId: id, eventId: event, type, url, status, statusCode, error, durationMs, nextAttemptAt } = attempt;
  return {
    id,
    event,
    type,
    url,
    attempt: attempt.attempt,
    status,
    status_code: statusCode,
    error,
    duration_ms: Math.round(durationMs * 10) / 10,
    next_attempt_at: nextAttemptAt === null ? null : iso(nextAttemptAt),
    chaos: attempt.chaos,
  };
}

interface ReadStores {
  readonly webhooks: Pick<WebhookStore, "event">;
  readonly ledger: Pick<LedgerStore, "journal" | "entriesOf">;
}

/** Turns the news of the feeds into messages. */
export function streamFeeds(feeds: StreamFeeds, { webhooks, ledger }: ReadStores, publish: LiveStream["publish"]) {
  feeds.requests.subscribe((entry) => publish({ bookId: entry.bookId, kind: "request", data: requestData(entry) }));
  feeds.eventWritten.subscribe((seq) => {
    const event = webhooks.event(seq);
    if (event === null) return;
    const { id, type, subject, created_at: at } = event;
    const data = { id: ID_PREFIX.event + id, at: iso(at), type, subject };
    publish({ bookId: event.book_id, kind: "event", data });
  });
  feeds.sending.subscribe((sent) => publish({ bookId: sent.book_id, kind: "sending", data: sendingData(sent) }));
  feeds.attempts.subscribe((ended) => publish({ bookId: ended.bookId, kind: "attempt", data: attemptData(ended) }));
  feeds.news.subscribe(publish);
  feeds.journalPosted.subscribe((id) => {
    const journal = ledger.journal(id);
    if (journal === null) return;
    publish({ bookId: journal.book_id, kind: "journal", data: toJournal(journal, ledger) });
  });
  feeds.jobMade.subscribe(({ book_id: bookId, kind, subject, due_at: at }) =>
    publish({ bookId, kind: "due", data: { at: iso(at), kind, subject } }),
  );
  feeds.clockReached.subscribe((at) => {
    publish({ bookId: null, kind: "clock", data: { at: iso(at), move: "reached" } });
  });
  feeds.happened.subscribe((row) => {
    const { noun, book_id: bookId } = row;
    const objects = MOVED.get(noun)?.objects;
    // Deliveries have messages of their own.
    if (objects === undefined && noun !== "clock") return;
    publish({
      bookId,
      kind: objects?.message ?? noun,
      data: moveData(row, objects ? ID_PREFIX[objects.elsewhere] : ""),
    });
  });
}
