import fc from "fast-check";
import type { Db } from "../../src/base/db/driver.js";
import { createStores } from "../../src/service/features/stores.js";
import { BUCKETS } from "../../src/service/features/wallets/entries.js";

/** Faults in the money of a database, as another program may make them, and what the two parts of the check say about them. */

const BOOK = 1;
const MOST = 1_000;

/** Stands for a number in the SQL of a fault. */
const PLACE = ":place";
const any = (table: string, column: string) => `(SELECT ${column} FROM ${table} WHERE ${rowOf(table, PLACE)})`;
const text = (value: string) => `'${value}'`;

/** For each table of money, its columns with values that somebody may write there. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  ledger_entries: {
    amount: ["amount + 1", "-amount", "amount * 2"],
    currency: [text("EUR"), text("BRL")],
    bucket: BUCKETS.map(text),
    book_id: ["2"],
    journal_id: [any("ledger_journals", "id"), "-5", "1000000"],
  },
  ledger_journals: {
    reference: [
      any("transactions", "id"),
      any("refunds", "id"),
      any("payouts", "id"),
      any("med_cases", "id"),
      text("lost"),
    ],
    book_id: ["2"],
    id: ["id + 1000000", "-id"],
  },
  transactions: {
    amount: ["amount + 1"],
    provider_fee: ["provider_fee + 1"],
    platform_fee: ["0"],
    paid_at: ["NULL", "1"],
    held_at: ["NULL", "1"],
    status: [text("PROCESSING"), text("PAID")],
    refunded_amount: ["0", "7", "amount"],
    currency: [text("EUR")],
    book_id: ["2"],
    id: [any("refunds", "id"), any("payouts", "id"), text("lost")],
  },
  refunds: {
    amount: ["amount + 1"],
    fee: ["fee + 1"],
    status: [text("FAILED"), text("REFUNDED"), text("PENDING")],
    transaction_id: [any("transactions", "id"), text("lost")],
    id: [any("med_cases", "id"), text("lost")],
  },
  payouts: { amount: ["amount + 1"], status: [text("failed"), text("pending"), text("paid")], book_id: ["2"] },
  med_cases: { held: ["0", "held + 1"], money_outcome: ["NULL", text("lost"), text("refunded_to_merchant")] },
};

const TABLES = Object.keys(CHANGES);

function rowOf(table: string, place: number | string): string {
  return `rowid = (SELECT rowid FROM ${table} LIMIT 1 OFFSET ${place} % (SELECT COUNT(*) FROM ${table}))`;
}

const changes = TABLES.flatMap((table) =>
  Object.entries(CHANGES[table] ?? {}).flatMap(([column, values]) =>
    values.map(
      (value) => (place: number) => `UPDATE OR IGNORE ${table} SET ${column} = ${value} WHERE ${rowOf(table, place)}`,
    ),
  ),
);
const removals = TABLES.map((table) => (place: number) => `DELETE FROM ${table} WHERE ${rowOf(table, place)}`);
const additions = [
  (place: number) =>
    `INSERT INTO ledger_journals SELECT NULL, book_id, kind, reference, history_seq, created_at FROM ledger_journals
      WHERE ${rowOf("ledger_journals", place)}`,
  (place: number) =>
    `INSERT INTO ledger_entries SELECT NULL, journal_id, book_id, currency, bucket, amount FROM ledger_entries
      WHERE ${rowOf("ledger_entries", place)}`,
];

/** SQL that makes one fault, or none when the row is as it says already. */
export const anyLedgerFault = fc
  .tuple(fc.constantFrom(...changes, ...removals, ...additions), fc.nat({ max: 200 }), fc.nat({ max: 200 }))
  .map(([fault, place, other]) => fault(place).replaceAll(PLACE, String(other)));

/** What the passes over a ledger say of the sums of its entries (null: something is odd), these sums, and the rows that are odd. */
export function judgeLedger(database: Db) {
  const db = database as unknown as Db;
  const queries = createStores(db).ledger;
  const { entrySums: passes } = queries.overview(BOOK);
  const sums = queries.entrySums(BOOK);
  const odd = [
    ...queries.brokenJournals(BOOK, MOST),
    ...queries.strayJournals(BOOK, MOST),
    ...queries.strayEntries(BOOK, MOST),
    ...queries.differingObjects(BOOK, MOST).flat(),
    ...queries.refundedAmounts(BOOK, MOST),
  ];
  const currencies = new Set([...sums.currencies(), ...(passes?.currencies() ?? [])]);
  const told = (of: typeof sums) =>
    [...currencies].flatMap((currency) => BUCKETS.map((bucket) => [currency, bucket, of.of(currency, bucket)]));
  return { passes: passes === null ? null : told(passes), sums: told(sums), odd };
}
