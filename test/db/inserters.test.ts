import { describe, expect, it } from "vitest";
import type { Db, SqlValue } from "../../src/db/driver.js";
import { historyStore } from "../../src/features/history/store.js";
import { idempotencyStore } from "../../src/features/idempotency.js";
import { transactionStore } from "../../src/features/transactions/store.js";
import { webhookStore } from "../../src/features/webhooks/store.js";

/** A database that executes nothing, and what it was asked for last. */
function listeningDb() {
  const asked = { sql: "", values: [] as SqlValue[] };
  const prepare = (sql: string) => ({
    run(...values: SqlValue[]) {
      Object.assign(asked, { sql, values });
      return { changes: 1, lastInsertRowid: 1 };
    },
    get: () => undefined,
    all: () => [],
  });
  const db: Db = { prepare, exec: () => undefined, close: () => undefined };
  return { db, asked };
}

/** A row whose every value is the name of its column. */
const names: never = new Proxy({}, { get: (_, column) => column }) as never;

describe("a row whose values are written out", () => {
  it.each<[string, (db: Db) => unknown]>([
    ["transactions", (db) => transactionStore(db).insert(names)],
    ["history", (db) => historyStore(db).insert(names)],
    ["events", (db) => webhookStore(db).insertEvent(names)],
    ["idempotency_keys", (db) => idempotencyStore(db).claim(names)],
  ])("has them in the order of the columns of %s", (table, insert) => {
    const { db, asked } = listeningDb();
    insert(db);
    const [, into, columns = ""] = /^INSERT INTO (\w+) \(([\w,]+)\)/.exec(asked.sql) ?? [];
    expect([into, asked.values]).toEqual([table, columns.split(",")]);
  });
});
