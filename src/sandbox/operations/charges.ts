import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import {
  expireTransaction,
  failTransaction,
  findTransaction,
  payTransaction,
  reviewTransaction,
} from "../../features/transactions/actions.js";
import { hasMethod, methodsOf } from "../../features/transactions/catalogue.js";
import { isWaiting } from "../../features/transactions/machine.js";
import { isInFlight } from "../../features/transactions/rules.js";
import type { NewTransaction } from "../../features/transactions/store.js";
import { Charge, toCharge } from "../../features/transactions/wire-charge.js";
import { MethodName, PaymentShape, toPayment } from "../../features/transactions/wire-payment.js";
import type { Tx } from "../../features/tx.js";
import { fieldError } from "../../kernel/errors.js";
import { MAX_AMOUNT } from "../../kernel/money.js";
import { IdParam } from "../../kernel/schemas.js";
import { isCpfOrCnpj } from "../../kernel/tax-id.js";

/** Simulates the payer, the provider and the reviewer of a charge. The work itself is in the actions of transactions. */

/** The answer: a charge, or a payment for a transaction that has no Pix among its methods. */
const Shown = z.union([Charge, PaymentShape]);
const ChargeAnswer = z.object({ charge: Shown });

function shown(tx: Tx, row: NewTransaction): z.input<typeof Shown> {
  return hasMethod(row, "PIX") ? toCharge(tx, row) : toPayment(tx, row);
}

const columns = [
  { header: "Charge", path: "charge.id" },
  { header: "Status", path: "charge.status", format: "status" },
  { header: "Amount", path: "charge.amount", format: "money" },
  { header: "End-to-end id", path: "charge.settlement.end_to_end_id" },
] as const;

/** Throws unless a provider can still end the transaction: it waits for its payer, or its card payment is under way. */
function requireOpen(row: NewTransaction, what: string): void {
  if (isWaiting(row.status) || isInFlight(row)) return;
  throw fieldError("id", `names a charge that is ${row.status}; ${what}`);
}

export const sandboxPay = defineOperation({
  id: "sandbox.charges.pay",
  method: "POST",
  path: "/_sandbox/charges/{id}/pay",
  auth: "key",
  surface: "sandbox",
  summary: "Pay a charge as a simulated payer",
  description:
    "Pays a charge or payment as its payer would: in full and, where a payer is expected, with that document, " +
    "unless the body says otherwise. Another amount than asked, and a charge that is not open any more, gives the " +
    "money back and changes nothing. Another payer than expected ends in refunded; a bank that reports none " +
    "(`payer_document: null`) leaves it in processing. The events of the new status follow.",
  params: IdParam,
  body: z.object({
    amount: z.int().min(1).max(MAX_AMOUNT).optional().meta({ description: "Centavos; default: the charge's amount" }),
    payer_name: z.string().optional(),
    payer_document: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "CPF or CNPJ the bank reports; null: it reports none; default: the expected one" }),
    method: MethodName.optional().meta({ description: "One of its methods; default: Pix, or the first" }),
  }),
  success: {
    status: 200,
    description: "What became of the money, and the charge",
    schema: z.object({ outcome: z.enum(["paid", "refunded", "processing", "returned"]), charge: Shown }),
  },
  errors: ["invalid_amount"],
  cli: {
    command: "sandbox pay",
    examples: [
      "qa-pay sandbox pay ch_0198…",
      "qa-pay sandbox pay ch_0198… --payer-document 52998224725 --payer-name 'Maria Silva'",
      "qa-pay sandbox pay ch_0198… --payer-document null",
    ],
    columns: [{ header: "Outcome", path: "outcome", format: "status" }, ...columns],
    explains: {
      path: "outcome",
      value: "returned",
      text:
        "The money goes back to the payer, because the charge is {charge.status}. Only an open charge takes a payment, " +
        "before it expires and with exactly its amount.",
    },
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  const { payer_document: document } = body;
  if (typeof document === "string" && !isCpfOrCnpj(document)) {
    throw fieldError("payer_document", "must be a valid CPF or CNPJ, or null when the bank does not report it");
  }
  if (body.method !== undefined && !hasMethod(charge, body.method)) {
    throw fieldError("method", `must be one of its payment methods: ${methodsOf(charge).join(", ")}`);
  }
  if (charge.provider_reference === null && isWaiting(charge.status)) {
    throw fieldError("id", "names a payment whose codes the acquirer has not issued yet; advance the clock");
  }
  const { outcome, row } = payTransaction(tx, charge, {
    ...(body.amount === undefined ? {} : { amount: body.amount }),
    ...(body.payer_name === undefined ? {} : { payerName: body.payer_name }),
    ...(document === undefined ? {} : { payerDocument: document }),
    ...(body.method === undefined ? {} : { method: body.method }),
  });
  return { outcome, charge: shown(tx, row) };
});

