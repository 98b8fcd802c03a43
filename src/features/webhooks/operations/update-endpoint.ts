import { z } from "zod";
import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { changeEndpoint } from "../actions.js";
import { checkWebhookUrl } from "../rules.js";
import { EndpointAnswer, EndpointStatusSchema, Subscriptions, toEndpoint } from "../wire.js";
import { findEndpoint } from "./find-endpoint.js";

/** docs/service/webhooks.md#endpoints: the request contains only the fields that change. */
export const updateEndpoint = defineOperation({
  id: "webhooks.endpoints.update",
  method: "PATCH",
  path: "/v1/webhooks/endpoints/{id}",
  auth: "key",
  surface: "api",
  summary: "Change a webhook endpoint",
  description:
    "Changes the URL, the events or the status of an endpoint; what is left out stays, and without any of them " +
    "nothing changes. INACTIVE holds pending deliveries back until the endpoint is ACTIVE again; events of the time " +
    "between are not recorded for it. It refuses what registering refuses.",
  params: IdParam,
  body: z.object({
    url: z.string().optional().meta({ description: "New target" }),
    events: Subscriptions.optional(),
    status: EndpointStatusSchema.optional().meta({ description: "INACTIVE holds deliveries back until ACTIVE again" }),
  }),
  success: { status: 200, description: "The endpoint as it is now", schema: EndpointAnswer },
  errors: [],
  cli: {
    command: "webhooks endpoints update",
    examples: ["qa-pay webhooks endpoints update we_0198… --status INACTIVE"],
    columns: [
      { header: "Endpoint", path: "id" },
      { header: "URL", path: "url" },
      { header: "Events", path: "events", format: "list" },
      { header: "Status", path: "status", format: "status" },
    ],
  },
}).write(({ caller, params, body }, tx) => {
  const endpoint = findEndpoint(tx, caller.bookId, params.id);
  const url = body.url === undefined ? undefined : checkWebhookUrl("url", body.url, tx.settings.strictHttps);
  const isChange = url !== undefined || body.events !== undefined || body.status !== undefined;
  return toEndpoint(isChange ? changeEndpoint(tx, endpoint, { ...body, url }) : endpoint);
});
