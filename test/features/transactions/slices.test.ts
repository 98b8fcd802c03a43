import fc from "fast-check";
import { expect, it } from "vitest";
import { searcher } from "../../../src/db/driver.js";
import { openDatabase } from "../../../src/db/open.js";
import { SLICE_CONDITIONS, slicer } from "../../../src/features/transactions/slices.js";
import { fresh } from "../../support/shared.js";

/** Long lists in slices. */

const database = fresh(() => openDatabase(":memory:"));

interface Place {
  readonly seq: number;
  readonly created_at: number;
}

/** Payments at these instants, in the order of their numbers. */
function store(instants: readonly number[]): void {
  database.db.exec("DELETE FROM transactions");
  const insert = database.db.prepare(`
    INSERT INTO transactions (id, book_id, status, amount, currency, payment_methods, metadata, expires_in, expires_at, txid,
                              checkout_token, created_at, updated_at, day)
    VALUES (?, 1, iif(? % 3, 'PAID', 'EXPIRED'), 1, 'BRL', ',PIX,', '{}', 1, 1, 't', 'k', ?, 0, 0)`);
  for (const [place, at] of instants.entries()) insert.run(`id-${place}`, place, at);
}

it("the slices of a list have each of its payments once, in order, and none has more than its size", () => {
  database.db.exec("PRAGMA foreign_keys = OFF");
  const bound = fc.option(fc.nat({ max: 12 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 12 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("ASC" as const, "DESC" as const),
      fc.record({ from: bound, to: bound, status: fc.constantFrom(undefined, "PAID" as const) }),
      fc.option(fc.nat({ max: 59 }), { nil: undefined }),
      (instants, size, order, given, behindAt) => {
        store(instants);
        const rows = searcher<Place, keyof typeof SLICE_CONDITIONS>(
          database.db,
          "SELECT seq, created_at FROM transactions",
          SLICE_CONDITIONS,
          `ORDER BY created_at ${order}, seq ${order}`,
        );
        const filters = { book: 1, ...given };
        const all = rows({ book: 1 });
        const behind = behindAt === undefined ? undefined : all[behindAt];
        const isListed = new Set(rows(filters).map(({ seq }) => seq));
        const rest = behind === undefined ? all : all.slice(all.indexOf(behind) + 1);
        const slices = [...slicer(database.db, order, size)(filters, behind)].map((slice) => rows({ ...slice }));
        expect(slices.flat()).toEqual(rest.filter(({ seq }) => isListed.has(seq)));
        expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(size);
      },
    ),
  );
});

it.each([
  [
    ["book", "status", "from", "to"],
    "transactions_by_status (book_id=? AND status=? AND created_at>? AND created_at<?)",
  ],
  [["book", "status", "at", "above"], "transactions_by_status (book_id=? AND status=? AND created_at=? AND rowid>?)"],
  [["book", "from", "to"], "transactions_by_book (book_id=? AND created_at>? AND created_at<?)"],
  [["book", "at", "below"], "transactions_by_book (book_id=? AND created_at=? AND rowid<?)"],
  [
    ["book", "status", "taxId", "from", "to"],
    "transactions_by_customer (book_id=? AND customer_tax_id=? AND created_at>? AND created_at<?)",
  ],
] as const)("a slice by %j reads no other rows than its own", (names, index) => {
  const where = names.map((name) => SLICE_CONDITIONS[name]).join(" AND ");
  const plan = database.db.prepare(`EXPLAIN QUERY PLAN SELECT * FROM transactions WHERE ${where}`);
  expect(plan.all(...names.map(() => 1))).toMatchObject([{ detail: `SEARCH transactions USING INDEX ${index}` }]);
});
