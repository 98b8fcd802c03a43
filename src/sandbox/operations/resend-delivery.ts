import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { checkWebhookUrl, resendDelivery } from "../../features/webhooks/actions.js";
import { Delivery, toDelivery } from "../../features/webhooks/wire.js";
import { IdParam } from "../../kernel/schemas.js";
import { findDelivery } from "./deliveries.js";

/** The manual resend of docs/service/webhooks.md#deliveries: a new delivery of the same event. */
export const sandboxResend = defineOperation({
  id: "sandbox.deliveries.resend",
  method: "POST",
  path: "/_sandbox/webhooks/deliveries/{id}/resend",
  auth: "key",
  surface: "sandbox",
  summary: "Send the event of a delivery again",
  description:
    "Makes a new delivery of the same event for the same endpoint, signed with the secret that it has now. The old " +
    "delivery stays as it is. When the endpoint is deleted it is a 404. With `url` it goes there instead, whatever the " +
    "state of the endpoint, and is signed with the same secret; the URL has the rules of endpoints. A delivery that " +
    "went to such a URL goes there again.",
  params: IdParam,
  body: z.object({
    url: z.string().optional().meta({ description: "Where to send it instead: https://, or http:// to this machine" }),
  }),
  success: { status: 201, description: "The new delivery", schema: Delivery },
  errors: [],
  cli: {
    command: "sandbox deliveries resend",
    examples: [
      "qa-pay sandbox deliveries resend wd_0198…",
      "qa-pay sandbox deliveries resend wd_0198… --url http://localhost:3000/webhooks",
    ],
    columns: [
      { header: "Delivery", path: "id" },
      { header: "Event", path: "eventType" },
      { header: "Status", path: "status", format: "status" },
    ],
  },
}).write(({ caller, params, body }, tx) => {
  const delivery = findDelivery(tx, caller.bookId, params.id);
  const url = body.url === undefined ? undefined : checkWebhookUrl("url", body.url, tx.settings.strictHttps);
  return toDelivery(resendDelivery(tx, delivery, url));
});
