import * as z from "zod";
import { fieldError, stateError } from "../../../../base/kernel/errors.js";
import { Amount, textUpTo } from "../../../../base/kernel/schemas.js";
import { isCpfOrCnpj, SAMPLE_PAYER_CNPJ } from "../../../../base/kernel/tax-id.js";
import { defineOperation } from "../../operation.js";
import type { Tx } from "../../tx.js";
import {
  expireTransaction,
  failTransaction,
  findTransaction,
  PAYMENT_OUTCOMES,
  payTransaction,
  reviewTransaction,
} from "../actions.js";
import { hasMethod, methodsOf } from "../catalogue.js";
import { Charge, toCharge } from "../charge-resource.js";
import { isWaiting } from "../machine.js";
import { MethodName, PaymentShape, toPayment } from "../payment-resource.js";
import { isInFlight } from "../rules.js";
import type { NewTransaction } from "../store.js";

/** Simulates the payer, the provider and the reviewer of a charge. The work itself is in the actions of transactions. */

/** The answer: a charge, or a payment for a transaction that has no Pix among its methods. */
const Shown = z.union([Charge, PaymentShape]);
const ChargeAnswer = z.object({ charge: Shown });

function transactionAnswer(tx: Tx, row: NewTransaction): z.input<typeof Shown> {
  return hasMethod(row, "PIX") ? toCharge(tx, row) : toPayment(tx, row);
}

const columns = "charge.id as Charge, charge.status, charge.amount, charge.settlement.end_to_end_id";

/** Throws unless a provider can still end the transaction: it waits for its payer, or its card payment is open. */
function requireOpen(row: NewTransaction, what: string): void {
  if (isWaiting(row.status) || isInFlight(row)) return;
  throw stateError(`The charge is ${row.status}; ${what}.`);
}

