import type { Host, Loose, Reply } from "./host.js";
import type { Book, Delivery } from "./model/state.js";

/** The figures of a book that a client can read, by the model and by the service. */

export type Figures = Readonly<Record<string, unknown>>;

const EVENTS_READ = 100;
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const rawId = (id: string) => id.replace(/^[a-z]+_/, "");
const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

const CURRENCIES = ["BRL", "EUR", "USDT"];

function balanceOf(book: Book) {
  const wallet = (currency: string) => book.wallets[currency] ?? { available: 0, pending: 0, retained: 0 };
  const holds = book.holds.filter(({ currency }) => currency === "BRL").sort((one, other) => one.at - other.at);
  const at = holds[0]?.at ?? null;
  const entries = CURRENCIES.map((currency) => {
    const { available, pending } = wallet(currency);
    return { currency, available, pending, total: available + pending };
  });
  const { retained } = wallet("BRL");
  const amount = holds.filter((one) => one.at === at).reduce((sum, one) => sum + one.amount, 0);
  return { entries, retained, next_release_at: iso(at), next_release_amount: at === null ? null : amount };
}

function readBalance(body: Loose) {
  const { available, pending, total, retained, currency, next_release_at, next_release_amount } = body;
  const own = { currency, available, pending, total };
  const known = new Map<string, Loose>(body.balances.map((one: Loose) => [one.currency, one]));
  // Three ways to say the same in one answer.
  for (const other of [body.primary, known.get(currency)]) {
    if (JSON.stringify(other) !== JSON.stringify(own)) return { contradicts: [own, other] };
  }
  const entries = CURRENCIES.map((one) => known.get(one) ?? { currency: one, available: 0, pending: 0, total: 0 });
  return { entries, retained, next_release_at, next_release_amount };
}

function withoutBlocks(metadata: Record<string, unknown>) {
  const { med: _med, failure: _failure, ...rest } = metadata;
  return rest;
}

/** These fields alone. */
const only = (one: object, fields: string) =>
  Object.fromEntries(fields.split(" ").map((name) => [name, (one as Loose)[name]]));

const PAYMENT = "status amount currency paidWith providerFee platformFee";

function paymentsOf(book: Book) {
  return book.transactions.map((one) => {
    const netAmount = one.amount - one.providerFee - one.platformFee;
    const times = { createdAt: iso(one.createdAt), paidAt: iso(one.paidAt) };
    return { ...only(one, `id metadata ${PAYMENT}`), paymentMethods: one.methods, netAmount, ...times };
  });
}

function readPayment(one: Loose) {
  const fields = only(one, `paymentMethods netAmount createdAt paidAt ${PAYMENT}`);
  return { id: rawId(one.id), ...fields, metadata: withoutBlocks(one.metadata) };
}

const REFUND = "amount currency status strategy";

function refundsOf(book: Book) {
  return book.refunds.map((one) => ({ ...only(one, `id transaction ${REFUND}`), createdAt: iso(one.createdAt) }));
}

function readRefund(one: Loose): Row {
  return { id: rawId(one.id), transaction: rawId(one.transactionId), ...only(one, `createdAt ${REFUND}`) };
}

const CASE = "type status amount currency";

function casesOf(book: Book) {
  return book.cases.map((one) => only(one, `id transaction outcome appealReason evidence evidenceAsked ${CASE}`));
}

function readCase(one: Loose): Row {
  const { money_outcome: outcome, appeal_reason: appealReason } = one;
  const seen = { evidence: one.evidence_count, evidenceAsked: one.evidence_requested_at !== null };
  return { id: rawId(one.id), transaction: rawId(one.charge_id), outcome, appealReason, ...seen, ...only(one, CASE) };
}

const PAYOUT = "amount currency status";
const payoutsOf = (book: Book) => book.payouts.map((one) => only(one, `id ${PAYOUT}`));
const readPayout = (one: Loose) => ({ id: rawId(one.id), ...only(one, PAYOUT) });

/** An endpoint of the model or of the service. */
const endpointOf = ({ id, url, events, status }: Loose) => ({ id: rawId(id), url, events: [...events].sort(), status });

