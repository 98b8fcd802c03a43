import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../../src/base/db/driver.js";
import { inspectDatabase } from "../../../src/base/db/inspect.js";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import { openDatabase } from "../../../src/base/db/open.js";
import { balance } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { readPayment } from "../../support/payments.js";
import { postRefund, refundsOf } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";
import { fresh, freshEmulator, sharedReceiver } from "../../support/shared.js";
import { firstOf, openFile } from "../../support/sqlite.js";
import { advance, hmac, settle, signatureParts } from "../../support/webhooks.js";
import { AT, DAY, id, insert, KEY, LIVE, SECRET, writeVersion1 } from "./version-1.js";

/** How a database is brought from one version of the schema to the next. */

const folder = fresh(newFolder);
let file: string;
const receiver = sharedReceiver();
beforeEach(() => {
  file = folder.db;
  receiver.received.length = 0;
});

/**
 * Looks into the file, and lets it go. A connection that may write would remove the log of a server in this process that has
 * another copy of SQLite: neither sees the locks of the other.
 */
function look<Result>(read: (all: (sql: string) => Loose[], db: Db) => Result, readonly = true): Result {
  const db = openFile(file, readonly);
  try {
    return read((sql) => db.prepare(sql).all(), db);
  } finally {
    db.close();
  }
}

const versionOf = () => look((_, db) => firstOf(db, "PRAGMA user_version"));
const schemaOf = () =>
  look((all) => all("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2"));

/** Every row of the given tables in the given columns; without them, of all tables in all columns. */
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

/** What a later version may do: a new column and a new table, both filled from the rows that are there. */
const SECOND = `
  ALTER TABLE payouts ADD COLUMN note TEXT NOT NULL DEFAULT '';
  UPDATE payouts SET note = 'of ' || id;
  CREATE TABLE notes (transaction_id TEXT PRIMARY KEY REFERENCES transactions (id), text TEXT NOT NULL) STRICT;
  INSERT INTO notes SELECT id, 'worth ' || amount FROM transactions;`;
const NEXT = [...MIGRATIONS, SECOND];

describe("a database of an older version", () => {
  beforeEach(() => writeVersion1(file, receiver.url));

  it("is brought up to date without losing or changing a row", () => {
    const before = contents();
    for (const rows of Object.values(before.rows)) expect(rows).not.toHaveLength(0);
    openDatabase(file, NEXT).close();
    expect(contents(before.columns)).toStrictEqual(before);
    expect(versionOf()).toBe(NEXT.length);
    look((all) => {
      expect([all("PRAGMA foreign_key_check"), all("PRAGMA integrity_check")]).toEqual([
        [],
        [{ integrity_check: "ok" }],
      ]);
      expect(all("SELECT note FROM payouts")).toEqual([{ note: `of ${id(500)}` }]);
      expect(all(`SELECT text FROM notes WHERE transaction_id = '${id(3)}'`)).toEqual([{ text: "worth 700" }]);
    });
    expectRightFigures();
    openDatabase(file, NEXT).close();
    expect(contents(before.columns)).toStrictEqual(before);
  });

  it("is said to be of an older version, once", () => {
    const told: string[] = [];
    for (let start = 0; start < 2; start += 1) openDatabase(file, NEXT, (text) => told.push(text)).close();
    expect(told).toEqual([
      expect.stringMatching(/qa\.db \(1 MB\) is of an older version of qa-pay\. It is brought up to date/),
    ]);
    file = join(folder.path, "new.db");
    openDatabase(file, NEXT, (text) => told.push(text)).close();
    expect(told).toHaveLength(1);
  });

  it("has the same schema as one that is made today", () => {
    openDatabase(file, NEXT).close();
    const old = schemaOf();
    file = join(folder.path, "new.db");
    openDatabase(file, NEXT).close();
    expect(old).toEqual(schemaOf());
  });

  it("stays as it was when one of its migrations fails, even after another that did not", () => {
    const before = [contents(), schemaOf()];
    const broken = [...NEXT, "CREATE TABLE later (id TEXT); INSERT INTO nowhere VALUES (1)"];
    expect(() => openDatabase(file, broken)).toThrow(/nowhere/);
    expect([contents(), schemaOf(), versionOf()]).toStrictEqual([...before, 1]);
    openDatabase(file, NEXT).close();
    expect(versionOf()).toBe(NEXT.length);
  });

  it("can be looked into, which leaves it as it is", () => {
    const bytes = readFileSync(file);
    expect(inspectDatabase(file, NEXT)).toMatchObject({
      version: 1,
      newest: NEXT.length,
      ledger: null,
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

it("a database of a newer version is refused, and stays as it was", () => {
  writeVersion1(file, receiver.url);
  openDatabase(file, NEXT).close();
  const before = [contents(), schemaOf()];
  const [newer, known] = [NEXT.length, MIGRATIONS.length];
  expect(() => openDatabase(file)).toThrow(`newer version of qa-pay (schema ${newer}, this one knows ${known})`);
  expect([contents(), schemaOf(), versionOf()]).toStrictEqual([...before, newer]);
});

// Its version counted other migrations: each of these numbers is or will be one of ours too.
it.each([
  [0x71617079, 1],
  [0x71617079, 2],
  [0x71706179, 1],
  [0x71706179, 3],
])(
  "a database from before the first release with the mark %d and the version %d is refused with advice, and stays as it was",
  (mark, version) => {
    const db = openFile(file);
    db.exec(`CREATE TABLE transactions (id TEXT); INSERT INTO transactions VALUES ('old');
      PRAGMA application_id = ${mark}; PRAGMA user_version = ${version}`);
    db.close();
    const before = [contents(), schemaOf()];
    expect(() => openDatabase(file, NEXT)).toThrow(/older than the first release.*Move it away.*--db/);
    expect(() => inspectDatabase(file)).toThrow(/older than the first release/);
    expect([contents(), schemaOf(), versionOf()]).toStrictEqual([...before, version]);
  },
);

it("the ledger of a database of version 1 refuses changes of entries, and accepts entries in clearing", () => {
  writeVersion1(file, receiver.url);
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
  }, false);
});

describe("a service on a database of version 1", () => {
  const emulator = freshEmulator(() => {
    writeVersion1(file, receiver.url);
    return { db: file, testKey: KEY, liveKey: LIVE };
  });

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

  it("counts the payments that were there before", async () => {
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

  it("continues unfinished work: deliveries, expiry, release, review", async () => {
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

  it("refunds a payment that was there before, and keeps balances and figures right", async () => {
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
