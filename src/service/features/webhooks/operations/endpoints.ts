import * as z from "zod";
import { rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { NoQuery } from "../../../../base/kernel/schemas.js";
import { checkWebhookUrl } from "../../../../base/kernel/webhook-url.js";
import { defineOperation } from "../../operation.js";
import type { Stores } from "../../tx.js";
import { changeEndpoint, deleteEndpoint, registerEndpoint, rotateSecret } from "../actions.js";
import { EVENT_CATALOGUE, EVENT_NAMES } from "../catalogue.js";
import {
  EndpointAnswer,
  EndpointListed,
  EndpointStatusSchema,
  EndpointWithSecret,
  EventNameSchema,
  Subscriptions,
  toEndpoint,
  toListedEndpoint,
  WebhookUrl,
} from "../resource.js";
import type { EndpointRow } from "../store.js";

export function findEndpoint(stores: Stores, bookId: number, id: string): EndpointRow {
  return rowById("endpoint", id, (raw) => stores.webhooks.endpoint(bookId, raw));
}

/** docs/service/webhooks.md#endpoints. Only this answer and the answer of a rotation contain the secret. */
export const createEndpoint = defineOperation({
  id: "webhooks.endpoints.create",
  route: "POST /v1/webhooks/endpoints",
  summary: "Register a webhook endpoint",
  questions: ["Send webhooks to {url} from now on?"],
  description:
    "Registers a URL for events of the key's account and mode. The answer carries the secret that signs them, which " +
    "no later answer shows. The URL is `https://`, or `http://` to this machine, without user name, white space or " +
    "control characters. Anything else and an unknown event name are refused. Events of the past are not sent.",
  body: z.object({
    url: WebhookUrl.describe("Where events are sent: https://, or http:// to this machine"),
    events: Subscriptions,
  }),
  success: { status: 201, description: "The endpoint with its secret, shown once", schema: EndpointWithSecret },
  secrets: ["secret"],
  cli: {
    examples: [
      "qa-pay webhooks endpoints create --url http://localhost:3000/webhooks --events charge.paid,charge.expired",
    ],
    columns: "id as Endpoint, url, events, status, secret as Secret (shown once)",
  },
}).write(({ caller, body }, tx) => {
  const url = checkWebhookUrl("url", body.url, tx.settings);
  const endpoint = registerEndpoint(tx, caller.bookId, { url, events: body.events, origin: "api" });
  return { ...toEndpoint(endpoint), secret: endpoint.secret };
});

/** docs/service/webhooks.md#endpoints: the list never contains a secret. */
export const listEndpoints = defineOperation({
  id: "webhooks.endpoints.list",
  route: "GET /v1/webhooks/endpoints",
  summary: "List webhook endpoints",
  description:
    "Lists the endpoints of the key's account and mode, newest first, without their secrets; the target of `serve " +
    "--forward-to` is one of them. It takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "The endpoints, newest first",
    schema: z.object({ data: z.array(EndpointListed) }),
  },
  cli: {
    columns: "id as Endpoint, url, status, events",
  },
}).read(({ caller }, reader) => ({ data: reader.webhooks.endpoints(caller.bookId).map(toListedEndpoint) }));

/** docs/service/webhooks.md#endpoints: the request contains only the fields that change. */
export const updateEndpoint = defineOperation({
  id: "webhooks.endpoints.update",
  route: "PATCH /v1/webhooks/endpoints/{id}",
  summary: "Change a webhook endpoint",
  questions: ["Change the webhook endpoint {url}?"],
  asksAbout: "/v1/webhooks/endpoints",
  description:
    "Changes the URL, the events or the status of an endpoint; what is left out stays, and without any of them " +
    "nothing changes. INACTIVE holds pending deliveries back until the endpoint is ACTIVE again; events of the time " +
    "between are not recorded for it. It refuses what registering refuses.",
  body: z.object({
    url: WebhookUrl.optional().describe("New target"),
    events: Subscriptions.optional(),
    status: EndpointStatusSchema.optional().describe("INACTIVE holds deliveries back until ACTIVE again"),
  }),
  success: { status: 200, description: "The endpoint as it is now", schema: EndpointAnswer },
  cli: {
    examples: ["qa-pay webhooks endpoints update we_0198… --status INACTIVE"],
    columns: "id as Endpoint, url, events, status",
  },
}).write(({ caller, params, body }, tx) => {
  const endpoint = findEndpoint(tx, caller.bookId, params.id);
  const url = body.url === undefined ? undefined : checkWebhookUrl("url", body.url, tx.settings);
  const isChange = url !== undefined || body.events !== undefined || body.status !== undefined;
  return toEndpoint(isChange ? changeEndpoint(tx, endpoint, { ...body, url }) : endpoint);
});

/** docs/service/webhooks.md#endpoints: pending deliveries are cancelled. */
export const removeEndpoint = defineOperation({
  id: "webhooks.endpoints.delete",
  route: "DELETE /v1/webhooks/endpoints/{id}",
  summary: "Delete a webhook endpoint",
  questions: ["Delete the webhook endpoint {url}?"],
  asksAbout: "/v1/webhooks/endpoints",
  description:
    "Removes an endpoint. What is still pending for it is cancelled; an attempt under way is recorded with its answer, " +
    "and deliveries that have ended stay in the list. It needs no body.",
  success: { status: 200, description: "It is gone", schema: z.object({ deleted: z.literal(true) }) },
  cli: {
    columns: "deleted",
  },
}).write(({ caller, params }, tx) => {
  deleteEndpoint(tx, findEndpoint(tx, caller.bookId, params.id));
  return { deleted: true };
});

/** docs/service/webhooks.md#endpoints: the new secret is valid at once, and the old one no longer. */
export const rotateEndpointSecret = defineOperation({
  id: "webhooks.endpoints.rotate-secret",
  route: "POST /v1/webhooks/endpoints/{id}/rotate-secret",
  summary: "Replace the secret of a webhook endpoint",
  questions: ["Replace the secret of the webhook endpoint {url}?"],
  asksAbout: "/v1/webhooks/endpoints",
  description:
    "Replaces the secret at once, without a time in which both work: every later attempt, retries included, is " +
    "signed with the new one. The answer shows it only once. It needs no body.",
  success: {
    status: 200,
    description: "The new secret, shown once",
    schema: z.object({ id: z.string(), secret: z.string() }),
  },
  secrets: ["secret"],
  cli: {
    columns: "id as Endpoint, secret as Secret (shown once)",
  },
}).write(({ caller, params }, tx) => {
  const endpoint = findEndpoint(tx, caller.bookId, params.id);
  return { id: ID_PREFIX.endpoint + endpoint.id, secret: rotateSecret(tx, endpoint) };
});

/** docs/service/webhooks.md#catalogue: no authentication. */
export const eventCatalog = defineOperation({
  id: "webhooks.events",
  route: "GET /v1/webhooks/event-catalog",
  auth: "none",
  summary: "List the events an endpoint can subscribe to",
  description:
    "Lists every event that an endpoint can be registered for with what it reports; those of the older family " +
    "carry `legacy: true`. It needs no API key, takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "Every event name",
    schema: z.array(z.object({ event: EventNameSchema, description: z.string(), legacy: z.literal(true).optional() })),
  },
  cli: {
    columns: "event, description, legacy",
  },
}).read(() =>
  EVENT_NAMES.map((event) => {
    const { family, description } = EVENT_CATALOGUE[event];
    return family === "legacy" ? { event, description, legacy: true as const } : { event, description };
  }),
);