function deliveryOf({ endpoint, type, subject, status, attempts, lastStatus, nextAt }: Delivery) {
  const next = status === "PENDING" ? iso(nextAt) : null;
  return [subject, type, endpoint, status, attempts, lastStatus, next].join(" ");
}

/** The raw id of what an event is about, whichever family it is of. */
function subjectOf(payload: Loose): string {
  return rawId(payload.data.transactionId ?? payload.data.object.id);
}

function readDelivery(one: Loose) {
  const { endpointId, eventType, status, attempts, lastStatusCode, nextRetryAt, payload } = one;
  const endpoint = endpointId === null ? null : rawId(endpointId);
  const next = status === "PENDING" ? nextRetryAt : null;
  return [subjectOf(payload), eventType, endpoint, status, attempts, lastStatusCode, next].join(" ");
}

/** Events of one instant may be listed in any order of their subjects, those of one subject only in the right one. */
function inOrder(events: readonly { type: string; subject: string; at: string | null }[]): string[] {
  const sorted = [...events].sort((one, other) => byText([one.at, one.subject], [other.at, other.subject]));
  return sorted.map(({ at, subject, type }) => `${at} ${subject} ${type}`);
}

/** The newest events, without those of the oldest instant, of which a page may hold only some. */
function newest(events: { type: string; subject: string; at: string | null }[], total: number) {
  if (total < EVENTS_READ) return inOrder(events);
  const oldest = events.reduce((first, { at }) => (String(at) < first ? String(at) : first), "9");
  return inOrder(events.filter(({ at }) => String(at) > oldest));
}

function eventsOf(book: Book) {
  const told = book.events.map(({ type, subject, at }) => ({ type, subject, at: iso(at) }));
  const page = [...told].sort((one, other) => (String(one.at) < String(other.at) ? -1 : 1)).slice(-EVENTS_READ);
  return newest(page, told.length);
}

function statsOf(book: Book) {
  const paid = book.transactions.filter(({ paidAt }) => paidAt !== null);
  const total = book.transactions.length;
  const sums: Record<string, { volume: number; count: number }> = {};
  const methods: Record<string, { volume: number; count: number }> = {};
  for (const one of paid) {
    for (const [group, name] of [
      [sums, one.currency],
      [methods, one.paidWith ?? ""],
    ] as const) {
      group[name] ??= { volume: 0, count: 0 };
      group[name].volume += one.amount;
      group[name].count += 1;
    }
  }
  const rate = total === 0 ? 0 : Math.round((100 * paid.length) / total);
  return { total, paid: paid.length, rate, sums, methods };
}

function readStats(body: Loose) {
  const sums = Object.fromEntries(
    body.volumeByCurrency.map(({ currency, volume, count }: Loose) => [currency, { volume, count }]),
  );
  const methods = Object.fromEntries(
    body.methodBreakdown.map(({ method, volume, count }: Loose) => [method, { volume, count }]),
  );
  return { total: body.totalTransactions, paid: body.paidTransactions, rate: body.successRate, sums, methods };
}

function countsOf(book: Book) {
  const count = (status: string) => book.deliveries.filter((one) => one.status === status).length;
  const [PENDING, DELIVERED, FAILED, CANCELLED] = ["PENDING", "DELIVERED", "FAILED", "CANCELLED"].map(count);
  return { total: book.deliveries.length, PENDING, PROCESSING: 0, DELIVERED, FAILED, CANCELLED };
}

/** The figures that the service must answer for a book. */
export function expectedFigures(book: Book): Figures {
  return {
    balance: balanceOf(book),
    wallets: balanceOf(book).entries.map(({ currency, available, pending }) => ({ currency, available, pending })),
    payments: paymentsOf(book).sort(byText),
    refunds: refundsOf(book).sort(byText),
    cases: casesOf(book).sort(byText),
    payouts: payoutsOf(book).sort(byText),
    endpoints: book.endpoints.map(endpointOf).sort(byText),
    deliveries: book.deliveries.map(deliveryOf).sort(),
    deliveryCounts: countsOf(book),
    events: eventsOf(book),
    stats: statsOf(book),
    ledger: { ok: true, problems: [] },
  };
}

/** The service refused what the model could read. */
export class ReadFailure extends Error {}

