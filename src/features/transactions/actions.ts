import { canMove, transition } from "../../kernel/machine.js";
import { splitFees } from "../../kernel/money.js";
import { normalizeTaxId, SAMPLE_PAYER_CPF } from "../../kernel/tax-id.js";
import { EMULATED_ISPB, endToEndId } from "../../pix/ids.js";
import type { Tx } from "../tx.js";
import { settle as creditSettlement, holdForReview, returnFromReview } from "../wallets/actions.js";
import { type TransactionMove, transactionMachine } from "./machine.js";
import { publishTransition } from "./publish.js";
import { DEFAULT_EXPIRY, type Directives, MAX_EXPIRY, payerVerdict, publicMetadata } from "./rules.js";
import type { NewTransaction, RefundRow, TransactionState } from "./store.js";

/** Everything that may happen to a transaction. Routes, simulators and due work all call these. */

export interface NewCharge {
  readonly amount: number;
  readonly currency: string;
  readonly description?: string | undefined;
  readonly expiresIn?: number | undefined;
  readonly customer?:
    | {
        readonly name?: string | undefined;
        readonly document?: string | undefined;
        readonly email?: string | undefined;
        readonly phone?: string | undefined;
      }
    | undefined;
  readonly expectedPayerTaxId?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly directives: Directives;
}

export interface CreatedCharge {
  readonly row: NewTransaction;
  /** Where the created charge's JSON is stored already; null when it changed within its creation. */
  readonly stored: { readonly seq: number; readonly chargeJson: string } | null;
}

function newTransaction(tx: Tx, bookId: number, input: NewCharge): NewTransaction {
  const expiresIn = Math.min(input.expiresIn ?? DEFAULT_EXPIRY, MAX_EXPIRY);
  const { customer } = input;
  const id = tx.ids.next();
  return {
    id,
    book_id: bookId,
    amount: input.amount,
    currency: input.currency,
    payment_methods: ",PIX,",
    customer_name: customer?.name ?? null,
    customer_document: customer?.document ?? null,
    customer_email: customer?.email ?? null,
    customer_phone: customer?.phone ?? null,
    customer_tax_id: customer?.document === undefined ? null : normalizeTaxId(customer.document),
    expected_payer_tax_id: input.expectedPayerTaxId ?? null,
    metadata: JSON.stringify(publicMetadata(input.metadata ?? {}, input.description)),
    expires_in: expiresIn,
    expires_at: tx.now + expiresIn * 1_000,
    txid: tx.random.alphanumeric(32),
    checkout_token: tx.random.token(18),
    created_at: tx.now,
    status: transactionMachine.initial.state,
    provider_reference: input.directives.fail === undefined ? `prv_${id}` : null,
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
    updated_at: tx.now,
  };
}

/** Creates a Pix charge that waits for its payer, with what its script says shall become of it. */
export function createCharge(tx: Tx, bookId: number, input: NewCharge): CreatedCharge {
  const row = newTransaction(tx, bookId, input);
  tx.transactions.insert(row);
  const created = publishTransition(tx, row, transactionMachine.initial.emits, { previousStatus: null });
  const { fail, payAfter, payerDocument, payerName, payAmount } = input.directives;
  if (fail !== undefined) {
    return { row: failTransaction(tx, row, { reason: "provider_failure", providerErrorCode: fail }), stored: null };
  }
  tx.later("transaction.expire", row.id, row.expires_at);
  if (payAfter !== undefined) {
    const payment = {
      ...(payerDocument === undefined ? {} : { payerDocument }),
      ...(payerName === undefined ? {} : { payerName }),
      ...(payAmount === undefined ? {} : { amount: payAmount }),
    };
    tx.later("transaction.pay", row.id, tx.now + Math.round(payAfter * 1_000), payment);
  }
  return { row, stored: created };
}

/** The only way to a new status: the table says where to, the store checks where from, the events are the table's. */
function move(
  tx: Tx,
  row: NewTransaction,
  name: TransactionMove,
  change: Partial<TransactionState> = {},
  refund?: RefundRow,
): NewTransaction {
  const step = transition(transactionMachine, row.status, name);
  const next: NewTransaction = { ...row, ...change, status: step.to, updated_at: tx.now };
  tx.transactions.update(next, row.status);
  publishTransition(tx, next, step.emits, { previousStatus: row.status, refund });
  return next;
}

/** A simulated payment. A document of null means that the bank did not report the payer. */
export interface Payment {
  /** Centavos; the charge's amount when left out. */
  readonly amount?: number;
  readonly payerName?: string;
  readonly payerDocument?: string | null;
}

export type PaymentOutcome = "paid" | "refunded" | "processing" | "returned";

export interface PaymentResult {
  /** What became of the money; `returned` means that it went back and nothing changed. */
  readonly outcome: PaymentOutcome;
  readonly row: NewTransaction;
}

