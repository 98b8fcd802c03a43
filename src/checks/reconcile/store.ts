import { type Db, getter, lister, runner } from "../../base/db/driver.js";
import { loadDriver } from "../../base/db/load-driver.js";
import { t } from "../../base/kernel/wording.js";
import type { ChargeStatus } from "../../service/features/transactions/machine.js";
import { InputError } from "./input-error.js";
import type { OrderPayment, PaidTwice, Payment } from "./judge.js";
import type { ShopStatus } from "./names.js";
import { type Order, toPlainId } from "./orders.js";

/**
 * The orders and their payments. SQLite keeps a database without a name in a file that only this process can open, and moves
 * there what does not fit into its memory. So a million orders need no more memory than a thousand.
 */

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -32000;
  CREATE TABLE orders (
    n INTEGER PRIMARY KEY, line INTEGER NOT NULL, id TEXT, plain_id TEXT, ord TEXT, status TEXT NOT NULL, amount
  );
  CREATE TABLE found (
    n INTEGER PRIMARY KEY, row INTEGER, is_own INTEGER NOT NULL,
    id TEXT NOT NULL, status TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL, ord TEXT
  );
  CREATE INDEX found_by_row ON found (row);
  BEGIN`;

const INDEXES = `
  CREATE INDEX orders_by_id ON orders (plain_id) WHERE plain_id IS NOT NULL;
  CREATE INDEX orders_by_order ON orders (ord, status <> 'paid', n) WHERE ord IS NOT NULL`;

/** The orders that have several paid payments, with their first row. */
const TWICE = `
  CREATE TABLE twice AS
    SELECT MIN(orders.n) AS row, orders.ord AS ord FROM found JOIN orders ON orders.n = found.row
    WHERE found.status = 'paid' AND orders.ord IS NOT NULL GROUP BY orders.ord HAVING COUNT(*) > 1;
  CREATE INDEX twice_by_row ON twice (row)`;

interface OrderRow {
  readonly n: number;
  readonly line: number;
  readonly id: string | null;
  readonly ord: string | null;
  readonly status: ShopStatus;
  readonly amount: number | string | null;
}

interface FoundRow {
  readonly n: number;
  readonly row: number;
  readonly is_own: number;
  readonly id: string;
  readonly status: ChargeStatus;
  readonly amount: number;
  readonly currency: string;
  readonly ord: string | null;
}

/** The number of rows that are read at once, and the most payments of one order in a message. */
const AT_ONCE = 500;
const MOST_NAMED = 5;

const toOrder = ({ ord, line, id, status, amount }: OrderRow): Order => ({ line, id, order: ord, status, amount });

function toFound({ id, status, amount, currency, ord, is_own }: FoundRow): OrderPayment {
  return { id, status, amount, currency, order: ord, isOwn: is_own === 1 };
}

/** Yields all rows behind a number, some of them at a time. */
function* inParts<Row extends { readonly n: number }>(next: (after: number, most: number) => Row[]): Generator<Row> {
  for (let last = 0; ; ) {
    const rows = next(last, AT_ONCE);
    yield* rows;
    if (rows.length < AT_ONCE) return;
    last = rows.at(-1)?.n ?? last;
  }
}

export type ReconcileStore = ReturnType<typeof openStore>;

/** Takes the orders, and then the payments of each. */
function createWriter(db: Db) {
  const insert = runner(db, "INSERT INTO orders (line, id, plain_id, ord, status, amount) VALUES (?, ?, ?, ?, ?, ?)");
  const insertFound = runner(
    db,
    "INSERT INTO found (row, is_own, id, status, amount, currency, ord) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const byId = getter<{ n: number }>(db, "SELECT n FROM orders WHERE plain_id = ?");
  const byOrder = getter<{ n: number }>(
    db,
    "SELECT n FROM orders WHERE ord = ? ORDER BY ord, status <> 'paid', n LIMIT 1",
  );
  return {
    add({ line, id, order, status, amount }: Order): void {
      insert(line, id, id === null ? null : toPlainId(id), order, status, amount);
    },
    /** Call it after the last order. Throws InputError for two rows of one id. */
    checkIds(): void {
      db.exec(INDEXES);
      const doubled = getter<{ id: string; first: number; last: number }>(
        db,
        `SELECT plain_id AS id, MIN(line) AS first, MAX(line) AS last FROM orders WHERE plain_id IS NOT NULL
         GROUP BY plain_id HAVING COUNT(*) > 1 ORDER BY last LIMIT 1`,
      )();
      if (doubled === null) return;
      const { id, first, last } = doubled;
      throw new InputError(last, t`The id ${id} appears twice: ${first} has it too.`);
    },
    /** The row that names a payment by its id, else the first one of an order; null for neither. */
    rowOf(id: string, orders: readonly string[]): { readonly row: number; readonly isOwn: boolean } | null {
      const own = byId(toPlainId(id));
      if (own !== null) return { row: own.n, isOwn: true };
      for (const order of orders) {
        const found = byOrder(order);
        if (found !== null) return { row: found.n, isOwn: false };
      }
      return null;
    },
    /** Keeps a payment with its row; null for a paid one in no row. */
    keep({ id, status, amount, currency, order }: Payment, place: { row: number; isOwn: boolean } | null): void {
      insertFound(place?.row ?? null, Number(place?.isOwn ?? false), id, status, amount, currency, order);
    },
  };
}

/** Reads the stored orders and payments. */
function createReader(db: Db) {
  const countOf = (sql: string) => getter<{ count: number }>(db, `SELECT COUNT(*) AS count FROM ${sql}`);
  const isLost = "NOT EXISTS (SELECT 1 FROM found WHERE row = orders.n";
  return {
    /** The orders without a payment until now: their ids, and how many have no id. */
    countLost() {
      const ids = countOf(`orders WHERE plain_id IS NOT NULL AND ${isLost} AND is_own = 1)`)()?.count ?? 0;
      const orders = countOf(`orders WHERE plain_id IS NULL AND ord IS NOT NULL AND ${isLost})`)()?.count ?? 0;
      return { ids, orders };
    },
    listLostIds: (most: number) =>
      lister<{ id: string }>(
        db,
        `SELECT plain_id AS id FROM orders WHERE plain_id IS NOT NULL AND ${isLost} AND is_own = 1) LIMIT ?`,
      )(most).map(({ id }) => id),
    /** All orders with their payments, in the order of the rows. Call it when all payments are kept. */
    *orders(): Generator<{ order: Order; found: OrderPayment[]; twice: PaidTwice | null }> {
      db.exec(TWICE);
      const next = lister<OrderRow>(db, "SELECT * FROM orders WHERE n > ? ORDER BY n LIMIT ?");
      const foundOf = lister<FoundRow>(db, "SELECT * FROM found WHERE row = ? ORDER BY n");
      const twiceOf = getter<{ ord: string }>(db, "SELECT ord FROM twice WHERE row = ?");
      const paidOf = lister<{ id: string }>(
        db,
        `SELECT found.id FROM orders JOIN found ON found.row = orders.n
         WHERE orders.ord = ? AND found.status = 'paid' ORDER BY found.n`,
      );
      for (const row of inParts(next)) {
        const ord = twiceOf(row.n)?.ord;
        const ids = ord === undefined ? [] : paidOf(ord).map(({ id }) => id);
        const named = ids.length > MOST_NAMED ? [...ids.slice(0, MOST_NAMED - 1), ...ids.slice(-1)] : ids;
        const twice = ord === undefined ? null : { count: ids.length, ids: named };
        yield { order: toOrder(row), found: foundOf(row.n).map(toFound), twice };
      }
    },
    /** The paid payments in no row. */
    *unknown(): Generator<Payment> {
      const next = lister<FoundRow>(db, "SELECT * FROM found WHERE row IS NULL AND n > ? ORDER BY n LIMIT ?");
      for (const row of inParts(next)) yield toFound(row);
    },
  };
}

export function openStore() {
  const db = loadDriver().open("");
  db.exec(SCHEMA);
  return { ...createWriter(db), ...createReader(db), close: () => void db.close() };
}