export const sandboxFail = defineOperation({
  id: "sandbox.charges.fail",
  method: "POST",
  path: "/_sandbox/charges/{id}/fail",
  auth: "key",
  surface: "sandbox",
  summary: "Let the provider refuse a charge",
  description:
    "Lets the provider refuse a charge that waits for its payer, or a card that is in flight. It becomes failed, " +
    "with `metadata.failure`, and `charge.failed`, `payment.failed` and `payment.status_changed` follow. In any " +
    "other status it is refused.",
  params: IdParam,
  body: z.object({
    reason: z.string().max(500, "must have at most 500 characters").optional(),
    provider_error_code: z.string().max(100, "must have at most 100 characters").optional(),
  }),
  success: { status: 200, description: "The failed charge", schema: ChargeAnswer },
  errors: [],
  cli: {
    command: "sandbox fail",
    examples: ["qa-pay sandbox fail ch_0198… --reason 'account blocked' --provider-error-code AC06"],
    columns: [...columns],
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  requireOpen(charge, "only a charge that waits for its payer can fail");
  const failure = { reason: body.reason ?? "provider_failure", providerErrorCode: body.provider_error_code ?? null };
  return { charge: shown(tx, failTransaction(tx, charge, failure)) };
});

export const sandboxExpire = defineOperation({
  id: "sandbox.charges.expire",
  method: "POST",
  path: "/_sandbox/charges/{id}/expire",
  auth: "key",
  surface: "sandbox",
  summary: "Let a charge run out of time now",
  description:
    "Ends the time of a charge that waits for its payer without moving the clock. It becomes expired, and " +
    "`charge.expired`, `payment.expired`, `payment.failed` and `payment.status_changed` follow. In any other status " +
    "it is refused. It needs no body.",
  params: IdParam,
  success: { status: 200, description: "The expired charge", schema: ChargeAnswer },
  errors: ["invalid_request"],
  cli: { command: "sandbox expire", examples: ["qa-pay sandbox expire ch_0198…"], columns: [...columns] },
}).write(({ caller, params }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  requireOpen(charge, "only a charge that waits for its payer can expire");
  return { charge: shown(tx, expireTransaction(tx, charge)) };
});

export const sandboxReview = defineOperation({
  id: "sandbox.charges.review",
  method: "POST",
  path: "/_sandbox/charges/{id}/review",
  auth: "key",
  surface: "sandbox",
  summary: "Decide on a payment held for review",
  description:
    "Ends the review of a payment that is held because the bank reported no payer: `approve` pays the charge, " +
    "`reject` gives the money back and leaves it refunded. A charge that is not held is refused.",
  params: IdParam,
  body: z.object({ decision: z.enum(["approve", "reject"]).meta({ description: "approve pays, reject gives back" }) }),
  success: { status: 200, description: "The charge after the decision", schema: ChargeAnswer },
  errors: [],
  cli: {
    command: "sandbox review",
    examples: ["qa-pay sandbox review ch_0198… --decision approve"],
    columns: [...columns],
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  if (charge.held_at === null)
    throw fieldError("id", `names a charge that is ${charge.status}; nothing is held for review`);
  return { charge: shown(tx, reviewTransaction(tx, charge, body.decision)) };
});