async function read(host: Host, path: string, key: string): Promise<Loose> {
  const reply: Reply | null = await host.ask({ method: "GET", path, key });
  if (reply?.status === 200) return reply.body;
  throw new ReadFailure(`GET ${path} answered ${reply === null ? "nothing" : `${reply.status} ${reply.text}`}`);
}

/** Every row of a list that counts its pages or their rows. */
async function readAll(host: Host, path: string, key: string, next: (rows: number) => string): Promise<Loose[]> {
  const rows: Loose[] = [];
  for (;;) {
    const { data, total } = await read(host, `${path}?limit=100&${next(rows.length)}`, key);
    rows.push(...data);
    if (rows.length >= total || data.length === 0) return rows;
  }
}

/** Every row of a list with a cursor. */
async function readOn(host: Host, path: string, key: string, cursor: string): Promise<Loose[]> {
  const rows: Loose[] = [];
  for (let after = ""; ; ) {
    const page = await read(host, `${path}?limit=100${after}`, key);
    rows.push(...page.data);
    if (!page.has_more) return rows;
    after = `&${cursor}=${page.next_cursor}`;
  }
}

/**
 * An object that the service created by itself, such as a case of a scenario, is `unseen` in the model until its id is read
 * here for the first time.
 */
function nameUnseen(book: Book, own: { id: string; transaction: string }[], rows: readonly Row[]): void {
  const known = new Set(own.map(({ id }) => id));
  for (const one of own.filter(({ id }) => id.startsWith("unseen "))) {
    const found = rows.find(({ id, transaction }) => transaction === one.transaction && !known.has(id));
    if (found === undefined) continue;
    for (const told of [...book.events, ...book.deliveries]) if (told.subject === one.id) told.subject = found.id;
    one.id = found.id;
    known.add(found.id);
  }
}

type Row = { id: string; transaction: string; [name: string]: unknown };

/** The figures that the service answers for a book. The days of the statistics reach back before every run. */
export async function readFigures(host: Host, book: Book, key: string): Promise<Figures> {
  const cases = (await readOn(host, "/v1/med/cases", key, "starting_after")).map(readCase);
  const refunds = (await readOn(host, "/_sandbox/refunds", key, "after")).map(readRefund);
  nameUnseen(book, book.cases, cases);
  nameUnseen(book, book.refunds, refunds);
  const wallets: Loose[] = await read(host, "/v1/wallets", key);
  const wallet = (currency: string) => wallets.find((one) => one.currency === currency);
  const { data: events } = await read(host, `/_sandbox/events?limit=${EVENTS_READ}`, key);
  const { ok, problems } = await read(host, "/_sandbox/ledger/check", key);
  const payments = await readAll(host, "/v1/payments", key, (rows) => `page=${1 + rows / 100}`);
  const deliveries = await readAll(host, "/v1/webhooks/deliveries", key, (rows) => `offset=${rows}`);
  const told = events.map(({ type, subject, created_at }: Loose) => ({
    type,
    subject: rawId(subject),
    at: created_at,
  }));
  return {
    balance: readBalance(await read(host, "/v1/wallets/balance", key)),
    wallets: CURRENCIES.map((currency) => {
      const { balance = 0, pendingBalance = 0 } = wallet(currency) ?? {};
      return { currency, available: balance, pending: pendingBalance };
    }),
    payments: payments.map(readPayment).sort(byText),
    refunds: refunds.sort(byText),
    cases: cases.sort(byText),
    payouts: (await readOn(host, "/_sandbox/payouts", key, "after")).map(readPayout).sort(byText),
    endpoints: (await read(host, "/v1/webhooks/endpoints", key)).data.map(endpointOf).sort(byText),
    deliveries: deliveries.map(readDelivery).sort(),
    deliveryCounts: await read(host, "/v1/webhooks/stats", key),
    // They come newest first.
    events: newest(told.reverse(), told.length),
    stats: readStats(await read(host, "/v1/payments/stats?days=3000", key)),
    ledger: { ok, problems },
  };
}

