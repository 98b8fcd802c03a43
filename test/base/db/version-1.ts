import { hash } from "node:crypto";
import type { Db } from "../../../src/base/db/driver.js";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import { openFile } from "../../support/sqlite.js";

/**
 * A database of version 1 of the schema, written by SQL alone, with something in every table. Later versions of the
 * program must bring it up to date, so it stays as it is.
 */

export const KEY = "qa_test_of-the-first-release";
export const LIVE = "qa_live_of-the-first-release";
export const SECRET = "5".repeat(64);
/** 23:30 of 30 September in São Paulo. */
export const AT = Date.UTC(2026, 9, 1, 2, 30);
const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const NOW = AT + HOUR;
export const id = (n: number) => `01999999-0000-7000-8000-${String(n).padStart(12, "0")}`;

const ACCOUNT = `acc_${id(901)}`;

type Row = Record<string, string | number | null>;

export function insert(db: Db, table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...Object.values(row));
}

function openAccount(db: Db): void {
  insert(db, "settings", { name: "clock", value: JSON.stringify({ offset: 0, frozenAt: NOW }) });
  const account = { name: "Loja Antiga", city: "RECIFE", pix_key: id(900), signing_secret: "6".repeat(64) };
  insert(db, "accounts", { id: ACCOUNT, ...account, created_at: AT });
  for (const [book, mode, key] of [
    [1, "test", KEY],
    [2, "live", LIVE],
  ] as const) {
    insert(db, "books", { id: book, account_id: ACCOUNT, mode });
    const prefix = key.slice(0, 12);
    insert(db, "api_keys", { id: `key_${id(book)}`, book_id: book, hash: hash("sha256", key), prefix, created_at: AT });
  }
}

/** Adds a transaction; `row` is what is special about it. */
function addTransaction(db: Db, n: number, row: Row): void {
  const { created_at = AT } = row;
  insert(db, "transactions", {
    id: id(n),
    book_id: 1,
    currency: "BRL",
    payment_methods: ",PIX,",
    metadata: '{"order":42}',
    expires_in: 7_200,
    expires_at: Number(created_at) + 2 * HOUR,
    txid: String(n).padStart(32, "t"),
    checkout_token: `token-${n}`,
    provider_reference: `prv_${id(n)}`,
    updated_at: created_at,
    day: Math.floor((Number(created_at) - 3 * HOUR) / DAY),
    created_at,
    ...row,
  });
}

/** Adds a move to the history. Returns its `seq`. */
function happened(db: Db, book: number, noun: string, n: number, move: string): { history_seq: number } {
  const { seq } = db.prepare("SELECT COUNT(*) + 1 AS seq FROM history").get() as { seq: number };
  insert(db, "history", { seq, book_id: book, noun, subject: id(n), move, cause: "service", at: AT });
  return { history_seq: seq };
}

function addJournal(db: Db, n: number, book: number, kind: string, entries: Row): void {
  const from = happened(db, book, "transaction", n, "settle");
  insert(db, "ledger_journals", { id: n, book_id: book, kind, reference: id(n), ...from, created_at: AT });
  for (const [bucket, amount] of Object.entries(entries)) {
    insert(db, "ledger_entries", { journal_id: n, book_id: book, currency: "BRL", bucket, amount });
  }
}

function addTransactions(db: Db): void {
  const payer = { payer_name: "Maria", payer_document: "52998224725", paid_with: "PIX" };
  const paid = { status: "PAID", ...payer, paid_at: AT + 1, end_to_end_id: "E99999010202610010230abcdefghijk" };
  addTransaction(db, 1, { amount: 10_000, ...paid, provider_fee: 10, platform_fee: 100, customer_name: "Maria" });
  addJournal(db, 1, 1, "settlement", { world: -10_000, provider_fees: 10, platform_fees: 100, available: 9_890 });
  addTransaction(db, 2, { amount: 5_000, ...paid });
  addJournal(db, 2, 1, "settlement", { world: -5_000, pending: 5_000 });
  const tranche = { id: 7, book_id: 1, transaction_id: id(2), currency: "BRL", amount: 5_000 };
  insert(db, "tranches", { ...tranche, release_at: AT + DAY });
  const due = { payload: "{}", book_id: 1, history_seq: 2 };
  insert(db, "jobs", { due_at: AT + DAY, subject: "7", kind: "wallet.release", ...due });
  addTransaction(db, 3, { amount: 700, status: "WAITING_PAYMENT" });
  const expiry = { ...due, ...happened(db, 1, "transaction", 3, "create") };
  insert(db, "jobs", { due_at: AT + 2 * HOUR, subject: id(3), kind: "transaction.expire", ...expiry });
  // Held for review: what it would be paid with is known, when it was paid is not.
  addTransaction(db, 4, { amount: 300, status: "PROCESSING", held_at: AT, paid_with: "PIX" });
  addJournal(db, 4, 1, "review_hold", { world: -300, review: 300 });
  addTransaction(db, 5, { amount: 400, status: "REFUNDED", return_id: "D99999010202610010230abcdefghijk" });
  const refund = { id: id(50), transaction_id: id(5), amount: 400, currency: "BRL", status: "REFUNDED" };
  const times = { created_at: AT, updated_at: AT };
  insert(db, "refunds", {
    ...refund,
    reason: "payer_document_mismatch",
    end_to_end_id: `D${"9".repeat(31)}`,
    ...times,
  });
  // Half an hour later it is the next day in São Paulo.
  addTransaction(db, 6, { amount: 500, status: "EXPIRED", created_at: AT + HOUR / 2 });
  addTransaction(db, 7, { amount: 123, ...paid, book_id: 2 });
  addJournal(db, 7, 2, "settlement", { world: -123, available: 123 });
}

