import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { advanceRefund } from "../../features/refunds/actions.js";
import { Refund, toRefund } from "../../features/refunds/wire.js";
import { notFound } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IdParam } from "../../kernel/schemas.js";

/** Simulates the acquirer, which carries out a refund. The work itself is in the actions of refunds. */
export const sandboxAdvanceRefund = defineOperation({
  id: "sandbox.refunds.advance",
  method: "POST",
  path: "/_sandbox/refunds/{id}/advance",
  auth: "key",
  surface: "sandbox",
  summary: "Let a refund take its next step, or both, or fail",
  description:
    "Takes a refund to the named status in place of the acquirer. `payment.refunded` follows each step; FAILED " +
    "gives the amount back to the wallet. A refund that has ended is refused.",
  params: IdParam,
  body: z.object({
    to: z
      .enum(["IN_PROGRESS", "REFUNDED", "FAILED"])
      .meta({ description: "From PENDING, REFUNDED and FAILED pass through IN_PROGRESS" }),
  }),
  success: { status: 200, description: "The refund", schema: Refund },
  errors: [],
  cli: {
    command: "sandbox refunds advance",
    examples: ["qa-pay sandbox refunds advance rf_0198… --to REFUNDED"],
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "End-to-end id", path: "endToEndId" },
      { header: "Failure", path: "failureReason" },
    ],
  },
}).write(({ caller, params, body }, tx) => {
  const raw = rawId(params.id, ID_PREFIX.refund, "");
  const refund = raw === null ? null : tx.refunds.inBook(raw, caller.bookId);
  if (refund === null) throw notFound("refund", params.id);
  return toRefund(advanceRefund(tx, refund, body.to));
});
