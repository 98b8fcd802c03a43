import { z } from "zod";
import { IdParam, NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findPayment } from "../../transactions/actions.js";
import { Refund, toRefund } from "../wire.js";

/** docs/service/refunds.md#creating-a-refund */
export const listRefunds = defineOperation({
  id: "payments.refunds",
  method: "GET",
  path: "/v1/payments/{id}/refunds",
  auth: "key",
  surface: "api",
  summary: "List the refunds of a payment",
  description:
    "Lists every refund of one payment, newest first, failed ones included. The answer is a bare array. It takes no " +
    "parameter and refuses any.",
  params: IdParam,
  query: NoQuery,
  success: { status: 200, description: "Every refund of it, newest first", schema: z.array(Refund) },
  errors: [],
  cli: {
    command: "payments refunds",
    examples: ["qa-pay payments refunds tx_0198…"],
    rows: "",
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Strategy", path: "strategy" },
      { header: "Reason", path: "reason" },
      { header: "End-to-end id", path: "endToEndId" },
      { header: "Failure", path: "failureReason" },
      { header: "Created", path: "createdAt", format: "time" },
    ],
  },
}).read(({ caller, params }, reader) => {
  const payment = findPayment(reader, caller.bookId, params.id);
  return reader.refunds.ofTransaction(payment.id).map(toRefund);
});
