import { charactersOf, jsonObject, listOf, oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import {
  amount,
  currency,
  day,
  dueAt,
  endToEnd,
  instant,
  isWhole,
  key,
  part,
  uuid,
  webhookUrl,
} from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, stateWriter } from "../../../base/db/driver.js";
import { createCache } from "../../../base/kernel/cache.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { byName } from "../../../base/kernel/names.js";
import { METHOD_NAMES } from "./catalogue.js";
import { DETAIL_COLUMNS } from "./details.js";
import { figureStatements, paymentTimeStatements } from "./figure-store.js";
import { listStatements } from "./lists.js";
import { TRANSACTION_STATUSES, type TransactionStatus } from "./machine.js";

const STATE = {
  status: oneOf(TRANSACTION_STATUSES),
  /** The provider's id of the transaction; null before the provider has issued it. */
  provider_reference: optional(words),
  /** JSON of `metadata.failure` (docs/service/charges.md#metadata). */
  failure: optional(jsonObject()),
  /** The start of the review of a held payment; null when it is not held. */
  held_at: optional(instant),
  paid_with: optional(oneOf(METHOD_NAMES)),
  paid_at: optional(instant),
  end_to_end_id: optional(endToEnd),
  /** The id of the Pix return, when the money was sent back without a refund request. */
  return_id: optional(endToEnd),
  payer_name: optional(words),
  /** In full, for the simulators. No answer shows it in full. */
  payer_document: optional(words),
  provider_fee: part,
  platform_fee: part,
  /** The sum of the completed refunds. */
  refunded_amount: part,
  /** JSON of `metadata.med`. */
  med: optional(jsonObject()),
  updated_at: instant,
};
export type TransactionState = Row<typeof STATE>;

const DETAIL_RULES = byName(DETAIL_COLUMNS, () => optional(words));

/** The columns of a new transaction. Those besides its state are known from the start and never change. */
export const TRANSACTION = {
  id: uuid,
  book_id: key,
  amount,
  currency,
  /** `,PIX,CREDIT_CARD,` */
  payment_methods: listOf(METHOD_NAMES),
  ...DETAIL_RULES,
  /** The customer's document without punctuation. */
  customer_tax_id: optional(words),
  /** JSON object without the reserved keys. */
  metadata: jsonObject(),
  /** Seconds. */
  expires_in: dueAt,
  expires_at: dueAt,
  txid: charactersOf("0-9A-Za-z", 26, 35),
  checkout_token: charactersOf("A-Za-z0-9_-", 1, 64),
  /** Receives the events of this transaction instead of the registered endpoints. */
  webhook_url: optional(webhookUrl),
  /** JSON of the later parts of `metadata._sandbox`: a case after the settlement, no txid in answers. */
  script: optional(
    jsonObject(({ medAfter, txid }) =>
      medAfter === undefined ? txid === false : isWhole(medAfter) && (txid === undefined || txid === false),
    ),
  ),
  created_at: instant,
  /** Calendar day in São Paulo of `created_at`, days since 1970-01-01. */
  day,
  ...STATE,
};
export type NewTransaction = Row<typeof TRANSACTION>;
export type TransactionRow = NewTransaction & { readonly seq: number };

/** The amounts that the ledger must hold for a transaction. With Pix it is a charge, otherwise a payment. */
export const TRANSACTION_MONEY = {
  table: "transactions",
  prefix: `CASE WHEN EXISTS (SELECT 1 FROM transactions WHERE id = reference AND instr(payment_methods, ',PIX,') = 0)
                THEN '${ID_PREFIX.transaction}' ELSE '${ID_PREFIX.charge}' END`,
  from: "transactions o",
  book: "o.book_id",
  owed: {
    wallet: "(o.amount - o.provider_fee - o.platform_fee) * (o.paid_at IS NOT NULL)",
    review: "o.amount * (o.status = 'PROCESSING' AND o.held_at IS NOT NULL)",
    provider_fees: "o.provider_fee * (o.paid_at IS NOT NULL)",
    platform_fees: "o.platform_fee * (o.paid_at IS NOT NULL)",
  },
};

const PRINTED_BYTES = 16 * 1_048_576;

/**
 * Keeps the JSON of recently read transactions, in one form. Only committed state may be kept: reads keep it, and they
 * run between units of work, never inside one.
 */
function createPrinted() {
  const texts = createCache<{ readonly bookId: number; readonly json: string }>(PRINTED_BYTES, ({ json }) => json);
  return {
    get(id: string, bookId: number): string | null {
      const found = texts.get(id);
      return found?.bookId === bookId ? found.json : null;
    },
    keep: (id: string, bookId: number, json: string) => texts.keep(id, { bookId, json }),
    forget: texts.forget,
    clear: texts.clear,
  };
}

/** The fraud guard counts every other status (docs/service/errors.md#fraud-guard). */
const UNCOUNTED: readonly TransactionStatus[] = ["EXPIRED", "CANCELLED", "REFUSED"];
const COUNTED = TRANSACTION_STATUSES.filter((status) => !UNCOUNTED.includes(status))
  .map((status) => `'${status}'`)
  .join();

/** The queries of the fraud guard. Each returns a row when the number of matching charges exceeds the last value. */
function velocityStatements(db: Db) {
  const counted = `FROM transactions WHERE book_id = ? AND created_at > ? AND status IN (${COUNTED})`;
  return {
    /** SQLite answers it from the index alone, and stops once it has seen enough rows. */
    moreInBook: getter<object>(db, `SELECT 1 ${counted} LIMIT 1 OFFSET ?`),
    /** Values: book, since, document without punctuation, e-mail, phone. Null matches nothing. */
    moreOfCustomer: getter<object>(
      db,
      `SELECT 1 ${counted}
          AND (customer_tax_id = ? OR customer_email = ? COLLATE NOCASE OR customer_phone = ?) LIMIT 1 OFFSET ?`,
    ),
  };
}

export type TransactionStore = ReturnType<typeof transactionStore>;

/** Returns the statements about payments. Every change of one removes its printed answers. */
export function transactionStore(db: Db) {
  const update = stateWriter(db, "transactions", "transaction", STATE);
  const printed = { charges: createPrinted(), listed: createPrinted() };
  return {
    /** Charges and rows of lists as they were last answered. This store removes a text with every change of its row. */
    printed,
    insert: inserter(db, "transactions", TRANSACTION),
    /** See `stateWriter`. */
    update(next: NewTransaction, expected: TransactionStatus): void {
      printed.charges.forget(next.id);
      printed.listed.forget(next.id);
      update(next, expected);
    },
    inBook: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ? AND book_id = ?"),
    /** Finds a transaction in any book: for jobs, and for pages that a random token or an image address opens. */
    anywhere: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ?"),
    ...listStatements<TransactionRow>(db),
    ...figureStatements(db),
    ...paymentTimeStatements(db),
    ...velocityStatements(db),
  };
}
