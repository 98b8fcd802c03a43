import { ApiError, type ErrorCode } from "../../../base/kernel/errors.js";
import { formatCount } from "../../../base/kernel/format-count.js";
import { normalizeTaxId } from "../../../base/kernel/tax-id.js";
import { saoPauloDay } from "../../../base/kernel/time.js";
import { record } from "../history/actions.js";
import type { Velocity } from "../setting-kinds.js";
import type { Tx } from "../tx.js";
import { failTransaction, providerReference, publishTransition } from "./actions.js";
import { PAYMENT_METHODS, type PaymentMethod, packMethods } from "./catalogue.js";
import { type Details, NO_DETAILS } from "./details.js";
import { transactionMachine } from "./machine.js";
import { type Directives, publicMetadata } from "./rules.js";
import type { NewTransaction } from "./store.js";

/** The creation of a transaction, for the routes of charges and of payments. */

export interface TransactionInput {
  readonly amount: number;
  readonly currency: string;
  readonly methods: readonly PaymentMethod[];
  /** Seconds until the transaction expires. When left out, it expires with its last method. */
  readonly expiresIn?: number | undefined;
  readonly description?: string | undefined;
  /** None when left out. */
  readonly details?: Details | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly webhookUrl?: string | undefined;
  readonly directives: Directives;
  /** The acquirer's milliseconds for issuing codes and references; with 0 they are issued at once. */
  readonly acquirerDelayMs: number;
}

/** The parts of the scenario that the transaction must keep; null when there are none. */
function scriptOf({ medAfter, txid }: Directives): string | null {
  if (medAfter === undefined && txid !== false) return null;
  return JSON.stringify({ ...(medAfter === undefined ? {} : { medAfter }), ...(txid === false ? { txid } : {}) });
}

function newTransaction(tx: Tx, bookId: number, input: TransactionInput): NewTransaction {
  const id = tx.ids.next();
  const ends = input.methods.map((method) => PAYMENT_METHODS[method].expires(tx.now));
  const expiresAt = input.expiresIn === undefined ? Math.max(...ends) : tx.now + input.expiresIn * 1_000;
  const { details = NO_DETAILS } = input;
  const { customer_document: document } = details;
  const reachesProvider = input.directives.fail === undefined && input.acquirerDelayMs === 0;
  return {
    id,
    book_id: bookId,
    amount: input.amount,
    currency: input.currency,
    payment_methods: packMethods(input.methods),
    ...details,
    customer_tax_id: document === null ? null : normalizeTaxId(document),
    metadata: JSON.stringify(publicMetadata(input.metadata ?? {}, input.description)),
    expires_in: Math.ceil((expiresAt - tx.now) / 1_000),
    expires_at: expiresAt,
    txid: tx.random.alphanumeric(32),
    checkout_token: tx.random.token(18),
    webhook_url: input.webhookUrl ?? null,
    script: scriptOf(input.directives),
    created_at: tx.now,
    day: saoPauloDay(tx.now),
    // A transaction that the provider refuses at once has never waited for its payer.
    status: input.directives.fail === undefined ? transactionMachine.initial.state : "PENDING",
    provider_reference: reachesProvider ? providerReference(id) : null,
    failure: null,
    held_at: null,
    paid_with: null,
    paid_at: null,
    end_to_end_id: null,
    return_id: null,
    payer_name: null,
    payer_document: null,
    provider_fee: 0,
    platform_fee: 0,
    refunded_amount: 0,
    med: null,
    updated_at: tx.now,
  };
}

function refusal(code: ErrorCode, whose: string, { count, windowMs }: Velocity): ApiError {
  const message = `${whose} may have ${formatCount(count, "charge")} within ${windowMs / 1_000} seconds.`;
  return new ApiError(code, { message });
}

/**
 * The fraud guard (docs/service/errors.md#fraud-guard, docs/decisions/022-guards.md), whose windows are emulated time.
 * Refuses a new transaction when its customer or its book has too many already. A transaction counts until its age
 * reaches the window, unless it expired, failed or was cancelled. Throws `fraud.customer_velocity_exceeded` or
 * `fraud.account_velocity_exceeded`.
 */
function checkVelocity({ transactions, settings, now }: Tx, next: NewTransaction): void {
  const { customerVelocity, accountVelocity } = settings;
  if (customerVelocity !== null) {
    const { count, windowMs } = customerVelocity;
    // An empty text is no customer: two charges without an e-mail are not of the same customer.
    const marks = [next.customer_tax_id, next.customer_email, next.customer_phone].map((mark) => mark || null);
    const isKnown = marks.some((mark) => mark !== null);
    if (isKnown && transactions.moreOfCustomer(next.book_id, now - windowMs, ...marks, count - 1) !== null) {
      throw refusal("fraud.customer_velocity_exceeded", "One customer", customerVelocity);
    }
  }
  if (accountVelocity !== null) {
    const { count, windowMs } = accountVelocity;
    if (transactions.moreInBook(next.book_id, now - windowMs, count - 1) !== null) {
      throw refusal("fraud.account_velocity_exceeded", "An account", accountVelocity);
    }
  }
}

/** Creates a transaction and schedules the steps of its scenario. The fraud guard throws before anything is written. */
export function createTransaction(tx: Tx, bookId: number, input: TransactionInput) {
  const row = newTransaction(tx, bookId, input);
  checkVelocity(tx, row);
  tx.transactions.insert(row);
  const made = { book_id: bookId, noun: "transaction", subject: row.id, move: "create", to: row.status } as const;
  const history = record(tx, made);
  const { fail, payAfter, payerDocument, payerName, payAmount } = input.directives;
  if (fail !== undefined) {
    return { row: failTransaction(tx, row, { reason: "provider_failure", providerErrorCode: fail }), stored: null };
  }
  const created = publishTransition(tx, row, {
    names: transactionMachine.initial.emits,
    context: { previousStatus: null },
    history,
  });
  const dueAt = (at: number) => ({ at, bookId, history });
  tx.schedule("transaction.expire", row.id, dueAt(row.expires_at));
  if (row.provider_reference === null)
    tx.schedule("transaction.finalise", row.id, dueAt(tx.now + input.acquirerDelayMs));
  if (payAfter !== undefined) {
    const payment = {
      ...(payerDocument === undefined ? {} : { payerDocument }),
      ...(payerName === undefined ? {} : { payerName }),
      ...(payAmount === undefined ? {} : { amount: payAmount }),
    };
    // A transaction without codes cannot be paid yet.
    const wait = Math.max(Math.round(payAfter * 1_000), input.acquirerDelayMs);
    tx.schedule("transaction.pay", row.id, dueAt(tx.now + wait), payment);
  }
  /** `stored` is the event that has the JSON of the created charge; null when the charge changed during its creation. */
  return { row, stored: created };
}
