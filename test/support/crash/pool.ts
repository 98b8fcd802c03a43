import type Database from "better-sqlite3";
import { HOOK_NAME } from "./image.js";

/** An object that clients may act on. */
export interface Target {
  readonly object: string;
  /** The id for the API. */
  readonly id: string;
  readonly key: string;
}

export interface Payment extends Target {
  readonly amount: number;
  readonly methods: readonly string[];
}

export interface Ticket extends Target {
  readonly caseId: string;
  readonly size: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Book = "test" | "live";

interface Stored {
  readonly object: string;
  readonly id: string;
  readonly mode: Book;
}

const OWN = `JOIN books b ON b.id = book_id JOIN accounts o ON o.id = b.account_id AND o.name NOT LIKE 'crash-%'`;
const PAYMENTS = `SELECT 'transaction ' || json_extract(metadata, '$.key') AS object, t.id, b.mode, amount,
  payment_methods AS methods FROM transactions t ${OWN} ORDER BY t.seq DESC`;
const REFUNDS = `SELECT 'refund ' || r.reason AS object, 'rf_' || r.id AS id, b.mode FROM refunds r
  JOIN transactions t ON t.id = r.transaction_id ${OWN} WHERE r.reason LIKE 'crash-%' ORDER BY r.seq DESC`;
const PAYOUTS = `SELECT 'payout ' || SUBSTR(p.pix_key, 1, INSTR(p.pix_key, '@') - 1) AS object, 'po_' || p.id AS id, b.mode
  FROM payouts p ${OWN} ORDER BY p.seq DESC`;
const CASES = `SELECT 'case ' || reason AS object, 'med_' || m.id AS id, b.mode FROM med_cases m ${OWN}
  WHERE reason LIKE 'crash-%' ORDER BY m.seq DESC`;
const ENDPOINTS = `SELECT 'endpoint ' || ${HOOK_NAME} AS object, 'we_' || e.id AS id, b.mode FROM endpoints e ${OWN}
  WHERE private = 0 AND origin = 'api' AND deleted_at IS NULL ORDER BY e.seq DESC`;
const KEYS = `SELECT 'key ' || label AS object, k.id, b.mode FROM api_keys k ${OWN}
  WHERE label LIKE 'crash-%' AND revoked_at IS NULL ORDER BY k.id DESC`;

/** The most objects of each kind. */
const KEPT = 30;

/** The objects for the clients. Only the newest of each kind are kept, so that each gets many actions. */
export class Pool {
  readonly payments: Payment[] = [];
  readonly refunds: Target[] = [];
  readonly payouts: Target[] = [];
  readonly cases: Target[] = [];
  readonly tickets: Ticket[] = [];
  readonly endpoints: Target[] = [];
  /** `key` is the API key itself. */
  readonly issued: Target[] = [];
  /** `id` is the token. */
  readonly sessions: Target[] = [];

  add<Item>(list: Item[], item: Item): void {
    list.push(item);
    if (list.length > KEPT) list.shift();
  }

  /** Removes the objects after all contents were replaced. */
  clear(): void {
    for (const list of Object.values(this) as unknown[][]) list.splice(0);
  }

  remove<Item>(list: Item[], item: Item): void {
    const index = list.indexOf(item);
    if (index >= 0) list.splice(index, 1);
  }

  /** The same that is there now: the newest of the first account. */
  refill(
    db: Database.Database,
    { test, live }: Readonly<Record<Book, string>>,
    keys: ReadonlyMap<string, string>,
  ): void {
    this.clear();
    const rows = <Row>(query: string) => db.prepare(`${query} LIMIT ${KEPT}`).all() as (Row & Stored)[];
    const keyed = ({ mode, ...row }: Stored) => ({ ...row, key: mode === "test" ? test : live });
    for (const { methods, ...row } of rows<{ methods: string; amount: number }>(PAYMENTS).reverse()) {
      this.payments.push({ ...keyed(row), amount: row.amount, methods: methods.slice(1, -1).split(",") });
    }
    this.refunds.push(...rows(REFUNDS).map(keyed));
    this.payouts.push(...rows(PAYOUTS).map(keyed));
    this.cases.push(...rows(CASES).map(keyed));
    this.endpoints.push(...rows(ENDPOINTS).map(keyed));
    for (const { object, id } of rows(KEYS)) {
      const key = keys.get(object);
      if (key !== undefined) this.issued.push({ object, id, key });
    }
  }
}
