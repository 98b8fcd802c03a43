import { beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/base/db/open.js";
import { createStores } from "../../../../src/service/features/stores.js";
import { fresh } from "../../../support/shared.js";

/** The queries that name what does not add up. */

const JOURNALS = 25_000;
const BOOK = 1;

const database = fresh(() => openDatabase(":memory:"));
beforeEach(() => {
  database.db.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT INTO ledger_journals (id, book_id, kind, reference, history_seq, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${JOURNALS})
      SELECT i, ${BOOK}, 'settlement', 'nothing', 0, 0 FROM n;
    INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount)
      SELECT id, ${BOOK}, 'BRL', 'world', -5 FROM ledger_journals;
    INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount)
      SELECT id, ${BOOK}, 'BRL', 'available', CASE WHEN id IN (3, 12000, 24999) THEN 6 ELSE 5 END FROM ledger_journals`);
});

describe("a check of many journals", () => {
  it("finds the broken ones wherever they are", () => {
    const broken = createStores(database.db).ledger.brokenJournals(BOOK, 20);
    expect(broken.map(({ id, sum, total }) => [id, Number(sum), total])).toEqual([
      [3, 1, 3],
      [12_000, 1, 3],
      [24_999, 1, 3],
    ]);
  });

  it("names only the first, and counts all", () => {
    const broken = createStores(database.db).ledger.brokenJournals(BOOK, 2);
    expect(broken.map(({ id, total }) => [id, total])).toEqual([
      [3, 3],
      [12_000, 3],
    ]);
    const stray = createStores(database.db).ledger.strayJournals(BOOK, 2);
    expect(stray.map(({ id, total }) => [id, total])).toEqual([
      [1, JOURNALS],
      [2, JOURNALS],
    ]);
  });

  it("takes in what another program has written under the largest numbers", () => {
    database.db.exec("UPDATE ledger_journals SET id = 9223372036854775000 WHERE id = 24999");
    const broken = createStores(database.db).ledger.brokenJournals(BOOK, 20);
    expect(broken.map(({ id }) => id > Number.MAX_SAFE_INTEGER)).toEqual([false, false, true]);
  });

  it("adds up every entry", () => {
    const sums = createStores(database.db).ledger.entrySums(BOOK);
    expect(["world", "available"].map((bucket) => sums.of("BRL", bucket))).toEqual([
      BigInt(-5 * JOURNALS),
      BigInt(5 * JOURNALS + 3),
    ]);
  });
});
