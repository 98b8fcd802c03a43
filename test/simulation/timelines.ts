import type { Db, SqlValue } from "../../src/base/db/driver.js";
import { ID_PREFIX } from "../../src/base/kernel/ids.js";
import { columnOf } from "../support/sqlite.js";
import type { Host, Loose } from "./host.js";
import type { Book } from "./model/state.js";

/** Computes the timeline that the service must answer, from the rows of the database and the request log alone. */

interface Row {
  readonly seq: number;
  readonly request: number | null;
  readonly parent: number | null;
  readonly move: string;
  readonly noun: string;
  readonly to_status: string | null;
  readonly cause: string;
}

/** One thing that must be in a timeline. */
interface ReportedChange {
  readonly id: string;
  readonly kind: string;
  /** Its row of the history, and its place among those of its kind. */
  readonly seq: number;
  readonly order: number;
  readonly parent: string | null;
  /** The cause that it must have; null where the cause is another's. */
  readonly cause: string | null;
}

/** The ids of an object and, for a transaction, of its refunds and cases. */
const RELATED = `SELECT @id AS id UNION SELECT id FROM refunds WHERE transaction_id = @id
  UNION SELECT id FROM med_cases WHERE transaction_id = @id`;

const EVENTS = `SELECT * FROM events WHERE subject IN (${RELATED})
  OR (subject = (SELECT transaction_id FROM refunds WHERE id = @id)
      AND json_extract(data, '$.refund.id') = '${ID_PREFIX.refund}' || @id)`;

const DELIVERIES = `SELECT d.*, e.id AS event_id, COALESCE(d.history_seq, e.history_seq) AS cause_seq
  FROM deliveries d JOIN (${EVENTS}) e ON e.seq = d.event_seq`;

const ROWS = `SELECT * FROM history WHERE subject IN (${RELATED})
  OR seq IN (SELECT history_seq FROM (${EVENTS})) OR seq IN (SELECT history_seq FROM (${DELIVERIES})) ORDER BY seq`;

/** Changes of a case that are no moves and yet are reported. */
const REPORTED_CHANGES = ["request_evidence", "add_evidence"];
const isReported = ({ to_status, move }: Row) => to_status !== null || REPORTED_CHANGES.includes(move);

/** A query with the id that it is about in the place of `@id`. */
const about = (sql: string, id: string) => sql.replaceAll("@id", `'${id}'`);

