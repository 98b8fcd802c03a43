import { type Invariant, keptWhileUnchanged, rowsOf, sqlInvariant } from "./invariant.js";

/**
 * Every transition has exactly its events, and there are no other events. The tables are written here a second time, from
 * the contract and not from the code, so that a difference between the two is found.
 */

/** An event, with the parts of its payload that are checked. */
interface Told {
  readonly type: string;
  /** Raw id of the object. */
  readonly subject: string;
  readonly status: string;
  readonly previous: string | null;
  readonly refund_id: string | null;
  readonly refund_status: string | null;
  readonly evidence_requested_at: string | null;
}

const TOLD = `
  SELECT type, subject, json_extract(data, '$.status') AS status, json_extract(data, '$.previousStatus') AS previous,
         SUBSTR(json_extract(data, '$.refund.id'), 4) AS refund_id,
         json_extract(data, '$.refund.status') AS refund_status,
         json_extract(data, '$.evidence_requested_at') AS evidence_requested_at
    FROM events ORDER BY seq`;
const toldIn = keptWhileUnchanged((db) => rowsOf(db, TOLD) as Told[]);

const CREATED = ["charge.created", "payment.created"];
const PAID = ["charge.paid", "payment.completed", "payment.status_changed"];
const FAILED = ["charge.failed", "payment.failed", "payment.status_changed"];
const EXPIRED = ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"];
const RETURNED = ["payment.refunded", "payment.status_changed"];
const DISPUTED = ["payment.failed", "payment.status_changed"];
const QUIET = ["payment.status_changed"];

/** The events of each change of a transaction's status. A change that is missing here must not happen. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  "WAITING_PAYMENT PAID": PAID,
  "WAITING_PAYMENT APPROVED": PAID,
  "WAITING_PAYMENT PROCESSING": QUIET,
  "WAITING_PAYMENT REFUNDED": RETURNED,
  "WAITING_PAYMENT REFUSED": FAILED,
  "WAITING_PAYMENT EXPIRED": EXPIRED,
  "WAITING_PAYMENT CANCELLED": FAILED,
  "PROCESSING PAID": PAID,
  "PROCESSING APPROVED": PAID,
  "PROCESSING REFUNDED": RETURNED,
  "PROCESSING REFUSED": FAILED,
  "PROCESSING EXPIRED": EXPIRED,
  "PROCESSING CANCELLED": FAILED,
  "PAID REFUNDED": RETURNED,
  "PAID DISPUTE": DISPUTED,
  "PAID CHARGEBACK": DISPUTED,
  "APPROVED REFUNDED": RETURNED,
  "APPROVED DISPUTE": DISPUTED,
  "APPROVED CHARGEBACK": DISPUTED,
  "DISPUTE PAID": QUIET,
  "DISPUTE APPROVED": QUIET,
  "CHARGEBACK PAID": QUIET,
  "CHARGEBACK APPROVED": QUIET,
};

const list = (names: readonly string[]) => (names.length === 0 ? "nothing" : names.join(", "));

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

/** A legacy event about a step of a refund that did not change the transaction's status. */
function isStep({ type, status, previous }: Told): boolean {
  return type === "payment.refunded" && status === previous;
}

/** Follows the statuses in the events. Returns the last status, and the errors on the way. */
function followTransaction(told: readonly Told[]): { readonly last: string; readonly wrong: string[] } {
  const wrong: string[] = [];
  const head = told.slice(0, CREATED.length).map(({ type }) => type);
  if (!isSame(head, CREATED)) wrong.push(`begins with ${list(head)}`);
  let status = "WAITING_PAYMENT";
  let block: string[] = [];
  for (const event of told.slice(CREATED.length)) {
    if (isStep(event)) continue;
    block.push(event.type);
    if (event.type !== "payment.status_changed") continue;
    const { previous, status: next } = event;
    if (previous !== status) wrong.push(`went on from ${previous} while it was ${status}`);
    const wanted = CHANGES[`${previous} ${next}`];
    if (wanted === undefined) wrong.push(`went from ${previous} to ${next}`);
    else if (!isSame(block, wanted)) wrong.push(`told ${previous} → ${next} by ${list(block)}`);
    status = next;
    block = [];
  }
  if (block.length > 0) wrong.push(`tells ${list(block)} without a change of its status`);
  return { last: status, wrong };
}

