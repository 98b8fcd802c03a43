import { type Db, getter, inserter, type SqlValue, searcher } from "../../db/driver.js";
import type { TransactionStatus } from "./machine.js";

/** What is known from the start and never changes. */
export interface TransactionFacts {
  readonly id: string;
  readonly book_id: number;
  readonly amount: number;
  readonly currency: string;
  /** `,PIX,CREDIT_CARD,` */
  readonly payment_methods: string;
  readonly customer_name: string | null;
  readonly customer_document: string | null;
  readonly customer_email: string | null;
  readonly customer_phone: string | null;
  /** The customer's document without punctuation. */
  readonly customer_tax_id: string | null;
  readonly expected_payer_tax_id: string | null;
  /** JSON object, already without reserved keys. */
  readonly metadata: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly expires_at: number;
  readonly txid: string;
  readonly checkout_token: string;
  readonly created_at: number;
}

/** What its life changes. */
export interface TransactionState {
  readonly status: TransactionStatus;
  /** How the provider knows it; null when it never got there. */
  readonly provider_reference: string | null;
  /** JSON of `metadata.failure` (contract, section 2.11). */
  readonly failure: string | null;
  /** Since when it is held for review. */
  readonly held_at: number | null;
  readonly paid_with: string | null;
  readonly paid_at: number | null;
  readonly end_to_end_id: string | null;
  /** Id of the Pix return, when the money went back by itself. */
  readonly return_id: string | null;
  readonly payer_name: string | null;
  /** Kept for the simulators; no answer ever shows it in clear. */
  readonly payer_document: string | null;
  readonly provider_fee: number;
  readonly platform_fee: number;
  readonly updated_at: number;
}

export type NewTransaction = TransactionFacts & TransactionState;
export type TransactionRow = NewTransaction & { readonly seq: number };

export interface RefundRow {
  readonly id: string;
  readonly transaction_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: "PENDING" | "IN_PROGRESS" | "REFUNDED" | "FAILED";
  readonly reason: string | null;
  readonly end_to_end_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

const FACTS: readonly (keyof TransactionFacts)[] = [
  "id",
  "book_id",
  "amount",
  "currency",
  "payment_methods",
  "customer_name",
  "customer_document",
  "customer_email",
  "customer_phone",
  "customer_tax_id",
  "expected_payer_tax_id",
  "metadata",
  "expires_in",
  "expires_at",
  "txid",
  "checkout_token",
  "created_at",
];

const STATE: readonly (keyof TransactionState)[] = [
  "status",
  "provider_reference",
  "failure",
  "held_at",
  "paid_with",
  "paid_at",
  "end_to_end_id",
  "return_id",
  "payer_name",
  "payer_document",
  "provider_fee",
  "platform_fee",
  "updated_at",
];

const PRINTED_KEPT = 5_000;

/**
 * The JSON of charges that were read lately. Only committed state may be kept: reads keep, and they run between units
 * of work, never inside one.
 */
function createPrintedCharges() {
  const texts = new Map<string, { readonly bookId: number; readonly json: string }>();
  return {
    get(id: string, bookId: number): string | null {
      const found = texts.get(id);
      return found?.bookId === bookId ? found.json : null;
    },
    keep(id: string, bookId: number, json: string): void {
      if (texts.size >= PRINTED_KEPT) texts.clear();
      texts.set(id, { bookId, json });
    },
    forget: (id: string) => void texts.delete(id),
    clear: () => texts.clear(),
  };
}

export type TransactionStore = ReturnType<typeof transactionStore>;

export function transactionStore(db: Db) {
  const update = db.prepare(
    `UPDATE transactions SET ${STATE.map((column) => `${column} = ?`).join(", ")} WHERE id = ? AND status = ?`,
  );
  const printed = createPrintedCharges();
  return {
    /** Charges as they were last answered; this store forgets one with every change of its row. */
    printed,
    insert: inserter<NewTransaction>(db, "transactions", [...FACTS, ...STATE]),
    /** Writes a new state over the expected one. Finding another there is a bug of ours, never the caller's fault. */
    update(next: NewTransaction, expected: TransactionStatus): void {
      printed.forget(next.id);
      const values = STATE.map((column): SqlValue => next[column]);
      if (Number(update.run(...values, next.id, expected).changes) !== 1) {
        throw new Error(`transaction ${next.id} is not ${expected} any more`);
      }
    },
    inBook: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ? AND book_id = ?"),
    /** Whatever book it is in: for jobs and for pages that a random token or an image address opens. */
    anywhere: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ?"),
    /** Newest first. `statuses` is a JSON array, `before` the position of the last row of the page before. */
    search: searcher<TransactionRow, "book" | "from" | "to" | "taxId" | "statuses" | "beforeAt">(
      db,
      "SELECT * FROM transactions",
      {
        book: "book_id = ?",
        from: "created_at >= ?",
        to: "created_at <= ?",
        taxId: "customer_tax_id = ?",
        statuses: "status IN (SELECT value FROM json_each(?))",
        beforeAt: "(created_at, seq) < (SELECT created_at, seq FROM transactions WHERE id = ?)",
      },
      "AND instr(payment_methods, ',PIX,') > 0 ORDER BY created_at DESC, seq DESC LIMIT ?",
    ),
    insertRefund: inserter<RefundRow>(db, "refunds", [
      "id",
      "transaction_id",
      "amount",
      "currency",
      "status",
      "reason",
      "end_to_end_id",
      "created_at",
      "updated_at",
    ]),
  };
}