/** Everything but requests that a timeline must show, and its rows of the history. */
function reportedOf(db: Db, raw: string): { told: ReportedChange[]; rows: ReadonlyMap<number, Row> } {
  const all = (sql: string, ...values: SqlValue[]): Loose[] => db.prepare(about(sql, raw)).all(...values);
  const rows = new Map(all(ROWS).map((row: Row) => [row.seq, row]));
  const first = Math.min(...rows.keys());
  function parentOf(row: Row): string | null {
    if (row.request !== null) return `request-${row.request}`;
    return row.parent === null ? null : itemOf(row.parent);
  }
  function itemOf(seq: number): string | null {
    const row = rows.get(seq);
    if (row === undefined) return null;
    return isReported(row) ? `move-${seq}` : parentOf(row);
  }
  const causeOf = (seq: number) => {
    const row = rows.get(seq);
    if (row === undefined) return null;
    return row.request === null ? `due work ${row.cause.replace("work ", "")}` : `request ${row.request}`;
  };
  const from = (seq: number) => ({ seq, parent: itemOf(seq), cause: causeOf(seq) });
  const events = all(EVENTS);
  const deliveries = all(DELIVERIES);
  return {
    rows,
    told: [
      ...[...rows.values()].filter(isReported).map((row) => {
        return { ...from(row.seq), id: `move-${row.seq}`, kind: row.noun, order: 0, parent: parentOf(row) };
      }),
      ...all("SELECT * FROM history WHERE noun = 'clock' AND seq > ?", first).map(({ seq, request }) => {
        return { id: `move-${seq}`, kind: "clock", seq, order: 0, parent: null, cause: `request ${request}` };
      }),
      ...all(`SELECT * FROM ledger_journals WHERE reference IN (${RELATED})`).map(({ id, history_seq }) => {
        return { ...from(history_seq), id: `journal-${id}`, kind: "journal", order: id };
      }),
      ...events.map(({ seq, id, history_seq }) => {
        return { ...from(history_seq), id: ID_PREFIX.event + id, kind: "event", order: seq };
      }),
      ...all(`SELECT * FROM emails WHERE case_id IN (${RELATED})`).map(({ seq, id, history_seq }) => {
        return { ...from(history_seq), id: ID_PREFIX.email + id, kind: "email", order: seq };
      }),
      ...deliveries.map(({ seq, id, event_id, history_seq, cause_seq }) => ({
        ...from(cause_seq),
        ...{ id: ID_PREFIX.delivery + id, kind: "delivery", order: seq },
        ...(history_seq === null ? { parent: ID_PREFIX.event + event_id } : {}),
      })),
      ...deliveries.flatMap(({ seq: delivery, id: deliveryId }) => {
        const id = ID_PREFIX.delivery + deliveryId;
        return all("SELECT * FROM delivery_attempts WHERE delivery_seq = ?", delivery).map((row) => ({
          ...{ id: `${id}#${row.attempt}`, kind: "attempt", seq: row.history_seq, order: row.seq },
          ...{ parent: id, cause: "due work delivery.attempt" },
        }));
      }),
    ],
  };
}

/** True if a route such as `POST /v1/payments/{id}/cancel` is that of a request. */
function isOfRoute({ method, path }: Loose, route: string): boolean {
  const [wanted, pattern = ""] = route.split(" ");
  const asked = String(path).split("?")[0] ?? "";
  return method === wanted && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(asked);
}

/** The requests that a timeline must show: those behind its rows, and those in the log that were about its objects. */
function wrongRequests(
  items: readonly Loose[],
  rows: ReadonlyMap<number, Row>,
  log: readonly Loose[],
  ids: ReadonlySet<string>,
): string[] {
  const isAbout = ({ subject, method, status }: Loose) =>
    ids.has(subject) && (method !== "GET" || status === 0 || status >= 400);
  const behind = [...rows.values()].filter(({ request }) => request !== null);
  const wanted = new Set([...behind.map(({ request }) => request), ...log.filter(isAbout).map(({ number }) => number)]);
  const told = new Map(items.filter(({ kind }) => kind === "request").map((item) => [item.data.number, item]));
  const logged = new Map(log.map((entry) => [entry.number, entry]));
  return [
    ...[...wanted].filter((number) => !told.has(number)).map((number) => `request ${number} is missing`),
    ...[...told.keys()].filter((number) => !wanted.has(number)).map((number) => `request ${number} is another's`),
    ...[...told]
      .filter(([number, { data }]) => data.logged !== logged.has(number))
      .map(([number]) => `request ${number} is not told as the log has it`),
    ...behind.flatMap(({ request, cause }) => {
      const entry = logged.get(request);
      const route = cause.replace(/^\w+ /, "");
      return entry === undefined || isOfRoute(entry, route)
        ? []
        : [`request ${request} was ${route}, not ${entry.path}`];
    }),
  ];
}

