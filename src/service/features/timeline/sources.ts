import { notFound } from "../../../base/kernel/errors.js";
import type { IdKind } from "../../../base/kernel/ids.js";
import { type KeptRequest, type LoggedRequest, toLoggedRequest } from "../requests/logged-request.js";
import type { RequestLog } from "../requests/request-log.js";
import { findObject, TIMELINE_IDS, TIMELINE_PARTS, withOwn } from "../timeline-objects.js";
import type { TimelineObject } from "../timeline-part.js";
import type { Stores } from "../tx.js";
import type { EventRow } from "../webhooks/store.js";

/** A logged request, and the newest row of the history when it ended. */
export interface SourceRequest {
  readonly logged: LoggedRequest;
  readonly historySeq: number;
}

/** The objects of a timeline: its subject and the objects that belong to it, such as a charge's refunds. */
export type Objects = readonly TimelineObject[];

/** Only payments have a story. */
const STORY_IDS = ["charge", "transaction", "refund", "medCase"] as const;

/** Throws `not_found`, which names the kinds, for an id that no object of this book has. */
function subjectOf(stores: Stores, bookId: number, id: string, kinds: readonly [IdKind, ...IdKind[]]) {
  const found = findObject(stores, bookId, id);
  if (found === null) throw notFound(kinds, id);
  return found;
}

/** The events about the objects, and those of its payment that are about an object. */
function eventsOf({ webhooks }: Stores, objects: Objects): EventRow[] {
  const known = new Set(objects.map(({ id }) => id));
  const elsewhere = objects.filter(({ payment }) => payment !== null && !known.has(payment));
  const own = objects.flatMap(({ id }) => webhooks.eventsOf(id));
  return [...own, ...elsewhere.flatMap((one) => one.eventsOfPayment?.() ?? [])];
}

/**
 * The logged requests of a timeline, oldest first: those that caused something in it, and those that name one of its
 * objects. Successful reads are left out: they changed nothing, and waiting programs repeat them.
 */
function requestsOf(log: Log, bookId: number, ids: ReadonlySet<string>, numbers: ReadonlySet<number>): SourceRequest[] {
  const isAbout = ({ subject, method, status }: KeptRequest) =>
    subject !== null && ids.has(subject) && (method !== "GET" || status === 0 || status >= 400);
  const found = log.listMatching({ bookId, matches: (entry) => numbers.has(entry.number) || isAbout(entry) });
  return found.reverse().map((entry) => ({ logged: toLoggedRequest(entry), historySeq: entry.historySeq }));
}

type Log = Pick<RequestLog, "listMatching">;

export type TimelineSources = ReturnType<typeof readSources>;

/** Reads all data of an object. Throws `not_found` for an id that no object of this book has. */
export function readSources(stores: Stores, log: Log, bookId: number, id: string) {
  const { subject, object } = subjectOf(stores, bookId, id, TIMELINE_IDS);
  const objects = withOwn(stores, object);
  const ids = objects.map((one) => one.id);
  const { history: store, webhooks, ledger } = stores;
  const events = eventsOf(stores, objects);
  const deliveries = events
    .flatMap(({ seq }) => webhooks.deliveriesOf(seq))
    .map((one) => ({ ...one, attempts_log: webhooks.attempts(one.seq) }));
  const rows = new Map(ids.flatMap((raw) => store.of(raw).map((row) => [row.seq, row] as const)));
  // A resend, and the last refund of a payment in a refund's own timeline, are rows of other objects.
  for (const seq of [...events, ...deliveries].map(({ history_seq }) => history_seq)) {
    const row = seq === null || rows.has(seq) ? null : store.bySeq(seq);
    if (row !== null) rows.set(row.seq, row);
  }
  const history = [...rows.values()].sort((one, other) => one.seq - other.seq);
  const numbers = new Set(history.flatMap(({ request }) => (request === null ? [] : [request])));
  return {
    subject,
    objects,
    /** The rows of these objects and of the resends of their deliveries, oldest first. */
    history,
    /** The changes of the clock since the first row of the history. */
    clock: store.clockSince(history[0]?.seq ?? 0),
    journals: ids
      .flatMap((raw) => ledger.journalsOf(raw))
      .map((journal) => ({ ...journal, entries: ledger.entriesOf(journal.id) })),
    events,
    deliveries,
    items: TIMELINE_PARTS.flatMap(({ items }) => items?.(stores, objects) ?? []),
    requests: requestsOf(log, bookId, new Set(objects.flatMap(({ publicIds }) => publicIds)), numbers),
  };
}

/** The same for the payment of an id, or of an object that belongs to one. Throws `not_found` for any other id. */
export function readStory(stores: Stores, log: Log, bookId: number, id: string) {
  const { subject, object } = subjectOf(stores, bookId, id, STORY_IDS);
  const own = { subject, object };
  const payment = object.payment === null ? own : subjectOf(stores, bookId, object.payment, STORY_IDS);
  if (payment.object.noun !== "transaction") throw notFound(STORY_IDS, id);
  return { ...readSources(stores, log, bookId, payment.subject), payment: payment.object.id };
}
