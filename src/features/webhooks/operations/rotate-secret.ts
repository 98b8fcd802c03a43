import { z } from "zod";
import { ID_PREFIX } from "../../../kernel/ids.js";
import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { rotateSecret } from "../actions.js";
import { findEndpoint } from "./find-endpoint.js";

/** docs/service/webhooks.md#endpoints: the new secret counts at once, and the old one no longer. */
export const rotateEndpointSecret = defineOperation({
  id: "webhooks.endpoints.rotate-secret",
  method: "POST",
  path: "/v1/webhooks/endpoints/{id}/rotate-secret",
  auth: "key",
  surface: "api",
  summary: "Replace the secret of a webhook endpoint",
  description:
    "Replaces the secret at once, without a time in which both work: every later attempt, retries included, is " +
    "signed with the new one. The answer shows it this once. It needs no body.",
  params: IdParam,
  success: {
    status: 200,
    description: "The new secret, shown once",
    schema: z.object({ id: z.string(), secret: z.string() }),
  },
  errors: [],
  secrets: ["secret"],
  cli: {
    command: "webhooks endpoints rotate-secret",
    examples: ["qa-pay webhooks endpoints rotate-secret we_0198…"],
    columns: [
      { header: "Endpoint", path: "id" },
      { header: "Secret (shown once)", path: "secret" },
    ],
  },
}).write(({ caller, params }, tx) => {
  const endpoint = findEndpoint(tx, caller.bookId, params.id);
  return { id: ID_PREFIX.endpoint + endpoint.id, secret: rotateSecret(tx, endpoint) };
});