/** Breaches of the order within one timeline: each thing after what it came from, in the order of the database. */
function disorder(items: readonly Loose[], told: ReadonlyMap<string, ReportedChange>): string[] {
  const seen = new Set<string>();
  let last: ReportedChange | null = null;
  let at = "";
  const newest = new Map<string, ReportedChange>();
  return items.flatMap((item) => {
    const { id, kind, parent } = item;
    const wrong = [
      ...(seen.has(id) ? [`${id} is there twice`] : []),
      ...(item.cause === "" ? [`${id} has no cause`] : []),
      ...(parent !== null && !seen.has(parent) ? [`${id} comes before its parent ${parent}`] : []),
      ...(item.at < at && item.data.move !== "restore" ? [`${id} is at ${item.at}, after something later`] : []),
    ];
    seen.add(id);
    at = item.at;
    const one = told.get(id);
    if (one === undefined) return wrong;
    const before = newest.get(kind);
    if (last !== null && one.seq < last.seq) wrong.push(`${id} comes after ${last.id}, which happened later`);
    if (before?.seq === one.seq && one.order < before.order)
      wrong.push(`${id} comes after ${before.id}, which is newer`);
    last = one;
    newest.set(kind, one);
    return wrong;
  });
}

const MAY_HAVE_NO_PARENT = ["request", "clock"];

/** Returns the faults of a timeline. `log` is the request log of its account and mode. */
function wrongTimeline(db: Db, log: readonly Loose[], timeline: Loose): string[] {
  const { subject, items } = timeline;
  const raw = String(subject).replace(/^[a-z]+_/, "");
  const { told, rows } = reportedOf(db, raw);
  const wanted = new Map(told.map((one) => [one.id, one]));
  const prefixes = Object.values(ID_PREFIX);
  const related: string[] = columnOf(db, about(RELATED, raw)).map(String);
  const ids = new Set(related.flatMap((id) => prefixes.map((prefix) => prefix + id)));
  const here = new Set(items.map(({ id }: Loose) => id));
  const wrong = items.flatMap((item: Loose) => {
    const { id, kind, parent, cause, data } = item;
    const one = wanted.get(id);
    if (parent === null && !MAY_HAVE_NO_PARENT.includes(kind) && data.move !== "create") return [`${id} has no parent`];
    if (one === undefined) return kind === "request" ? [] : [`${id} is no part of it`];
    return [
      ...(parent === one.parent ? [] : [`${id} came from ${parent}, not from ${one.parent}`]),
      ...(one.cause === null || cause.includes(one.cause) ? [] : [`${id} has the cause ${cause}, not ${one.cause}`]),
    ];
  });
  return [
    ...wrong,
    ...told.filter(({ id }) => !here.has(id)).map(({ id }) => `${id} is missing`),
    ...wrongRequests(items, rows, log, ids),
    ...disorder(items, wanted),
  ].map((text) => `the timeline of ${subject}: ${text}`);
}

async function read(host: Host, path: string, key: string): Promise<Loose> {
  const reply = await host.ask({ method: "GET", path: `/_sandbox${path}`, key });
  if (reply?.status !== 200) throw new Error(`GET ${path}: ${reply?.status} ${reply?.text}`);
  return reply.body;
}

/** Every page of the request log. */
async function logOf(host: Host, key: string): Promise<Loose[]> {
  const rows: Loose[] = [];
  for (let after = ""; ; ) {
    const page = await read(host, `/requests?limit=100${after}`, key);
    rows.push(...page.data);
    if (!page.has_more) return rows;
    after = `&after=${page.next_cursor}`;
  }
}

/** Returns the faults in the timelines of all objects of a book, and in their due work. */
export async function wrongTimelines(db: Db, host: Host, book: Book, key: string): Promise<string[]> {
  const { transactions, refunds, cases, payouts } = book;
  const subjects = Object.entries({ ch: transactions, rf: refunds, med: cases, po: payouts });
  const log = await logOf(host, key);
  const wrong: string[] = [];
  for (const id of subjects.flatMap(([prefix, all]) => all.map((one) => `${prefix}_${one.id}`))) {
    const timeline = await read(host, `/timeline/${id}`, key);
    wrong.push(...wrongTimeline(db, log, timeline));
    const { data } = await read(host, `/clock/due?limit=100&subject=${id}`, key);
    if (JSON.stringify(data) !== JSON.stringify(timeline.due)) wrong.push(`what is due of ${id} is told in two ways`);
  }
  return wrong;
}
