import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type LongRead, longReads } from "../../../src/db/long-read.js";
import type { OpenDatabase } from "../../../src/db/open.js";
import { deepPageIds, slicedPageIds } from "../../../src/features/transactions/long-pages.js";
import { type SortedPage, sortedIds } from "../../../src/features/transactions/sorting.js";
import { transactionStore } from "../../../src/features/transactions/store.js";
import type { Reader } from "../../../src/features/tx.js";
import { saoPauloDay } from "../../../src/kernel/time.js";
import { realTime } from "../../../src/platform/real-runtime.js";
import { BOOK, storedPayments } from "../../support/stored-payments.js";

/** Pages of lists that are too long to be read at once. */

const COUNT = 12_000;
const HOUR = 3_600_000;
const BEGIN = Date.parse("2031-03-10T00:00:00Z");
const ALL = { book: BOOK, status: undefined, from: undefined, to: undefined };
/** Cuts the first and the last day. */
const CUT = { ...ALL, from: BEGIN + 40 * HOUR, to: BEGIN + 900 * HOUR };

/** A day in São Paulo begins three hours later than in UTC. */
const PAYMENTS = `
  WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1}),
    payment AS (SELECT i, ${BEGIN} + i / 12 * ${HOUR} AS at FROM n)
  INSERT INTO transactions (id, book_id, status, amount, currency, payment_methods, customer_name, metadata, expires_in,
                            expires_at, txid, checkout_token, created_at, updated_at, day)
  SELECT printf('%032x', i), ${BOOK}, CASE WHEN i % 7 THEN 'EXPIRED' ELSE 'WAITING_PAYMENT' END, 1 + i * 7919 % 1000, 'BRL',
         ',PIX,', CASE WHEN i % 3 THEN char(97 + i % 26) END, '{}', 3600, at + ${HOUR}, 't', 'k', at, at,
         (at - 3 * ${HOUR}) / (24 * ${HOUR})
    FROM payment`;

const stored = storedPayments(PAYMENTS);
let database: OpenDatabase;
let store: ReturnType<typeof transactionStore>;
beforeAll(() => {
  database = stored();
  store = transactionStore(database.db);
});

describe("a page in an order without an index", () => {
  it.each([
    ["customer_name", "ASC", ALL, 0],
    ["customer_name", "DESC", ALL, 60],
    ["amount % 10", "DESC", { ...ALL, status: "WAITING_PAYMENT" }, 20],
    ["amount", "ASC", CUT, 9_000],
  ] as const)("by %s %s is the same when it is read in slices", async (column, order, filters, offset) => {
    const sort = { column, order, values: [] };
    const sliced = await longReads(
      database,
      realTime,
    )((apart, pause) => slicedPageIds(apart, pause, { filters, sort, limit: 20, offset }));
    expect(sliced).toHaveLength(20);
    expect(sliced).toEqual(store.pageIds(filters, sort, 20, offset));
  });

  it("lets others write between its slices, and does not see what they wrote", async () => {
    const sort = { column: "id", order: "DESC", values: [] } as const;
    const written: Promise<void>[] = [];
    const sliced = await longReads(
      database,
      realTime,
    )((apart, pause) => {
      const pauseAndWrite = () => {
        const row = database.db.prepare("UPDATE transactions SET id = 'f' || ? WHERE seq = ?");
        written.push(Promise.resolve().then(() => void row.run(written.length, written.length)));
        return pause();
      };
      return slicedPageIds(apart, pauseAndWrite, { filters: ALL, sort, limit: 20, offset: 0 });
    });
    expect(written.length).toBeGreaterThan(1);
    await Promise.all(written);
    expect(sliced.some((id) => id.startsWith("f"))).toBe(false);
    expect(store.pageIds(ALL, sort, 20, 0).filter((id) => id.startsWith("f"))).toHaveLength(written.length);
  });
});

