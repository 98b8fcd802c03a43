import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/db/migrations/index.js";
import { openDatabase } from "../../src/db/open.js";
import { balance } from "../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { readPayment } from "../support/payments.js";
import { type Receiver, startReceiver } from "../support/receiver.js";
import { postRefund, refundsOf } from "../support/refunds.js";
import { expectRefused } from "../support/refusals.js";
import { advance, hmac, settle, signatureParts } from "../support/webhooks.js";

/** A database of the first release, from before refunds, payouts and figures, with something in every table. */

const KEY = "qa_test_of-the-first-release";
const LIVE = "qa_live_of-the-first-release";
const SECRET = "5".repeat(64);
/** 23:30 of 30 September in São Paulo. */
const AT = Date.UTC(2026, 9, 1, 2, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = AT + HOUR;
const id = (n: number) => `01999999-0000-7000-8000-${String(n).padStart(12, "0")}`;

let folder: string;
let file: string;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-migrations-"));
  file = join(folder, "qa.db");
  receiver.received.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

type Row = Record<string, string | number | null>;

function insert(db: Database.Database, table: string, row: Row): void {
  const names = Object.keys(row);
  db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...Object.values(row));
}

function openAccount(db: Database.Database): void {
  insert(db, "settings", { name: "clock", value: JSON.stringify({ offset: 0, frozenAt: NOW }) });
  const account = { name: "Loja Antiga", city: "RECIFE", pix_key: id(900), signing_secret: "6".repeat(64) };
  insert(db, "accounts", { id: "acc_old", ...account, created_at: AT });
  for (const [book, mode, key] of [
    [1, "test", KEY],
    [2, "live", LIVE],
  ] as const) {
    insert(db, "books", { id: book, account_id: "acc_old", mode });
    const prefix = key.slice(0, 12);
    insert(db, "api_keys", { id: `key_${mode}`, book_id: book, hash: hash("sha256", key), prefix, created_at: AT });
  }
}

/** Puts a transaction of the first release there; `row` is what is special about it. */
function addTransaction(db: Database.Database, n: number, row: Row): void {
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
    created_at,
    ...row,
  });
}

function addJournal(db: Database.Database, n: number, book: number, kind: string, entries: Row): void {
  insert(db, "ledger_journals", { id: n, book_id: book, kind, reference: id(n), created_at: AT });
  for (const [bucket, amount] of Object.entries(entries)) {
    insert(db, "ledger_entries", { journal_id: n, book_id: book, currency: "BRL", bucket, amount });
  }
}

