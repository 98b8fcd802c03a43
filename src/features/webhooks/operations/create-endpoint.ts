import { z } from "zod";
import { defineOperation } from "../../operation.js";
import { registerEndpoint } from "../actions.js";
import { checkWebhookUrl } from "../rules.js";
import { EndpointWithSecret, Subscriptions, toEndpoint } from "../wire.js";

/** docs/service/webhooks.md#endpoints. Only this answer and the answer of a rotation contain the secret. */
export const createEndpoint = defineOperation({
  id: "webhooks.endpoints.create",
  method: "POST",
  path: "/v1/webhooks/endpoints",
  auth: "key",
  surface: "api",
  summary: "Register a webhook endpoint",
  description:
    "Registers a URL for events of the key's account and mode. The answer carries the secret that signs them, which " +
    "no later answer shows. The URL is `https://`, or `http://` to this machine, without user name, white space or " +
    "control characters. Anything else and an unknown event name are refused. Events of the past are not sent.",
  body: z.object({
    url: z.string().meta({ description: "Where events are sent: https://, or http:// to this machine" }),
    events: Subscriptions,
  }),
  success: { status: 201, description: "The endpoint with its secret, shown once", schema: EndpointWithSecret },
  errors: [],
  secrets: ["secret"],
  cli: {
    command: "webhooks endpoints create",
    examples: [
      "qa-pay webhooks endpoints create --url http://localhost:3000/webhooks --events charge.paid,charge.expired",
    ],
    columns: [
      { header: "Endpoint", path: "id" },
      { header: "URL", path: "url" },
      { header: "Events", path: "events", format: "list" },
      { header: "Status", path: "status", format: "status" },
      { header: "Secret (shown once)", path: "secret" },
    ],
  },
}).write(({ caller, body }, tx) => {
  const url = checkWebhookUrl("url", body.url, tx.settings.strictHttps);
  const endpoint = registerEndpoint(tx, caller.bookId, { url, events: body.events, origin: "api" });
  return { ...toEndpoint(endpoint), secret: endpoint.secret };
});