const MED_NEXT: Readonly<Record<string, readonly string[]>> = {
  open: ["open", "appealed", "accepted", "closed"],
  appealed: ["appealed", "rejected", "closed"],
};

const isDecided = (status: string) => !(status in MED_NEXT);

/** The same for a MED case: `med_case.updated` has its status, and `med.resolved` also reports its end. */
function followCase(told: readonly Told[]): { readonly last: string; readonly wrong: string[] } {
  const wrong: string[] = [];
  const [first, ...rest] = told;
  if (first?.type !== "med_case.created") wrong.push(`begins with ${first?.type ?? "nothing"}`);
  let status = "open";
  for (const [index, { type, status: next, evidence_requested_at: requested }] of rest.entries()) {
    if (type === "med.resolved") {
      const before = rest[index - 1];
      if (before?.type !== "med_case.updated" || !isDecided(status)) wrong.push(`was resolved while it was ${status}`);
      continue;
    }
    if (type !== "med_case.updated") wrong.push(`tells ${type}`);
    if (!(MED_NEXT[status] ?? []).includes(next)) wrong.push(`went from ${status} to ${next}`);
    if (next === status && requested === null) wrong.push("was updated without a change");
    status = next;
  }
  const ends = rest.filter(({ type }) => type === "med.resolved").length;
  if (ends !== (isDecided(status) ? 1 : 0)) wrong.push(`was resolved ${ends} times and is ${status}`);
  return { last: status, wrong };
}

const PAYOUT_EVENTS: Readonly<Record<string, readonly string[]>> = {
  pending: [],
  paid: ["payout.paid", "withdrawal.completed", "withdrawal.status_changed"],
  failed: ["payout.failed", "withdrawal.failed", "withdrawal.status_changed"],
};

function grouped<Row>(rows: readonly Row[], by: (row: Row) => string | null): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = by(row);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** An invariant about every row of a query and the events about it. */
function told<Row extends { readonly id: string; readonly status: string }>(
  name: string,
  query: string,
  wrongOf: (row: Row, events: readonly Told[]) => readonly string[],
): Invariant {
  return {
    name,
    breaches(db) {
      const bySubject = grouped(toldIn(db), ({ subject }) => subject);
      const rows = rowsOf(db, query) as Row[];
      return rows.flatMap((row) => wrongOf(row, bySubject.get(row.id) ?? []).map((text) => `${row.id} ${text}`));
    },
  };
}

interface TransactionRow {
  readonly id: string;
  readonly status: string;
  readonly paid_at: number | null;
  /** Cases that held its money, and those of them that gave it back. */
  readonly cases: number;
  readonly won: number;
}

const TRANSACTIONS = `
  SELECT t.id, t.status, t.paid_at,
         (SELECT COUNT(*) FROM med_cases m WHERE m.transaction_id = t.id AND m.held > 0) AS cases,
         (SELECT COUNT(*) FROM med_cases m WHERE m.transaction_id = t.id AND m.held > 0
             AND m.money_outcome = 'refunded_to_merchant') AS won
    FROM transactions t`;

const SETTLED = /^(PAID|APPROVED)$/;
const CONTESTED = /^(DISPUTE|CHARGEBACK)$/;

function wrongOfTransaction(row: TransactionRow, events: readonly Told[]): string[] {
  const { last, wrong } = followTransaction(events);
  const changes = events.filter(({ type }) => type === "payment.status_changed");
  const count = (from: RegExp, to: RegExp) =>
    changes.filter(({ previous, status }) => from.test(previous ?? "") && to.test(status)).length;
  if (last !== row.status) wrong.push(`is ${row.status} and was told to be ${last}`);
  const paid = events.filter(({ type }) => type === "charge.paid").length;
  if (paid !== (row.paid_at === null ? 0 : 1)) wrong.push(`was told to be paid ${paid} times, at ${row.paid_at}`);
  const disputes = count(SETTLED, CONTESTED);
  if (disputes !== row.cases) wrong.push(`was told to be disputed ${disputes} times by ${row.cases} cases`);
  const returns = count(CONTESTED, SETTLED);
  if (returns !== row.won)
    wrong.push(`was told to be settled again ${returns} times by ${row.won} cases that were won`);
  return wrong;
}