function addEvents(db: Db, url: string): void {
  const times = { created_at: AT, updated_at: AT };
  const data = JSON.stringify({ id: `ch_${id(3)}`, object: "charge", amount: 700, status: "pending" });
  const event = { seq: 1, id: id(100), book_id: 1, type: "charge.created", subject: id(3), data, created_at: AT };
  insert(db, "events", { ...event, history_seq: 3 });
  const answer = {
    book_id: 1,
    kind: "charge",
    key: "old-key-0001",
    request_hash: "h".repeat(43),
    status: 201,
    event_seq: 1,
  };
  insert(db, "idempotency_keys", { ...answer, created_at: AT });
  const endpoint = { id: id(200), book_id: 1, url, events: ",charge.created,charge.expired," };
  insert(db, "endpoints", {
    seq: 1,
    ...endpoint,
    secret: SECRET,
    status: "ACTIVE",
    origin: "api",
    private: 0,
    ...times,
  });
  const about = { event_seq: 1, event_type: "charge.created", endpoint_seq: 1 };
  const delivery = { book_id: 1, ...about, max_attempts: 15, parked: 0, ...times };
  insert(db, "deliveries", { id: id(300), status: "DELIVERED", attempts: 1, delivered_at: AT, ...delivery });
  insert(db, "deliveries", { id: id(301), status: "PENDING", attempts: 0, next_attempt_at: NOW, ...delivery });
  const sent = { url: "http://127.0.0.1:9/", signature: "t=0,v1=00", user_agent: "qa-pay/0", sent_at: AT };
  const attempt = { delivery_seq: 1, attempt: 1, ...sent, status_code: 204, duration_ms: 3, attempted_at: AT };
  insert(db, "delivery_attempts", { ...attempt, history_seq: 3 });
}

function addPeople(db: Db): void {
  const user = { id: `usr_${id(400)}`, account_id: ACCOUNT, email: "dona@loja.test", name: "Dona", role: "OWNER" };
  insert(db, "users", { ...user, password_hash: `scrypt$2$8$1$${"s".repeat(22)}$${"k".repeat(43)}`, created_at: AT });
  insert(db, "revoked_tokens", { jti: id(402), expires_at: NOW + DAY });
  const act = {
    id: `aud_${id(401)}`,
    account_id: ACCOUNT,
    action: "api_key.issued",
    user_id: `usr_${id(400)}`,
    key_id: `key_${id(1)}`,
  };
  insert(db, "audit", { ...act, fingerprint: hash("sha256", KEY).slice(0, 16), created_at: AT });
}

function addCases(db: Db): void {
  const times = { created_at: AT, updated_at: AT };
  const payout = { id: id(500), book_id: 2, status: "failed", amount: 10, currency: "BRL", failure_reason: "no key" };
  insert(db, "payouts", { ...payout, pix_key: "dona@loja.test", pix_key_type: "EMAIL", ...times });
  for (const span of [1, 32]) {
    const start = Math.floor(20_726 / span) * span;
    for (const [book_id, count] of [
      [1, 2],
      [2, 1],
    ] as const) {
      insert(db, "payment_times", { book_id, span, start, currency: "BRL", seconds: 1, count });
    }
  }
  const medCase = { id: id(600), book_id: 2, transaction_id: id(7), type: "med", status: "closed", amount: 123 };
  const outcome = { method: "scam", held: 123, withdrawn: 1, money_outcome: "refunded_to_merchant", opened_at: AT };
  insert(db, "med_cases", { ...medCase, currency: "BRL", ...outcome, closed_at: AT, ...times });
  const file = { id: id(601), case_id: id(600), file_name: "proof.png", file_size: 3, mime_type: "image/png" };
  insert(db, "med_evidence", { ...file, uploaded_by: "merchant", expires_at: AT + HOUR, created_at: AT });
  const letter = { id: id(602), book_id: 2, kind: "MED opened", recipient: "dona@loja.test", subject: "Caso" };
  insert(db, "emails", {
    ...letter,
    text: "Caso",
    html: "<p>Caso</p>",
    case_id: id(600),
    ...happened(db, 2, "med_case", 600, "create"),
    relayed_at: AT,
    created_at: AT,
  });
}

/** Writes the database; its endpoint is at `url`. */
export function writeVersion1(file: string, url: string): void {
  const db = openFile(file);
  db.exec(`${MIGRATIONS[0]}; PRAGMA application_id = ${0x71706131}; PRAGMA user_version = 1`);
  db.exec("BEGIN");
  openAccount(db);
  addTransactions(db);
  addEvents(db, url);
  addPeople(db);
  addCases(db);
  db.exec("COMMIT");
  db.close();
}
