import { normalizeTaxId } from "../../kernel/tax-id.js";
import { saoPauloDay } from "../../kernel/time.js";
import type { Tx } from "../tx.js";
import { failTransaction, providerReference } from "./actions.js";
import { PAYMENT_METHODS, type PaymentMethod, packMethods } from "./catalogue.js";
import { transactionMachine } from "./machine.js";
import { publishTransition } from "./publish.js";
import { type Directives, publicMetadata } from "./rules.js";
import type { NewTransaction } from "./store.js";
import { checkVelocity } from "./velocity.js";

/** The creation of a transaction, for the routes of charges and of payments. */

export interface TransactionInput {
  readonly amount: number;
  readonly currency: string;
  readonly methods: readonly PaymentMethod[];
  /** Seconds until the transaction expires. When left out, it expires with its last method. */
  readonly expiresIn?: number | undefined;
  readonly description?: string | undefined;
  readonly customer?: Customer | undefined;
  readonly expectedPayerTaxId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly webhookUrl?: string | undefined;
  readonly directives: Directives;
  /** Milliseconds that the acquirer takes to issue codes and references; with 0 they are issued at once. */
  readonly acquirerDelayMs: number;
}

export interface Customer {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly document?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
}

export interface CreatedTransaction {
  readonly row: NewTransaction;
  /** The event that already stores the JSON of the created charge; null when the charge changed during its creation. */
  readonly stored: { readonly seq: number; readonly chargeJson: string } | null;
}

function customerColumns(customer: Customer | undefined) {
  return {
    customer_id: customer?.id ?? null,
    customer_name: customer?.name ?? null,
    customer_document: customer?.document ?? null,
    customer_email: customer?.email ?? null,
    customer_phone: customer?.phone ?? null,
    customer_tax_id: customer?.document === undefined ? null : normalizeTaxId(customer.document),
  };
}

function newTransaction(tx: Tx, bookId: number, input: TransactionInput): NewTransaction {
  const id = tx.ids.next();
  const ends = input.methods.map((method) => PAYMENT_METHODS[method].expires(tx.now));
  const expiresAt = input.expiresIn === undefined ? Math.max(...ends) : tx.now + input.expiresIn * 1_000;
  const reachesProvider = input.directives.fail === undefined && input.acquirerDelayMs === 0;
  return {
    id,
    book_id: bookId,
    amount: input.amount,
    currency: input.currency,
    payment_methods: packMethods(input.methods),
    ...customerColumns(input.customer),
    expected_payer_tax_id: input.expectedPayerTaxId ?? null,
    metadata: JSON.stringify(publicMetadata(input.metadata ?? {}, input.description)),
    expires_in: Math.ceil((expiresAt - tx.now) / 1_000),
    expires_at: expiresAt,
    txid: tx.random.alphanumeric(32),
    checkout_token: tx.random.token(18),
    webhook_url: input.webhookUrl ?? null,
    script: input.directives.medAfter === undefined ? null : JSON.stringify({ medAfter: input.directives.medAfter }),
    created_at: tx.now,
    day: saoPauloDay(tx.now),
    status: transactionMachine.initial.state,
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

/**
 * Creates a transaction that waits for its payer, and registers what its script asks for. Throws the errors of the
 * fraud guard before anything is written.
 */
export function createTransaction(tx: Tx, bookId: number, input: TransactionInput): CreatedTransaction {
  const row = newTransaction(tx, bookId, input);
  checkVelocity(tx, row);
  tx.transactions.insert(row);
  const created = publishTransition(tx, row, transactionMachine.initial.emits, { previousStatus: null });
  const { fail, payAfter, payerDocument, payerName, payAmount } = input.directives;
  if (fail !== undefined) {
    return { row: failTransaction(tx, row, { reason: "provider_failure", providerErrorCode: fail }), stored: null };
  }
  tx.later("transaction.expire", row, row.expires_at);
  if (row.provider_reference === null) tx.later("transaction.finalise", row, tx.now + input.acquirerDelayMs);
  if (payAfter !== undefined) {
    const payment = {
      ...(payerDocument === undefined ? {} : { payerDocument }),
      ...(payerName === undefined ? {} : { payerName }),
      ...(payAmount === undefined ? {} : { amount: payAmount }),
    };
    // A transaction without codes cannot be paid yet.
    tx.later("transaction.pay", row, tx.now + Math.max(Math.round(payAfter * 1_000), input.acquirerDelayMs), payment);
  }
  return { row, stored: created };
}
