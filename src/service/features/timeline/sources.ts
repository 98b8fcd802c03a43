import { notFound } from "../../../base/kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../base/kernel/ids.js";
import { pick } from "../../../base/kernel/pick.js";
import type { MedCaseRow } from "../med/store.js";
import type { PayoutRow } from "../payouts/store.js";
import type { RefundRow } from "../refunds/store.js";
import { type KeptRequest, type LoggedRequest, toLoggedRequest } from "../requests/logged-request.js";
import type { RequestLog } from "../requests/request-log.js";
import type { TransactionRow } from "../transactions/store.js";
import type { Stores } from "../tx.js";
import type { EventRow } from "../webhooks/store.js";

/** A logged request, and the newest row of the history when it ended. */
export interface SourceRequest {
  readonly logged: LoggedRequest;
  readonly historySeq: number;
}

/** The objects of a timeline. A charge has its refunds and cases with it. */
export interface Objects {
  readonly transaction: TransactionRow | null;
  readonly refunds: readonly RefundRow[];
  readonly cases: readonly MedCaseRow[];
  readonly payout: PayoutRow | null;
}

const NONE: Objects = { transaction: null, refunds: [], cases: [], payout: null };

type Kinds = Parameters<typeof notFound>[0];

const WITH_TIMELINE: Kinds = ["charge", "transaction", "refund", "payout", "medCase"];
const WITH_STORY: Kinds = ["charge", "transaction", "refund", "medCase"];

/** The object that an id names. Throws `not_found`, which names the kinds, for an id that no object of this book has. */
function findSubject(stores: Stores, bookId: number, id: string, kinds: Kinds): { subject: string; objects: Objects } {
  const { charge, transaction: payment, refund, payout, medCase } = ID_PREFIX;
  const find = <Row>(inBook: (raw: string, book: number) => Row | null, ...prefixes: string[]): Row | null => {
    const raw = rawId(id, ...prefixes, "");
    return raw === null ? null : inBook(raw, bookId);
  };
  const foundRefund = find(stores.refunds.inBook, refund);
  if (foundRefund !== null) return { subject: refund + foundRefund.id, objects: { ...NONE, refunds: [foundRefund] } };
  const foundPayout = find(stores.payouts.inBook, payout);
  if (foundPayout !== null) return { subject: payout + foundPayout.id, objects: { ...NONE, payout: foundPayout } };
  const foundCase = find(stores.med.inBook, medCase);
  if (foundCase !== null) return { subject: medCase + foundCase.id, objects: { ...NONE, cases: [foundCase] } };
  const found = find(stores.transactions.inBook, charge, payment);
  if (found === null) throw notFound(kinds, id);
  const refunds = stores.refunds.ofTransaction(found.id);
  const cases = stores.med.ofTransaction(found.id);
  const prefix = id.startsWith(payment) ? payment : charge;
  return { subject: prefix + found.id, objects: { ...NONE, transaction: found, refunds, cases } };
}

export function rawIds({ transaction, refunds, cases, payout }: Objects): string[] {
  return [transaction, ...refunds, ...cases, payout].flatMap((one) => (one === null ? [] : [one.id]));
}

/** Every form of the ids that a request or an event may name. */
function publicIds({ transaction, refunds, cases, payout }: Objects): string[] {
  return [
    ...(transaction === null ? [] : [ID_PREFIX.charge + transaction.id, ID_PREFIX.transaction + transaction.id]),
    ...refunds.map(({ id }) => ID_PREFIX.refund + id),
    ...cases.map(({ id }) => ID_PREFIX.medCase + id),
    ...(payout === null ? [] : [ID_PREFIX.payout + payout.id]),
  ];
}

/** The events about the objects. The events of a refund are about its transaction and name the refund in their data. */
function eventsOf(stores: Stores, objects: Objects): EventRow[] {
  const own = rawIds(objects).flatMap((id) => stores.webhooks.eventsOf(id));
  if (objects.transaction !== null) return own;
  const ofRefunds = objects.refunds.flatMap(({ id, transaction_id }) =>
    stores.webhooks.eventsOf(transaction_id).filter(({ data }) => refundIn(data) === ID_PREFIX.refund + id),
  );
  return [...own, ...ofRefunds];
}

function refundIn(data: string): unknown {
  return pick(JSON.parse(data), "refund.id");
}

/**
 * The logged requests of a timeline, oldest first: those that caused something in it, and those that name one of its objects.
 * A read that was answered is left out: it did nothing, and programs that wait repeat it.
 */
function requestsOf(log: Log, bookId: number, ids: ReadonlySet<string>, numbers: ReadonlySet<number>): SourceRequest[] {
  const isAbout = ({ subject, method, status }: KeptRequest) =>
    subject !== null && ids.has(subject) && (method !== "GET" || status === 0 || status >= 400);
  const found = log.matching({ bookId, matches: (entry) => numbers.has(entry.number) || isAbout(entry) });
  return found.reverse().map((entry) => ({ logged: toLoggedRequest(entry), historySeq: entry.historySeq }));
}

type Log = Pick<RequestLog, "matching">;

export type TimelineSources = ReturnType<typeof readSources>;

/** Reads everything that is known of an object. Throws `not_found` for an id that no object of this book has. */
export function readSources(stores: Stores, log: Log, bookId: number, id: string) {
  const { subject, objects } = findSubject(stores, bookId, id, WITH_TIMELINE);
  const { history: store, webhooks, ledger, emails } = stores;
  const events = eventsOf(stores, objects);
  const deliveries = events
    .flatMap(({ seq }) => webhooks.deliveriesOf(seq))
    .map((one) => ({ ...one, attempts_log: webhooks.attempts(one.seq) }));
  const rows = new Map(rawIds(objects).flatMap((raw) => store.of(raw).map((row) => [row.seq, row] as const)));
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
    journals: rawIds(objects)
      .flatMap((raw) => ledger.journalsOf(raw))
      .map((journal) => ({ ...journal, entries: ledger.entriesOf(journal.id) })),
    events,
    deliveries,
    emails: objects.cases.flatMap((one) => emails.ofCase(one.id)),
    requests: requestsOf(log, bookId, new Set(publicIds(objects)), numbers),
  };
}

/** The same for the charge that an id names, or a refund or a MED case of it. Throws `not_found` for any other id. */
export function readStory(stores: Stores, log: Log, bookId: number, id: string): TimelineSources {
  const { objects } = findSubject(stores, bookId, id, WITH_STORY);
  const [of] = [...objects.refunds, ...objects.cases].map(({ transaction_id }) => transaction_id);
  const isCharge = objects.transaction !== null;
  if (!isCharge && of === undefined) throw notFound(WITH_STORY, id);
  return readSources(stores, log, bookId, isCharge ? id : `${ID_PREFIX.charge}${of}`);
}
