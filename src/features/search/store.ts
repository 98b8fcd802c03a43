import { type Db, lister } from "../../db/driver.js";
import type { ApiKeyRow } from "../access/store.js";
import type { EmailRow } from "../emails/store.js";
import type { EvidenceRow, MedCaseRow } from "../med/store.js";
import type { PayoutRow } from "../payouts/store.js";
import type { RefundRow } from "../refunds/store.js";
import type { TransactionRow } from "../transactions/store.js";
import type { DeliveryRow, EndpointRow, EventRow } from "../webhooks/store.js";

/**
 * The questions of the search (docs/decisions/046-search.md). Every list is of one book, newest first. Those for exact
 * values read an index; the others read the newest rows.
 */

export type FoundDelivery = Pick<DeliveryRow, "id" | "status" | "created_at"> & Pick<EventRow, "type">;

/** How many payments, newest first, are searched for names, e-mail addresses and metadata. */
export const SEARCHED_PAYMENTS = 20_000;

/**
 * The columns in which a text is looked for. The other columns of a payment are many, and reading them takes longer.
 */
const TEXTS = [
  "seq",
  "created_at",
  "payer_name",
  "customer_name",
  "customer_email",
  "customer_phone",
  "customer_id",
  "metadata",
] as const;
export type TransactionTexts = Pick<TransactionRow, (typeof TEXTS)[number]>;

/** Finds rows by their id or its beginning: `from` up to, and without, `to`. */
function byId<Row>(db: Db, select: string, table: string, book: string) {
  // The plus keeps SQLite from reading the whole book.
  const sql = `${select} WHERE ${table}.id >= ? AND ${table}.id < ? AND +${book} = ? ORDER BY ${table}.id DESC LIMIT ?`;
  return lister<Row>(db, sql);
}

const REFUNDS = "SELECT refunds.* FROM refunds CROSS JOIN transactions t ON t.id = refunds.transaction_id";
const EVIDENCE = "SELECT med_evidence.* FROM med_evidence JOIN med_cases c ON c.id = med_evidence.case_id";
const DELIVERIES = `SELECT deliveries.id, deliveries.status, deliveries.created_at, e.type
  FROM deliveries JOIN events e ON e.seq = deliveries.event_seq`;

function idStatements(db: Db) {
  const own = <Row>(table: string) => byId<Row>(db, `SELECT * FROM ${table}`, table, `${table}.book_id`);
  return {
    transactions: own<TransactionRow>("transactions"),
    refunds: byId<RefundRow>(db, REFUNDS, "refunds", "t.book_id"),
    payouts: own<PayoutRow>("payouts"),
    cases: own<MedCaseRow>("med_cases"),
    evidence: byId<EvidenceRow>(db, EVIDENCE, "med_evidence", "c.book_id"),
    emails: own<EmailRow>("emails"),
    events: own<EventRow>("events"),
    deliveries: byId<FoundDelivery>(db, DELIVERIES, "deliveries", "deliveries.book_id"),
  };
}

/** The parameters of the query are the value of the column, the book and the limit. */
function exactStatements(db: Db) {
  const list = <Row>(select: string, table: string, book: string) => {
    return (column: string) =>
      lister<Row>(db, `${select} WHERE ${table}.${column} = ? AND ${book} = ? ORDER BY ${table}.seq DESC LIMIT ?`);
  };
  const transactions = list<TransactionRow>("SELECT * FROM transactions", "transactions", "book_id");
  /**
   * For a column whose index leaves out the waiting payments. Of these, only the newest are searched, without an index.
   */
  const withWaiting = (column: "txid" | "amount") => {
    const waiting = "status = 'WAITING_PAYMENT'";
    const decided = lister<TransactionRow>(
      db,
      `SELECT * FROM transactions WHERE ${column} = ? AND book_id = ? AND status <> 'WAITING_PAYMENT'
        ORDER BY seq DESC LIMIT ?`,
    );
    const newest = lister<TransactionRow>(
      db,
      `SELECT * FROM (SELECT * FROM transactions WHERE book_id = ? AND ${waiting} ORDER BY created_at DESC, seq DESC
                       LIMIT ${SEARCHED_PAYMENTS})
        WHERE ${column} = ? LIMIT ?`,
    );
    return (value: string | number, book: number, limit: number) => [
      ...decided(value, book, limit),
      ...newest(book, value, limit),
    ];
  };
  const refunds = list<RefundRow>(REFUNDS, "refunds", "t.book_id");
  const payouts = list<PayoutRow>("SELECT * FROM payouts", "payouts", "book_id");
  return {
    transactionsOf: {
      txid: withWaiting("txid"),
      end_to_end_id: transactions("end_to_end_id"),
      return_id: transactions("return_id"),
      customer_tax_id: transactions("customer_tax_id"),
      expected_payer_tax_id: transactions("expected_payer_tax_id"),
      payer_document: transactions("payer_document"),
      amount: withWaiting("amount"),
    },
    refundsOf: { end_to_end_id: refunds("end_to_end_id"), amount: refunds("amount") },
    payoutsOf: {
      end_to_end_id: payouts("end_to_end_id"),
      amount: payouts("amount"),
      pix_key: payouts("pix_key"),
    },
    casesOf: { amount: list<MedCaseRow>("SELECT * FROM med_cases", "med_cases", "book_id")("amount") },
  };
}

/** Rows whose texts are searched. The parameters of the query are the book and the limit. */
function textStatements(db: Db) {
  // In the order of an index of the book: nothing is sorted.
  const newest = <Row>(table: string, order = "seq DESC") =>
    lister<Row>(db, `SELECT * FROM ${table} WHERE book_id = ? ORDER BY ${order} LIMIT ?`);
  const behind = lister<TransactionTexts>(
    db,
    `SELECT ${TEXTS.join()} FROM transactions WHERE book_id = ? AND (created_at, seq) < (?, ?)
      ORDER BY created_at DESC, seq DESC LIMIT ?`,
  );
  const whole = lister<TransactionRow>(db, "SELECT * FROM transactions WHERE seq = ?");
  const keys = lister<ApiKeyRow>(
    db,
    "SELECT * FROM api_keys WHERE book_id = ? AND revoked_at IS NULL ORDER BY created_at DESC, id DESC",
  );
  return {
    recent: (book: number, { created_at, seq }: Pick<TransactionTexts, "created_at" | "seq">, limit: number) =>
      behind(book, created_at, seq, limit),
    transaction: ({ seq }: TransactionTexts) => whole(seq),
    newestPayouts: newest<PayoutRow>("payouts"),
    newestCases: newest<MedCaseRow>("med_cases", "created_at DESC, seq DESC"),
    newestEmails: newest<EmailRow>("emails"),
    endpoints: lister<EndpointRow>(
      db,
      "SELECT * FROM endpoints WHERE book_id = ? AND private = 0 AND deleted_at IS NULL ORDER BY seq DESC",
    ),
    workingKeys: (book: number) => keys(book),
  };
}

export function searchStore(db: Db) {
  return { byId: idStatements(db), ...exactStatements(db), ...textStatements(db) };
}
