import { z } from "zod";
import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { republish } from "../../webhooks/actions.js";
import { findPayment } from "../actions.js";
import { eventsBehind, TRANSACTION_STATUSES } from "../machine.js";

/** docs/service/payments.md#sending-events-again */
export const resendPaymentWebhook = defineOperation({
  id: "payments.resend-webhook",
  method: "POST",
  path: "/v1/payments/{id}/resend-webhook",
  auth: "key",
  surface: "api",
  summary: "Send the events of a payment's present status once more",
  description:
    "Sends the events of the payment's present status once more, under the ids that they had, as new deliveries. " +
    "`resent` is false when no endpoint wants any of them. The payment stays as it is. It needs no body.",
  params: IdParam,
  success: {
    status: 200,
    description: "Whether anybody receives it, and the status that was sent",
    schema: z.object({ resent: z.boolean(), status: z.enum(TRANSACTION_STATUSES) }),
  },
  errors: [],
  cli: {
    command: "payments resend-webhook",
    examples: ["qa-pay payments resend-webhook tx_0198…"],
    columns: [
      { header: "Resent", path: "resent" },
      { header: "Status", path: "status", format: "status" },
    ],
  },
}).write(({ caller, params }, tx) => {
  const { id, book_id, status, webhook_url } = findPayment(tx, caller.bookId, params.id);
  return { resent: republish(tx, book_id, id, eventsBehind(status), webhook_url) > 0, status };
});
