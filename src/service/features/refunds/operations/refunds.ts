import * as z from "zod";
import { Amount, keyInBody, NoQuery, textUpTo } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findPayment } from "../../transactions/actions.js";
import { acceptRefund } from "../actions.js";
import { REFUND_STRATEGIES } from "../machine.js";
import { CreatedRefund, Refund, toCreatedRefund, toRefund } from "../resource.js";

/** docs/service/refunds.md#creating-a-refund */
export const createRefund = defineOperation({
  id: "payments.refund",
  route: "POST /v1/payments/{id}/refund",
  summary: "Refund a settled payment, in full or in part",
  questions: [
    "Give back the other {rest} to the Pix key {destinationKey}?",
    "Give back the other {rest} to {customerName}?",
    "Give back the other {rest} of the payment {id}?",
    "Give back {more} to the Pix key {destinationKey}, so that {left} are left?",
    "Give back {more} to {customerName}, so that {left} are left?",
    "Give back {more} of the payment {id}, so that {left} are left?",
    "Refund {refund} to the Pix key {destinationKey}?",
    "Refund {refund} to {customerName}?",
    "Refund {refund} of the payment {id}?",
    "Refund all that is left of the payment {id}?",
  ],
  asksAbout: "/v1/payments/{id}",
  description:
    "Returns a settled payment to its payer: `amount` of it, or all that is still refundable. The refund is " +
    "accepted as PENDING, takes its amount from the wallet at once and advances by itself; `payment.refunded` " +
    "follows each later step, and the payment becomes REFUNDED when nothing is left of it. Refused are a payment " +
    "that is not settled or is disputed, more than is left, a method whose provider offers no refunds, and a " +
    "devolution more than 90 days after settlement. The `idempotencyKey` stands for this payment and this body.",
  body: z.object({
    idempotencyKey: keyInBody("refund"),
    amount: Amount.optional().describe("Smallest unit; default: everything still refundable"),
    reason: textUpTo(500).optional().describe("Why the money goes back, at most 500 characters"),
    strategy: z
      .enum(REFUND_STRATEGIES)
      .optional()
      .describe("Pix only: return by end-to-end id (within 90 days), or a new Pix; default cashout"),
    passFeeToTenant: z.boolean().optional().describe("Cashout: take the Pix-out fee from the wallet; default false"),
    destinationKey: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .describe("Cashout: Pix key to send to instead of the payer's document"),
  }),
  success: { status: 201, description: "The accepted refund", schema: CreatedRefund },
  errors: ["invalid_amount", "unprocessable_entity", "REFUND_NOT_SUPPORTED"],
  idempotency: { kind: "refund", field: "idempotencyKey" },
  cli: {
    examples: [
      "qa-pay payments refund tx_0198…",
      'qa-pay payments refund tx_0198… --amount 500 --reason "Item out of stock"',
      "qa-pay payments refund tx_0198… --strategy devolution",
    ],
    columns: "id as Refund, status, amount, reason",
    next: "It advances by itself, or now: qa-pay sandbox refunds advance {id} --to REFUNDED",
  },
}).write(({ caller, params, body }, tx) =>
  toCreatedRefund(acceptRefund(tx, findPayment(tx, caller.bookId, params.id), body)),
);

/** docs/service/refunds.md#creating-a-refund */
export const listRefunds = defineOperation({
  id: "payments.refunds",
  route: "GET /v1/payments/{id}/refunds",
  summary: "List the refunds of a payment",
  description:
    "Lists every refund of one payment, newest first, failed ones included. The answer is a bare array. It takes no " +
    "parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "Every refund of it, newest first", schema: z.array(Refund) },
  cli: {
    columns: "id as Refund, status, amount, strategy, reason, endToEndId, failureReason as Failure, createdAt",
  },
}).read(({ caller, params }, reader) => {
  const payment = findPayment(reader, caller.bookId, params.id);
  return reader.refunds.ofTransaction(payment.id).map(toRefund);
});