const REFUND_STEPS: Readonly<Record<string, readonly string[]>> = {
  PENDING: [],
  IN_PROGRESS: ["IN_PROGRESS"],
  REFUNDED: ["IN_PROGRESS", "REFUNDED"],
  FAILED: ["IN_PROGRESS", "FAILED"],
};

interface RefundRow {
  readonly id: string;
  readonly status: string;
  readonly paid_at: number | null;
}

/** The events of refunds are about their transaction. */
const REFUNDS: Invariant = {
  name: "every step of a refund was told once, in order",
  breaches(db) {
    const steps = grouped(toldIn(db), ({ refund_id }) => refund_id);
    const query = "SELECT r.id, r.status, t.paid_at FROM refunds r JOIN transactions t ON t.id = r.transaction_id";
    const rows = rowsOf(db, query) as RefundRow[];
    const wrong = rows.flatMap(({ id, status, paid_at }) => {
      const found = (steps.get(id) ?? []).map(({ refund_status }) => refund_status ?? "nothing");
      steps.delete(id);
      // Money that was never credited goes back in one step.
      const wanted = paid_at === null ? [status] : (REFUND_STEPS[status] ?? []);
      return isSame(found, wanted) ? [] : [`refund ${id} is ${status} and was told as ${list(found)}`];
    });
    return [...wrong, ...[...steps.keys()].map((id) => `refund ${id} was told and is not there`)];
  },
};

function wrongOfPayout({ status }: { readonly status: string }, events: readonly Told[]): string[] {
  const types = events.map(({ type }) => type);
  const wanted = ["payout.created", "withdrawal.created", ...(PAYOUT_EVENTS[status] ?? [])];
  return isSame(types, wanted) ? [] : [`is ${status} and was told by ${list(types)}`];
}

interface CaseRow {
  readonly id: string;
  readonly status: string;
  readonly appealed_at: number | null;
}

function wrongOfCase({ status, appealed_at }: CaseRow, events: readonly Told[]): string[] {
  const { last, wrong } = followCase(events);
  if (last !== status) wrong.push(`is ${status} and was told to be ${last}`);
  const isTold = events.some((event) => event.status === "appealed");
  if (isTold !== (appealed_at !== null)) wrong.push(`was told to be appealed: ${isTold}, at ${appealed_at}`);
  return wrong;
}

export const EVENT_INVARIANTS: readonly Invariant[] = [
  told("every change of a transaction was told by its own events", TRANSACTIONS, wrongOfTransaction),
  REFUNDS,
  told("every change of a payout was told by its own events", "SELECT id, status FROM payouts", wrongOfPayout),
  told(
    "every change of a case was told by its own events",
    "SELECT id, status, appealed_at FROM med_cases",
    wrongOfCase,
  ),
  sqlInvariant(
    "every event is about something that is there, in its own book",
    `SELECT 'event ' || e.id || ', ' || e.type || ', is about nothing' FROM events e
      WHERE NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = e.subject AND t.book_id = e.book_id)
        AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.id = e.subject AND p.book_id = e.book_id)
        AND NOT EXISTS (SELECT 1 FROM med_cases m WHERE m.id = e.subject AND m.book_id = e.book_id)`,
  ),
  sqlInvariant(
    "every case was announced by one e-mail, and its end by another",
    `SELECT 'case ' || m.id || ' in ' || m.status || ' has the e-mails ' || COALESCE(GROUP_CONCAT(e.kind), 'none')
       FROM med_cases m LEFT JOIN emails e ON e.case_id = m.id GROUP BY m.id
     HAVING SUM(e.kind IS 'MED opened') <> 1 OR SUM(e.kind IS 'MED resolved') <> (m.money_outcome IS NOT NULL)`,
  ),
];
