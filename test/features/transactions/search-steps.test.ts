import { beforeAll, expect, it } from "vitest";
import { type LongRead, longReads, readInSteps } from "../../../src/db/long-read.js";
import type { OpenDatabase } from "../../../src/db/open.js";
import { transactionStore } from "../../../src/features/transactions/store.js";
import { realTime } from "../../../src/platform/real-runtime.js";
import { BOOK, storedPayments } from "../../support/stored-payments.js";

/** Pages of payments by what no index has, in a file that has far more payments than a page. */

const COUNT = 30_000;

/** Several payments at each instant, and 5,000 at one. Payment 40 is the only one by MBWAY, payment 41 the only one that is charged back, and 2,000 old ones are cancelled. Two customers have thousands each. */
const PAYMENTS = `
  WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT - 1})
  INSERT INTO transactions (id, book_id, status, amount, currency, payment_methods, customer_tax_id, metadata, expires_in,
                            expires_at, txid, checkout_token, created_at, updated_at, day)
  SELECT printf('%032x', i), ${BOOK}, CASE WHEN i = 41 THEN 'CHARGEBACK' WHEN i BETWEEN 42 AND 2041 THEN 'CANCELLED' WHEN i % 7 = 0 THEN 'REFUSED' WHEN i % 7 < 4 THEN 'APPROVED' ELSE 'EXPIRED' END, 5, iif(i = 40, 'EUR', 'BRL'), iif(i = 40, ',MBWAY,', iif(i % 7 IN (1, 2, 3), ',CREDIT_CARD,', iif(i % 3, ',PIX,', ',BOLETO,'))),
         CASE WHEN i % 2 THEN '529' WHEN i % 7 > 3 THEN '777' END, '{}', 1, 1, 't', 'k', iif(i BETWEEN 10000 AND 15000, 250, i / 40), 0, 0 FROM n`;

const stored = storedPayments(PAYMENTS);
let database: OpenDatabase;
beforeAll(() => {
  database = stored();
});

it.each([
  [{ book: BOOK }, "1", []],
  [{ book: BOOK, statuses: ["REFUSED", "EXPIRED"] }, "status IN ('REFUSED', 'EXPIRED')", []],
  [{ book: BOOK, statuses: ["PAID", "REFUNDED"] }, "0", []],
  [{ book: BOOK, statuses: ["REFUSED", "CANCELLED", "EXPIRED"] }, "status IN ('REFUSED', 'CANCELLED', 'EXPIRED')", []],
  [
    { book: BOOK, statuses: ["REFUSED"], from: 100, to: 700 },
    "status = 'REFUSED' AND created_at BETWEEN 100 AND 700",
    [],
  ],
  // Nothing of the customer has the status, and both have many rows: they are looked through in turns with others.
  [{ book: BOOK, taxId: "777", statuses: ["REFUSED"] }, "0", ["long"]],
  [{ book: BOOK, taxId: "529", statuses: ["CHARGEBACK"] }, "status = 'CHARGEBACK'", []],
  // All of them are older than thousands of others of the customer.
  [{ book: BOOK, taxId: "529", statuses: ["CANCELLED"] }, "customer_tax_id = '529' AND status = 'CANCELLED'", []],
  [
    { book: BOOK, taxId: "529", statuses: ["REFUSED", "APPROVED"], from: 100, to: 700 },
    "customer_tax_id = '529' AND status IN ('REFUSED', 'APPROVED') AND created_at BETWEEN 100 AND 700",
    [],
  ],
  [{ book: BOOK, taxId: "529" }, "customer_tax_id = '529'", []],
] as const)("%j has every payment once, page by page", async (filters, condition, expectedReads) => {
  const store = transactionStore(database.db);
  const reads: string[] = [];
  const long: LongRead = (read) => {
    reads.push("long");
    return longReads(database, realTime)(read);
  };
  const all = database.db
    .prepare(`SELECT seq FROM transactions WHERE ${condition} ORDER BY created_at DESC, seq DESC LIMIT 300`)
    .all() as { seq: number }[];
  const found: number[] = [];
  let last: { readonly seq: number; readonly created_at: number } | undefined;
  do {
    const page = await readInSteps(long, store, transactionStore, (of) => of.searchSteps(filters, last, 100));
    found.push(...page.map(({ seq }) => seq));
    last = page.length === 100 ? page.at(-1) : undefined;
  } while (last !== undefined && found.length < all.length);
  expect(found).toEqual(all.map(({ seq }) => seq));
  expect(reads).toEqual(expectedReads);
});
