import { z } from "zod";
import { MAX_AMOUNT } from "../../../kernel/money.js";
import { IdParam, keyInBody } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findPayment } from "../../transactions/actions.js";
import { acceptRefund } from "../actions.js";
import { Refund, toRefund } from "../wire.js";

/** docs/service/refunds.md#creating-a-refund */
export const createRefund = defineOperation({
  id: "payments.refund",
  method: "POST",
  path: "/v1/payments/{id}/refund",
  auth: "key",
  surface: "api",
  summary: "Refund a settled payment, in full or in part",
  description:
    "Gives a settled payment back to its payer: `amount` of it, or all that is still refundable. The refund is " +
    "accepted as PENDING, takes its amount from the wallet at once and advances by itself; `payment.refunded` " +
    "follows each later step, and the payment becomes REFUNDED when nothing is left of it. Refused are a payment " +
    "that is not settled or is disputed, more than is left, a method whose provider gives no refunds, and a " +
    "devolution more than 90 days after settlement. The `idempotencyKey` stands for this payment and this body.",
  params: IdParam,
  body: z.object({
    idempotencyKey: z
      .string({ error: keyInBody })
      .min(8, "must have 8 to 128 characters")
      .max(128, "must have 8 to 128 characters")
      .meta({ description: "Unique for each intended refund, 8 to 128 characters" }),
    amount: z
      .int()
      .min(1)
      .max(MAX_AMOUNT)
      .optional()
      .meta({ description: "Smallest unit; default: everything still refundable" }),
    reason: z.string().max(500, "must have at most 500 characters").optional(),
    strategy: z
      .enum(["devolution", "cashout"])
      .optional()
      .meta({ description: "Pix only: return by end-to-end id (within 90 days), or a new Pix; default cashout" }),
    passFeeToTenant: z
      .boolean()
      .optional()
      .meta({ description: "Cashout: take the Pix-out fee from the wallet; default false" }),
    destinationKey: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .meta({ description: "Cashout: Pix key to send to instead of the payer's document" }),
  }),
  success: { status: 201, description: "The accepted refund", schema: Refund },
  errors: ["invalid_amount", "unprocessable_entity", "REFUND_NOT_SUPPORTED"],
  idempotency: { kind: "refund", field: "idempotencyKey" },
  cli: {
    command: "payments refund",
    examples: [
      "qa-pay payments refund tx_0198…",
      'qa-pay payments refund tx_0198… --amount 500 --reason "Item out of stock"',
      "qa-pay payments refund tx_0198… --strategy devolution",
    ],
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Strategy", path: "strategy" },
      { header: "End-to-end id", path: "endToEndId" },
    ],
    next: "It advances by itself, or now: qa-pay sandbox refunds advance {id} --to REFUNDED",
  },
}).write(({ caller, params, body }, tx) => toRefund(acceptRefund(tx, findPayment(tx, caller.bookId, params.id), body)));