const STATUSES = [
  ...["WAITING_PAYMENT", "PROCESSING", "PAID", "APPROVED", "REFUSED"],
  ...["CANCELLED", "EXPIRED", "REFUNDED", "CHARGEBACK", "DISPUTE"],
];
const DAY = 86_400_000;
/** The day in São Paulo, three hours behind UTC. */
const dayOf = (at: number) => new Date(at - 3 * 3_600_000).toISOString().slice(0, 10);

/** The first and the last instant of a book and the midnights between them, each with its neighbours. */
function boundsOf(book: Book): number[] {
  const created = book.transactions.map(({ createdAt }) => createdAt);
  const midnights = created.map((at) => Math.floor((at - 3 * 3_600_000) / DAY) * DAY + 3 * 3_600_000);
  const marks = new Set([...created.slice(0, 1), ...created.slice(-1), ...midnights.slice(-2)]);
  return [...marks].flatMap((at) => [at - 1, at, at + 1]);
}

/** How many transactions there are of each status, since and until each bound, and on each day. */
export function expectedTotals(book: Book): Figures {
  const all = book.transactions;
  const count = (...statuses: string[]) => all.filter(({ status }) => statuses.includes(status)).length;
  const days: Record<string, Record<string, number>> = {};
  for (const { createdAt, paidAt, currency, amount } of all) {
    const day = dayOf(createdAt);
    days[day] ??= { created: 0, paid: 0 };
    const figures = days[day];
    figures.created = (figures.created ?? 0) + 1;
    if (paidAt === null) continue;
    figures.paid = (figures.paid ?? 0) + 1;
    figures[currency] = (figures[currency] ?? 0) + amount;
  }
  return {
    statuses: Object.fromEntries(STATUSES.map((status) => [status, count(status)])),
    since: boundsOf(book).map((at) => all.filter(({ createdAt }) => createdAt >= at).length),
    until: boundsOf(book).map((at) => all.filter(({ createdAt }) => createdAt <= at).length),
    days,
    funnel: {
      ...{ created: all.length, pending: count("WAITING_PAYMENT", "PROCESSING") },
      ...{ paid: all.filter(({ paidAt }) => paidAt !== null).length, expired: count("EXPIRED") },
      ...{ failed: count("REFUSED"), cancelled: count("CANCELLED"), refunded: count("REFUNDED") },
      disputed: count("DISPUTE", "CHARGEBACK"),
    },
  };
}

export async function readTotals(host: Host, book: Book, key: string): Promise<Figures> {
  const total = async (query: string) => (await read(host, `/v1/payments?limit=1&${query}`, key)).total;
  const each = async <Given>(given: readonly Given[], query: (one: Given) => string) => {
    const totals: number[] = [];
    for (const one of given) totals.push(await total(query(one)));
    return totals;
  };
  const counts = await each(STATUSES, (status) => `status=${status}`);
  const { daily, funnel } = await read(host, "/v1/payments/metrics?days=3000", key);
  const { conversion: _conversion, ...stages } = funnel;
  const dayed = daily.filter(({ created }: Loose) => created > 0);
  return {
    statuses: Object.fromEntries(STATUSES.map((status, index) => [status, counts[index]])),
    since: await each(boundsOf(book), (at) => `startDate=${iso(at)}`),
    until: await each(boundsOf(book), (at) => `endDate=${iso(at)}`),
    days: Object.fromEntries(
      dayed.map(({ date, created, paid, volumeByCurrency }: Loose) => {
        const volumes = volumeByCurrency.map(({ currency, gross }: Loose) => [currency, gross]);
        return [date, { created, paid, ...Object.fromEntries(volumes) }];
      }),
    ),
    funnel: stages,
  };
}

/** The first differences between two values, each with its place. */
export function differences(expected: unknown, seen: unknown, place = "", found: string[] = []): string[] {
  if (found.length >= 8) return found;
  const areObjects = [expected, seen].every((one) => typeof one === "object" && one !== null);
  if (!areObjects) {
    if (expected !== seen) found.push(`${place}: expected ${JSON.stringify(expected)}, read ${JSON.stringify(seen)}`);
    return found;
  }
  const one = expected as Record<string, unknown>;
  const other = seen as Record<string, unknown>;
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    differences(one[name], other[name], place === "" ? name : `${place}.${name}`, found);
  }
  return found;
}
