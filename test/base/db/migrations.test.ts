import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../../src/base/db/driver.js";
import { inspectDatabase } from "../../../src/base/db/inspect.js";
import { MIGRATIONS } from "../../../src/base/db/migrations/index.js";
import { openDatabase } from "../../../src/base/db/open.js";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { writeSample } from "../../support/hostile-database.js";
import { fresh, shared } from "../../support/shared.js";
import { firstOf, openFile } from "../../support/sqlite.js";

/** How a database is brought from one version of the schema to the next. */

const samples = shared(newFolder);
/** A database of today's version, with rows in most tables. */
let sample: string;
beforeAll(async () => {
  sample = join(samples.path, "sample");
  await writeSample(samples.path, sample);
});

const folder = fresh(newFolder);
let file: string;
beforeEach(() => {
  file = folder.db;
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

/** Changes of a later version: a new column and a new table, both filled from the rows that are there. */
const SECOND = `
  ALTER TABLE refunds ADD COLUMN note TEXT NOT NULL DEFAULT '';
  UPDATE refunds SET note = 'of ' || id;
  CREATE TABLE notes (transaction_id TEXT PRIMARY KEY REFERENCES transactions (id), text TEXT NOT NULL) STRICT;
  INSERT INTO notes SELECT id, 'worth ' || amount FROM transactions;`;
/** A migration of one statement, as it stands in the list: without a semicolon. */
const SHORT = "ALTER TABLE refunds ADD COLUMN hint TEXT";
const NEXT = [...MIGRATIONS, SHORT, SECOND];

describe("a database of an older version", () => {
  beforeEach(() => copyFileSync(sample, file));

  it("is brought up to date without losing or changing a row", () => {
    const before = contents();
    expect(before.rows.transactions.length).toBeGreaterThan(2);
    openDatabase(file, NEXT).close();
    expect(contents(before.columns)).toStrictEqual(before);
    expect(versionOf()).toBe(NEXT.length);
    look((all) => {
      expect([all("PRAGMA foreign_key_check"), all("PRAGMA integrity_check")]).toEqual([
        [],
        [{ integrity_check: "ok" }],
      ]);
      const [{ id, amount }] = all("SELECT id, amount FROM transactions LIMIT 1");
      expect(all(`SELECT text FROM notes WHERE transaction_id = '${id}'`)).toEqual([{ text: `worth ${amount}` }]);
      expect(all("SELECT note FROM refunds WHERE note <> 'of ' || id")).toEqual([]);
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

  it("has the same schema as one that is created today", () => {
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
    expect([contents(), schemaOf(), versionOf()]).toStrictEqual([...before, MIGRATIONS.length]);
    openDatabase(file, NEXT).close();
    expect(versionOf()).toBe(NEXT.length);
  });

  it("can be looked into, which leaves it as it is", () => {
    const bytes = readFileSync(file);
    expect(inspectDatabase(file, NEXT)).toMatchObject({
      version: MIGRATIONS.length,
      newest: NEXT.length,
      ledger: null,
    });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });
});

it("a database of a newer version is refused, and stays as it was", () => {
  copyFileSync(sample, file);
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

it("entries of the ledger cannot be changed, and have a bucket and an amount that are known", () => {
  copyFileSync(sample, file);
  look((_, db) => {
    const add = (bucket: string, amount: number) =>
      db.exec(`INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount)
        SELECT journal_id, book_id, currency, '${bucket}', ${amount} FROM ledger_entries LIMIT 1`);
    expect(() => db.exec("UPDATE ledger_entries SET amount = amount + 1")).toThrow(/never edited/);
    expect(() => add("elsewhere", 5)).toThrow(/CHECK/);
    expect(() => add("clearing", 0)).toThrow(/CHECK/);
    add("clearing", 5);
    add("available", -5);
  }, false);
  expectRightFigures();
});
