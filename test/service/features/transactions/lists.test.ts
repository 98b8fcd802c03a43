import { beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../../src/base/db/open.js";
import type { ListFilters } from "../../../../src/service/features/transactions/lists.js";
import { transactionStore } from "../../../../src/service/features/transactions/store.js";
import { BOOK, storedPayments } from "../../../support/stored-payments.js";

/** Pages of payments, and how many a list has. */

const COUNT = 12_000;
const HOUR = 3_600_000;
const BEGIN = Date.parse("2031-03-10T00:00:00Z");

/**
 * Twelve payments in each hour, at one instant. A day in São Paulo begins three hours later than in UTC. Payment 40 is the only one
 * by MBWAY, payment 41 the only one that is charged back.
 */
const PAYMENTS = `
  WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1}),
    payment AS (SELECT i, ${BEGIN} + i / 12 * ${HOUR} AS at FROM n)
  INSERT INTO transactions (id, book_id, status, amount, currency, payment_methods, customer_name, customer_tax_id, metadata,
                            expires_in, expires_at, txid, checkout_token, created_at, updated_at, day)
  SELECT printf('%032x', i), ${BOOK}, CASE WHEN i = 41 THEN 'CHARGEBACK' WHEN i % 7 = 0 THEN 'REFUSED' WHEN i % 7 < 4 THEN 'EXPIRED' ELSE 'WAITING_PAYMENT' END,
         1 + i * 7919 % 1000, 'BRL', iif(i = 40, ',PIX,MBWAY,', iif(i % 3, ',PIX,', ',BOLETO,')), CASE WHEN i % 3 THEN char(97 + i % 26) END,
         CASE WHEN i % 2 THEN '529' END, '{}', 3600, at + ${HOUR}, 't', 'k', at, at, (at - 3 * ${HOUR}) / (24 * ${HOUR})
    FROM payment`;

const stored = storedPayments(PAYMENTS);
let database: OpenDatabase;
let store: ReturnType<typeof transactionStore>;
beforeAll(() => {
  database = stored();
  store = transactionStore(database.db);
});

const read = (sql: string) => database.db.prepare(sql).all() as { id: string; total: number }[];
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe("the newest payments", () => {
  it.each([
    [{}, undefined, "1"],
    [{}, ["REFUSED"], "status = 'REFUSED'"],
    [{}, ["REFUSED", "EXPIRED"], "status IN ('REFUSED', 'EXPIRED')"],
    [{}, ["CHARGEBACK", "DISPUTE"], "status = 'CHARGEBACK'"],
    [{}, ["PAID", "REFUNDED"], "0"],
    [{ method: "BOLETO" }, undefined, "payment_methods = ',BOLETO,'"],
    [{ method: "MBWAY" }, undefined, "payment_methods = ',PIX,MBWAY,'"],
    [
      { taxId: "529", method: "PIX" },
      ["EXPIRED"],
      "customer_tax_id = '529' AND status = 'EXPIRED' AND payment_methods LIKE '%PIX%'",
    ],
    [
      { from: BEGIN + 40 * HOUR, to: BEGIN + 60 * HOUR },
      undefined,
      `created_at BETWEEN ${BEGIN + 40 * HOUR} AND ${BEGIN + 60 * HOUR}`,
    ],
  ] as const)(
    "that fit %j and have one of the statuses %j are on its pages, each once",
    (filters, statuses, condition) => {
      const all = read(`SELECT id FROM transactions WHERE ${condition} ORDER BY created_at DESC, seq DESC LIMIT 300`);
      const found: string[] = [];
      let after: number | undefined;
      do {
        const page = store.newest({ book: BOOK, ...filters, after }, statuses, 100);
        found.push(...idsOf(page));
        after = page.length === 100 ? page.at(-1)?.seq : undefined;
      } while (after !== undefined && found.length < all.length);
      expect(found).toEqual(idsOf(all));
    },
  );
});

const CUT = { from: BEGIN + 40 * HOUR, to: BEGIN + 900 * HOUR };

describe("a list in any order", () => {
  it.each([
    ["created_at", "DESC", {}, 11_000],
    ["created_at", "ASC", CUT, 9_000],
    ["customer_name", "ASC", {}, 0],
    ["amount % 10", "DESC", { status: "EXPIRED" }, 20],
    ["amount", "ASC", { ...CUT, status: "REFUSED" }, 900],
  ] as const)("by %s %s of %j has its page at %d", (column, order, filters, offset) => {
    const page = store.listSortedIds({ book: BOOK, ...filters }, { column, order, values: [] }, 20, offset);
    const { from = 0, to = 1e15, status }: Omit<ListFilters, "book"> = filters;
    const condition = `created_at BETWEEN ${from} AND ${to} ${status === undefined ? "" : `AND status = '${status}'`}`;
    const all = read(`SELECT id FROM transactions WHERE ${condition} ORDER BY ${column} ${order}, seq ${order}`);
    expect(page).toEqual(idsOf(all.slice(offset, offset + 20)));
  });
});

describe("the number of payments in a list", () => {
  const MIDNIGHT = BEGIN + 3 * HOUR;
  it.each([
    [undefined, undefined],
    [CUT.from, CUT.to],
    [CUT.from, undefined],
    [undefined, CUT.to],
    [MIDNIGHT, MIDNIGHT + 24 * HOUR - 1],
    [MIDNIGHT, MIDNIGHT],
    [MIDNIGHT + HOUR, MIDNIGHT + 2 * HOUR],
    [CUT.to, CUT.from],
    [BEGIN + COUNT * HOUR, undefined],
  ])("from %s to %s is what its rows are, in any status and in one", (from, to) => {
    for (const status of [undefined, "EXPIRED", "PAID"] as const) {
      const condition = `created_at BETWEEN ${from ?? 0} AND ${to ?? 1e15} ${status === undefined ? "" : `AND status = '${status}'`}`;
      const [counted] = read(`SELECT COUNT(*) AS total FROM transactions WHERE ${condition}`);
      expect([status, store.count({ book: BOOK, from, to, status })]).toEqual([status, counted?.total]);
    }
  });
});

describe("a list by time", () => {
  it.each(["", "AND status = 'EXPIRED'", "AND instr(payment_methods, ',PIX,') > 0", "AND customer_tax_id = '529'"])(
    "sorts nothing: %s",
    (condition) => {
      const plan = database.db
        .prepare(
          `EXPLAIN QUERY PLAN SELECT * FROM transactions WHERE book_id = 1 ${condition} AND (created_at, seq) < (SELECT created_at, seq FROM transactions WHERE seq = 5)
          ORDER BY created_at DESC, seq DESC LIMIT 20`,
        )
        .all() as { detail: string }[];
      const details = plan.map(({ detail }) => detail);
      expect(details[0]).toMatch(
        /^SEARCH transactions USING INDEX transactions_by_\w+ \(book_id=\?.* AND .*created_at/,
      );
      expect(details.join()).not.toMatch(/TEMP B-TREE/);
    },
  );
});
