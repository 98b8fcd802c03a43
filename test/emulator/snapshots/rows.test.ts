import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { MAX_AMOUNT } from "../../../src/base/kernel/money.js";
import { faultOf } from "../../../src/emulator/snapshots/check.js";
import { ROW_RULES } from "../../../src/emulator/snapshots/rows/rules.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";
import { storePayments } from "../../support/stored-charges.js";

/** Rules for every stored value. */

const database = fresh(() => openDatabase(":memory:"));

const all = (sql: string): Loose[] => database.db.prepare(sql).all() as Loose[];

describe("the rules", () => {
  it("are there for every column of every table, and for no other", () => {
    const tables = all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(({ name }) => name);
    const stored = tables.map((table) => [
      table,
      all(`SELECT name FROM pragma_table_xinfo('${table}') ORDER BY name`).map(({ name }) => name),
    ]);
    const ruled = Object.entries(ROW_RULES).map(([table, { columns }]) => [table, Object.keys(columns).sort()]);
    expect(Object.fromEntries(ruled)).toEqual(Object.fromEntries(stored));
  });

  it("find one wrong row among many, wherever it is, and say which column it is in", () => {
    const token = (n: number) => `01999999-0000-7000-8000-${String(n).padStart(12, "0")}`;
    const rows = Array.from({ length: 12_001 }, (_, n) => `('${token(n)}', ${n})`).join();
    database.db.exec(`INSERT INTO revoked_tokens VALUES ${rows}`);
    expect(faultOf(database.db)).toBeNull();
    for (const n of [0, 4_999, 5_000, 12_000]) {
      database.db.exec(`UPDATE revoked_tokens SET expires_at = -1 WHERE jti = '${token(n)}'`);
      expect(faultOf(database.db)).toBe("a row of revoked_tokens has a value in expires_at that qa-pay does not write");
      database.db.exec(`UPDATE revoked_tokens SET expires_at = 1 WHERE jti = '${token(n)}'`);
    }
  });

  it.each([
    ["a text that is no UTF-8", "CAST(x'ff' AS TEXT)"],
    ["a text with a NUL", "'01999999-0000-7000-8000-000000000001' || char(0) || 'x'"],
  ])("find a key that cannot be read, which would hide the rows behind it: %s", (_what, sql) => {
    const rows = Array.from({ length: 4_999 }, (_, n) => `('0199-${String(n).padStart(8, "0")}', 1)`).join();
    database.db.exec(`INSERT INTO revoked_tokens VALUES ${rows}`);
    database.db.exec(`INSERT INTO revoked_tokens VALUES (${sql}, 1)`);
    database.db.exec("INSERT INTO revoked_tokens VALUES (CAST(x'fffe' AS TEXT), 1)");
    expect(faultOf(database.db)).toMatch(/^a row of revoked_tokens has a value in jti/);
  });

  it("let charges that nobody has paid add up to more than is ever shown", async () => {
    const { db, remove } = newFolder();
    try {
      const emulator = await startEmulator({ db });
      await emulator.close();
      await storePayments(db, Array<number>(9_100).fill(MAX_AMOUNT), "PIX");
      const stored = openDatabase(db);
      expect(faultOf(stored.db)).toBeNull();
      stored.close();
    } finally {
      remove();
    }
  });

  it("find a number of a row that JavaScript cannot hold", () => {
    database.db.exec("PRAGMA foreign_keys = OFF");
    const rows = Array.from({ length: 5_000 }, (_, n) => `(${2n ** 53n + 1n + BigInt(2 * n)}, 1, 'x', 'BRL', 1, 1)`);
    const columns = "id, book_id, transaction_id, currency, amount, release_at";
    database.db.exec(`INSERT INTO tranches (${columns}) VALUES ${rows.join()}`);
    expect(faultOf(database.db)).toMatch(/^a row of tranches has a value in id/);
  });
});