function addTransactions(db: Database.Database): void {
  const payer = { payer_name: "Maria", payer_document: "52998224725", paid_with: "PIX" };
  const paid = { status: "PAID", ...payer, paid_at: AT + 1, end_to_end_id: "E99999010202610010230abcdefghijk" };
  addTransaction(db, 1, { amount: 10_000, ...paid, provider_fee: 10, platform_fee: 100, customer_name: "Maria" });
  addJournal(db, 1, 1, "settlement", { world: -10_000, provider_fees: 10, platform_fees: 100, available: 9_890 });
  addTransaction(db, 2, { amount: 5_000, ...paid });
  addJournal(db, 2, 1, "settlement", { world: -5_000, pending: 5_000 });
  const tranche = { id: 7, book_id: 1, transaction_id: id(2), currency: "BRL", amount: 5_000 };
  insert(db, "tranches", { ...tranche, release_at: AT + DAY });
  insert(db, "jobs", { due_at: AT + DAY, subject: "7", kind: "wallet.release", payload: "{}" });
  addTransaction(db, 3, { amount: 700, status: "WAITING_PAYMENT" });
  insert(db, "jobs", { due_at: AT + 2 * HOUR, subject: id(3), kind: "transaction.expire", payload: "{}" });
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

function addEvents(db: Database.Database): void {
  const times = { created_at: AT, updated_at: AT };
  const data = JSON.stringify({ id: `ch_${id(3)}`, object: "charge", amount: 700, status: "pending" });
  const event = { seq: 1, id: id(100), book_id: 1, type: "charge.created", subject: id(3), data, created_at: AT };
  insert(db, "events", event);
  const answer = { book_id: 1, kind: "charge", key: "old-key-0001", request_hash: "h", status: 201, event_seq: 1 };
  insert(db, "idempotency_keys", { ...answer, created_at: AT });
  const endpoint = { id: id(200), book_id: 1, url: receiver.url, events: ",charge.created,charge.expired," };
  insert(db, "endpoints", { seq: 1, ...endpoint, secret: SECRET, status: "ACTIVE", origin: "api", ...times });
  const delivery = { book_id: 1, event_seq: 1, endpoint_seq: 1, max_attempts: 15, ...times };
  insert(db, "deliveries", { id: id(300), status: "DELIVERED", attempts: 1, delivered_at: AT, ...delivery });
  insert(db, "deliveries", { id: id(301), status: "PENDING", attempts: 0, next_attempt_at: NOW, ...delivery });
  const attempt = { delivery_seq: 1, attempt: 1, status_code: 204, duration_ms: 3, attempted_at: AT };
  insert(db, "delivery_attempts", attempt);
}

/** Writes the database of the first release; `more` adds to it. */
function firstRelease(more: (db: Database.Database) => void = () => undefined): void {
  const db = new Database(file);
  db.exec(`${MIGRATIONS[0]}; PRAGMA application_id = ${0x71617079}; PRAGMA user_version = 1`);
  db.transaction(() => {
    openAccount(db);
    addTransactions(db);
    addEvents(db);
    more(db);
  })();
  db.close();
}

/** Looks into the file, and lets it go. */
function look<Result>(read: (all: (sql: string) => Loose[], db: Database.Database) => Result): Result {
  const db = new Database(file);
  try {
    return read((sql) => db.prepare(sql).all(), db);
  } finally {
    db.close();
  }
}

/** Every row of every table that the first release has, in the columns that it has. */
function contents(columns?: Record<string, string[]>): { columns: Record<string, string[]>; rows: Loose } {
  return look((all) => {
    const tables = all("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    const known =
      columns ??
      Object.fromEntries(
        tables.map(({ name }) => [name, all(`PRAGMA table_info(${name})`).map((column) => column.name)]),
      );
    const rows = Object.entries(known).map(([name, names]) => [name, all(`SELECT ${names} FROM ${name} ORDER BY 1`)]);
    return { columns: known, rows: Object.fromEntries(rows) };
  });
}

const FIGURES = "book_id, day, status, currency, method, count, gross, fees, refunded";
const COUNTED = `
  SELECT book_id, day, status, currency, CASE WHEN paid_at IS NULL THEN '' ELSE paid_with END AS method,
         COUNT(*) AS count, SUM(amount) AS gross, SUM(provider_fee + platform_fee) AS fees,
         SUM(refunded_amount) AS refunded
    FROM transactions GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`;

function expectRightFigures(): void {
  look((all) => {
    const kept = all(`SELECT ${FIGURES} FROM daily_figures WHERE count <> 0 ORDER BY 1, 2, 3, 4, 5`);
    expect(kept).toEqual(all(COUNTED));
    const balances = all("SELECT * FROM ledger_balances ORDER BY 1, 2, 3");
    const sums = "SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY 1, 2, 3";
    expect(balances).toEqual(all(`${sums} ORDER BY 1, 2, 3`));
  });
}

describe("2.2 a database of the first release", () => {
  it("is brought up to date without losing or changing a row", () => {
    firstRelease();
    const before = contents();
    for (const rows of Object.values(before.rows)) expect(rows).not.toHaveLength(0);
    openDatabase(file).close();
    expect(contents(before.columns)).toStrictEqual(before);
    look((all, db) => {
      expect(db.pragma("user_version", { simple: true })).toBe(MIGRATIONS.length);
      expect([all("PRAGMA foreign_key_check"), all("PRAGMA integrity_check")]).toEqual([
        [],
        [{ integrity_check: "ok" }],
      ]);
      expect(all("SELECT name FROM sqlite_master WHERE name LIKE '%with_clearing%'")).toEqual([]);
    });
    expectRightFigures();
    openDatabase(file).close();
    expect(contents(before.columns)).toStrictEqual(before);
  });

  it("has the same schema as one that is made today", () => {
    firstRelease();
    openDatabase(file).close();
    const schema = () =>
      look((all) => all("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2"));
    const old = schema();
    file = join(folder, "new.db");
    openDatabase(file).close();
    expect(old).toEqual(schema());
  });

  it("counts a transaction on its day in São Paulo", () => {
    firstRelease();
    openDatabase(file).close();
    const days = look((all) =>
      all("SELECT date(day * 86400, 'unixepoch') AS day, COUNT(*) AS n FROM transactions GROUP BY 1"),
    );
    expect(days).toEqual([
      { day: "2026-09-30", n: 6 },
      { day: "2026-10-01", n: 1 },
    ]);
  });

  it("still refuses to have its ledger edited, and takes what is on its way out", () => {
    firstRelease();
    openDatabase(file).close();
    look((all, db) => {
      expect(() => db.exec("UPDATE ledger_entries SET amount = amount + 1")).toThrow(/never edited/);
      const entry = { journal_id: 1, book_id: 1, currency: "BRL", amount: 5 };
      insert(db, "ledger_entries", { ...entry, bucket: "clearing" });
      insert(db, "ledger_entries", { ...entry, bucket: "available", amount: -5 });
      expect(() => insert(db, "ledger_entries", { ...entry, bucket: "elsewhere" })).toThrow(/CHECK/);
      expect(() => insert(db, "ledger_entries", { ...entry, bucket: "clearing", amount: 0 })).toThrow(/CHECK/);
      const found = all(
        "SELECT bucket, balance FROM ledger_balances WHERE book_id = 1 AND bucket IN ('available', 'clearing')",
      );
      expect(found).toEqual([
        { bucket: "available", balance: 9_885 },
        { bucket: "clearing", balance: 5 },
      ]);
    });
  });

  it("stays as it was when it cannot be brought up to date", () => {
    firstRelease((db) => db.exec("CREATE TABLE payouts (mine TEXT); INSERT INTO payouts VALUES ('kept')"));
    const before = contents();
    expect(() => openDatabase(file)).toThrow(/payouts/);
    expect(contents(before.columns)).toStrictEqual(before);
    expect(look((_, db) => db.pragma("user_version", { simple: true }))).toBe(1);
  });
});

describe("2.2 a service on a database of the first release", () => {
  let emulator: TestEmulator;
  beforeEach(async () => {
    firstRelease();
    emulator = await startEmulator({ db: file, testKey: KEY, liveKey: LIVE });
  });
  afterEach(() => emulator.close());

  it("knows its keys, balances and transactions", async () => {
    expect(await balance(emulator)).toMatchObject({
      available: 9_890,
      pending: 5_000,
      total: 14_890,
      next_release_at: new Date(AT + DAY).toISOString(),
      next_release_amount: 5_000,
    });
    expect((await balance(emulator, LIVE)).available).toBe(123);
    expect(await readPayment(emulator, id(1))).toMatchObject({
      status: "PAID",
      netAmount: 9_890,
      customerName: "Maria",
    });
    expect((await emulator.call("GET", `/v1/charges/ch_${id(3)}`)).body.metadata).toEqual({ order: 42 });
    expect(await refundsOf(emulator, id(5))).toMatchObject([{ id: `rf_${id(50)}`, amount: 400, status: "REFUNDED" }]);
  });

  it("4.8 counts what was there before", async () => {
    const { body: list } = await emulator.call("GET", "/v1/payments?endDate=2026-10-01T02:30:00Z");
    expect([list.total, list.data.length]).toEqual([5, 5]);
    expect((await emulator.call("GET", "/v1/payments?status=PAID")).body.total).toBe(2);
    const { body: stats } = await emulator.call("GET", "/v1/payments/stats");
    expect(stats).toMatchObject({
      totalTransactions: 6,
      paidTransactions: 2,
      todayTransactions: 1,
      volumeByCurrency: [{ currency: "BRL", volume: 15_000, count: 2 }],
      methodBreakdown: [{ method: "PIX", volume: 15_000, count: 2 }],
    });
  });

  it("3.1 goes on with what was under way: deliveries, expiry, release, review", async () => {
    await settle(emulator);
    const [sent] = receiver.received;
    const { t, v1 } = signatureParts(sent?.headers["x-qa-signature"]);
    expect([sent?.headers["x-qa-delivery-id"], v1]).toEqual([`wd_${id(301)}`, hmac(SECRET, `${t}.${sent?.raw}`)]);
    await emulator.sandbox(`/charges/${id(4)}/review`, { decision: "approve" });
    await advance(emulator, DAY / 1_000);
    expect((await readPayment(emulator, id(3))).status).toBe("EXPIRED");
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.created", "charge.expired"]);
    expect(await balance(emulator)).toMatchObject({ available: 9_890 + 5_000 + 300, pending: 0 });
    expectRightFigures();
  });

  it("4.9 refunds a payment from before, and keeps balances and figures right", async () => {
    expect((await postRefund(emulator, id(1), { strategy: "devolution", amount: 4_000 })).status).toBe(201);
    expect((await postRefund(emulator, id(1))).body.amount).toBe(6_000);
    expect((await balance(emulator)).available).toBe(-110);
    expectRightFigures();
    await advance(emulator, 4);
    expect((await readPayment(emulator, id(1))).status).toBe("REFUNDED");
    expect((await balance(emulator)).available).toBe(-110);
    expectRefused(await postRefund(emulator, id(5)), "invalid_request");
    const charge = await emulator.charge({ amount: 1_000 });
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await emulator.sandbox("/payouts", { amount: 90 });
    expect((await balance(emulator)).available).toBe(800);
    expectRightFigures();
  });
});