export const sandboxPay = defineOperation({
  id: "sandbox.charges.pay",
  route: "POST /_sandbox/charges/{id}/pay",
  summary: "Pay a charge as a simulated payer",
  description:
    "Pays a charge or payment as its payer would: in full and, where a payer is expected, with that document, " +
    "unless the body says otherwise. Another amount than that of the charge, and a charge that is no longer open, return the " +
    "money back and changes nothing. Another payer than expected ends in refunded; a bank that reports none " +
    "(`payer_document: null`) leaves it in processing. The events of the new status follow. With more than an account can " +
    "count exactly, the payment is refused.",
  body: z.object({
    amount: Amount.optional().describe("Centavos; default: the charge's amount"),
    payer_name: z.string().optional().describe("Name that the bank reports; default: a name for tests"),
    payer_document: z
      .string()
      .nullable()
      .optional()
      .describe("CPF or CNPJ the bank reports; null: it reports none; default: the expected one"),
    letters_in_cnpj: z
      .boolean()
      .optional()
      .describe(`The payer is a company whose CNPJ has letters, ${SAMPLE_PAYER_CNPJ}; not with payer_document`),
    method: MethodName.optional().describe("One of its methods; default: Pix, or the first"),
  }),
  success: {
    status: 200,
    description: "What became of the money, and the charge",
    schema: z.object({ outcome: z.enum(PAYMENT_OUTCOMES), charge: Shown }),
  },
  errors: ["invalid_amount", "unprocessable_entity"],
  cli: {
    command: "sandbox pay",
    examples: [
      "qa-pay sandbox pay ch_0198…",
      "qa-pay sandbox pay ch_0198… --payer-document 52998224725 --payer-name 'Maria Silva'",
      "qa-pay sandbox pay ch_0198… --payer-document null",
      "qa-pay sandbox pay ch_0198… --letters-in-cnpj",
    ],
    columns: `outcome, ${columns}`,
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  if (body.letters_in_cnpj === true && body.payer_document !== undefined) {
    throw fieldError("letters_in_cnpj", "cannot be combined with payer_document, which names another payer");
  }
  const document = body.letters_in_cnpj === true ? SAMPLE_PAYER_CNPJ : body.payer_document;
  if (typeof document === "string" && !isCpfOrCnpj(document)) {
    throw fieldError("payer_document", "must be a valid CPF or CNPJ, or null when the bank does not report it");
  }
  if (body.method !== undefined && !hasMethod(charge, body.method)) {
    throw fieldError("method", `must be one of its payment methods: ${methodsOf(charge).join(", ")}`);
  }
  if (charge.provider_reference === null && isWaiting(charge.status)) {
    throw stateError("The acquirer has not issued the codes of the payment yet; advance the clock.");
  }
  const { outcome, row } = payTransaction(tx, charge, {
    ...(body.amount === undefined ? {} : { amount: body.amount }),
    ...(body.payer_name === undefined ? {} : { payerName: body.payer_name }),
    ...(document === undefined ? {} : { payerDocument: document }),
    ...(body.method === undefined ? {} : { method: body.method }),
  });
  return { outcome, charge: transactionAnswer(tx, row) };
});

export const sandboxFail = defineOperation({
  id: "sandbox.charges.fail",
  route: "POST /_sandbox/charges/{id}/fail",
  summary: "Make the provider refuse a charge",
  description:
    "Makes the provider refuse a charge that waits for its payer, or a card that is in flight. It becomes failed, " +
    "with `metadata.failure`, and `charge.failed`, `payment.failed` and `payment.status_changed` follow. In any " +
    "other status it is refused.",
  body: z.object({
    reason: textUpTo(500).optional().describe("Goes into metadata.failure; default: provider_failure"),
    provider_error_code: textUpTo(100)
      .optional()
      .describe("Code of the provider, such as AC06; goes into metadata.failure"),
  }),
  success: { status: 200, description: "The failed charge", schema: ChargeAnswer },
  cli: {
    command: "sandbox fail",
    examples: ["qa-pay sandbox fail ch_0198… --reason 'account blocked' --provider-error-code AC06"],
    columns,
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  requireOpen(charge, "only a charge that waits for its payer can fail");
  const failure = { reason: body.reason ?? "provider_failure", providerErrorCode: body.provider_error_code ?? null };
  return { charge: transactionAnswer(tx, failTransaction(tx, charge, failure)) };
});

export const sandboxExpire = defineOperation({
  id: "sandbox.charges.expire",
  route: "POST /_sandbox/charges/{id}/expire",
  summary: "Let a charge run out of time now",
  description:
    "Ends the time of a charge that waits for its payer without moving the clock. It becomes expired, and " +
    "`charge.expired`, `payment.expired`, `payment.failed` and `payment.status_changed` follow. In any other status " +
    "it is refused. It needs no body.",
  success: { status: 200, description: "The expired charge", schema: ChargeAnswer },
  errors: ["invalid_request"],
  cli: { command: "sandbox expire", columns },
}).write(({ caller, params }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  requireOpen(charge, "only a charge that waits for its payer can expire");
  return { charge: transactionAnswer(tx, expireTransaction(tx, charge)) };
});

export const sandboxReview = defineOperation({
  id: "sandbox.charges.review",
  route: "POST /_sandbox/charges/{id}/review",
  summary: "Decide on a payment held for review",
  description:
    "Ends the review of a payment that is held because the bank reported no payer: `approve` pays the charge, " +
    "`reject` returns the money and leaves it refunded. A charge that is not held is refused.",
  body: z.object({ decision: z.enum(["approve", "reject"]).describe("approve pays, reject returns the money") }),
  success: { status: 200, description: "The charge after the decision", schema: ChargeAnswer },
  cli: {
    command: "sandbox review",
    examples: ["qa-pay sandbox review ch_0198… --decision approve"],
    columns,
  },
}).write(({ caller, params, body }, tx) => {
  const charge = findTransaction(tx, caller.bookId, params.id);
  if (charge.held_at === null) throw stateError(`The charge is ${charge.status}; nothing is held for review.`);
  return { charge: transactionAnswer(tx, reviewTransaction(tx, charge, body.decision)) };
});