/** The payer pays (contract, section 3.1; decisions on payer behaviour). */
export function payTransaction(tx: Tx, found: NewTransaction, payment: Payment): PaymentResult {
  const row = expireIfDue(tx, found);
  if (!canMove(transactionMachine, row.status, "hold")) return { outcome: "returned", row };
  if (payment.amount !== undefined && payment.amount !== row.amount) return { outcome: "returned", row };
  const document = payment.payerDocument === undefined ? defaultPayer(row) : payment.payerDocument;
  const payer = { payer_name: payment.payerName ?? "Pagador de Teste", payer_document: document };
  switch (payerVerdict(row.expected_payer_tax_id, document)) {
    case "settle":
      return { outcome: "paid", row: settleTransaction(tx, row, "world", payer) };
    case "return":
      return { outcome: "refunded", row: returnPayment(tx, row, "payer_document_mismatch", payer) };
    case "hold":
      holdForReview(tx, row.book_id, row.id, row.currency, row.amount);
      return { outcome: "processing", row: move(tx, row, "hold", { ...payer, held_at: tx.now, paid_with: "PIX" }) };
  }
}

function defaultPayer(row: NewTransaction): string {
  return row.expected_payer_tax_id ?? SAMPLE_PAYER_CPF;
}

/** A charge whose time is over is expired before anything else is done with it, however late the clock's work runs. */
function expireIfDue(tx: Tx, row: NewTransaction): NewTransaction {
  return row.expires_at <= tx.now && canMove(transactionMachine, row.status, "expire")
    ? expireTransaction(tx, row)
    : row;
}

function settleTransaction(
  tx: Tx,
  row: NewTransaction,
  from: "world" | "review",
  payer: Partial<TransactionState>,
): NewTransaction {
  const none = { fixed: 0, bps: 0 };
  const fee = tx.settings.fees.PIX ?? { provider: none, platform: none };
  const fees = splitFees(row.amount, fee.provider, fee.platform);
  creditSettlement(tx, {
    bookId: row.book_id,
    transactionId: row.id,
    currency: row.currency,
    amount: row.amount,
    fees,
    from,
  });
  return move(tx, row, "settle", {
    ...payer,
    held_at: null,
    paid_with: "PIX",
    paid_at: tx.now,
    end_to_end_id: endToEndId("E", EMULATED_ISPB, tx.now, tx.random.alphanumeric(11)),
    provider_fee: fees.providerFee,
    platform_fee: fees.platformFee,
  });
}

/** The automatic Pix return of the whole amount, for money that was never credited. */
function returnPayment(
  tx: Tx,
  row: NewTransaction,
  reason: string,
  payer: Partial<TransactionState> = {},
): NewTransaction {
  const returnId = endToEndId("D", EMULATED_ISPB, tx.now, tx.random.alphanumeric(11));
  const refund: RefundRow = {
    id: tx.ids.next(),
    transaction_id: row.id,
    amount: row.amount,
    currency: row.currency,
    status: "REFUNDED",
    reason,
    end_to_end_id: returnId,
    created_at: tx.now,
    updated_at: tx.now,
  };
  tx.transactions.insertRefund(refund);
  return move(tx, row, "return", { ...payer, held_at: null, return_id: returnId }, refund);
}

/** Ends the review of a payment whose payer the bank did not report. Throws IllegalTransition when none is held. */
export function reviewTransaction(tx: Tx, row: NewTransaction, decision: "approve" | "reject"): NewTransaction {
  if (decision === "approve") return settleTransaction(tx, row, "review", {});
  const returned = returnPayment(tx, row, "review_rejected");
  returnFromReview(tx, row.book_id, row.id, row.currency, row.amount);
  return returned;
}

export interface Failure {
  readonly reason: string;
  readonly providerErrorCode: string | null;
}

/** `metadata.failure` (contract, section 2.11). */
function failureJson(tx: Tx, row: NewTransaction, failure: Failure): string {
  return JSON.stringify({ ...failure, ttlSeconds: row.expires_in, at: new Date(tx.now).toISOString() });
}

/** The provider refuses the charge. */
export function failTransaction(tx: Tx, row: NewTransaction, failure: Failure): NewTransaction {
  return move(tx, row, "fail", { failure: failureJson(tx, row, failure) });
}

/** The charge's time is over, or the simulator says so. */
export function expireTransaction(tx: Tx, row: NewTransaction): NewTransaction {
  const failure = { reason: "expired_unpaid", providerErrorCode: null };
  return move(tx, row, "expire", { failure: failureJson(tx, row, failure) });
}

/** Job `transaction.expire`: nothing to do for a charge that was paid, failed or is held for review meanwhile. */
export function expireWhenDue(tx: Tx, transactionId: string): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row !== null) expireIfDue(tx, row);
}

/** Job `transaction.pay`: the payer of `metadata._sandbox` pays. */
export function payWhenDue(tx: Tx, transactionId: string, payment: Payment): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row !== null) payTransaction(tx, row, payment);
}
