import { defineOperation } from "../../features/operation.js";
import { resendDelivery } from "../../features/webhooks/actions.js";
import { Delivery, toDelivery } from "../../features/webhooks/wire.js";
import { IdParam } from "../../kernel/schemas.js";
import { findDelivery } from "./deliveries.js";

/** The manual resend of docs/service/webhooks.md#deliveries: a new delivery of the same event to the same endpoint. */
export const sandboxResend = defineOperation({
  id: "sandbox.deliveries.resend",
  method: "POST",
  path: "/_sandbox/webhooks/deliveries/{id}/resend",
  auth: "key",
  surface: "sandbox",
  summary: "Send the event of a delivery again",
  description:
    "Makes a new delivery of the same event for the same endpoint, signed with the secret that it has now. The old " +
    "delivery stays as it is. When the endpoint is deleted it is a 404.",
  params: IdParam,
  success: { status: 201, description: "The new delivery", schema: Delivery },
  errors: [],
  cli: {
    command: "sandbox deliveries resend",
    examples: ["qa-pay sandbox deliveries resend wd_0198…"],
    columns: [
      { header: "Delivery", path: "id" },
      { header: "Event", path: "eventType" },
      { header: "Status", path: "status", format: "status" },
    ],
  },
}).write(({ caller, params }, tx) => {
  return toDelivery(resendDelivery(tx, findDelivery(tx, caller.bookId, params.id)));
});