describe("a page deep in an order without an index", () => {
  const COLUMNS = [
    "customer_name",
    "amount % 10",
    "amount",
    "id",
    "iif(amount % 3, amount / 7.0, customer_name)",
    "NULL",
  ];

  it("is the same when it is searched for between samples, wherever it is", async () => {
    const anyPage = fc.record({
      column: fc.constantFrom(...COLUMNS),
      order: fc.constantFrom("ASC" as const, "DESC" as const),
      filters: fc.constantFrom(ALL, CUT, { ...ALL, status: "EXPIRED" as const }),
      offset: fc.nat({ max: COUNT + 50 }),
      limit: fc.integer({ min: 1, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(anyPage, async ({ column, order, filters, offset, limit }) => {
        const sort = { column, order, values: [] };
        const total = store.count(filters);
        fc.pre(offset < total);
        const place = { limit, offset, total };
        const found = await longReads(
          database,
          realTime,
        )((apart, pause) => deepPageIds(apart, pause, { filters, sort, ...place }));
        expect(found).toEqual(store.pageIds(filters, sort, limit, offset));
      }),
      { numRuns: 30 },
    );
  });
});

describe("a page deep in every second payment", () => {
  // The 8,000 that wait have odd numbers, and a sample takes one of four.
  const halved = storedPayments(PAYMENTS.replace("i % 7", "i % 2").replace(`${COUNT - 1}`, "15999"));

  it("is found, although the payments that match are in step with the sample", async () => {
    const { db } = halved();
    const filters = { ...ALL, status: "WAITING_PAYMENT" as const };
    const sort = { column: "amount", order: "ASC" as const, values: [] };
    const place = { filters, sort, limit: 20, offset: 4_000 };
    const found = await longReads(
      halved(),
      realTime,
    )((apart, pause) => deepPageIds(apart, pause, { ...place, total: 8_000 }));
    expect(found).toEqual(transactionStore(db).pageIds(filters, sort, 20, 4_000));
  });
});

describe("the order of a long list", () => {
  const page = (sortBy: SortedPage["sortBy"], offset = 0) => {
    const reads: string[] = [];
    const long: LongRead = (read) => {
      reads.push("long");
      return longReads(database, realTime)(read);
    };
    const reader = { transactions: store, long, now: BEGIN } as unknown as Reader;
    const ids = sortedIds(reader, ALL, COUNT, { sortBy, sortOrder: "asc", limit: 20, offset });
    return { ids: Promise.resolve(ids), reads };
  };

  it("decides whether the list is a long read, and what is on the page is the same", async () => {
    for (const [sortBy, column, reads] of [
      ["customerName", "customer_name", []],
      ["customerEmail", "customer_email", ["long"]],
      ["amount", "amount", []],
      ["createdAt", "created_at", []],
    ] as const) {
      for (const offset of [0, 480, 481, 11_000]) {
        const answer = page(sortBy, offset);
        const expected = store.pageIds(ALL, { column, order: "ASC", values: [] }, 20, offset);
        expect([sortBy, offset, await answer.ids]).toEqual([sortBy, offset, expected]);
        const isDeep = offset > 10_000 && sortBy !== "createdAt";
        expect([sortBy, offset, answer.reads]).toEqual([sortBy, offset, isDeep ? ["long"] : reads]);
      }
    }
  });
});

describe.each(["amount", "customer_name"] as const)("a page by %s", (column) => {
  it.each(["ASC", "DESC"] as const)("%s has what waits for its payer in its place", (order) => {
    for (const offset of [0, 20, 9_000]) {
      const sort = { column, order, values: [] };
      expect(store.pageByIndex({ book: BOOK, column, order, limit: 20, offset })).toEqual(
        store.pageIds(ALL, sort, 20, offset),
      );
    }
  });

  it("sorts none of the payments that the index has", () => {
    const prepared: string[] = [];
    const watched = {
      ...database.db,
      prepare(sql: string) {
        prepared.push(sql);
        return database.db.prepare(sql);
      },
    };
    transactionStore(watched).pageByIndex({ book: BOOK, column, order: "DESC", limit: 20, offset: 0 });
    const read = database.db.prepare(`EXPLAIN QUERY PLAN ${prepared.at(-1)}`);
    const plan = (read.all(BOOK, 20, BOOK, 20, 20, 0) as { detail: string }[]).map(({ detail }) => detail);
    const place = plan.indexOf(`SEARCH transactions USING INDEX transactions_by_${column} (book_id=?)`);
    expect(plan[place + 1]).toMatch(/^SCAN/);
  });
});

describe("a page deep in the list", () => {
  it.each(["ASC", "DESC"] as const)("%s begins at the day that it is in", (order) => {
    const sort = { column: "created_at", order, values: [] };
    for (const filters of [ALL, CUT, { ...CUT, status: "EXPIRED" as const }]) {
      const total = store.count(filters);
      for (const offset of [0, 1, 287, 5_000, total - 1]) {
        const start = store.startingAt(filters, order, offset);
        expect(start.offset).toBeLessThan(24 * 12);
        expect(store.pageIds(start.filters, sort, 20, start.offset)).toEqual(store.pageIds(filters, sort, 20, offset));
      }
      expect(store.startingAt(filters, order, total).filters).toEqual(filters);
    }
  });

  it("is made on several days", () => {
    expect(saoPauloDay(CUT.to) - saoPauloDay(CUT.from)).toBeGreaterThan(30);
  });
});
