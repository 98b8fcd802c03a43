import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { findEndpoint } from "../../features/webhooks/operations/find-endpoint.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { IdParam } from "../../kernel/schemas.js";

/** The service shows a secret once, when it is made. An emulator can show it again: its secrets protect nothing. */
export const sandboxRevealSecret = defineOperation({
  id: "sandbox.endpoints.reveal",
  method: "POST",
  path: "/_sandbox/webhooks/endpoints/{id}/reveal",
  auth: "key",
  surface: "sandbox",
  summary: "Show the secret of a webhook endpoint again",
  description:
    "Answers the secret that signs what goes to an endpoint, as it is now. The service itself shows a secret only when " +
    "it is made or replaced. It changes nothing and needs no body.",
  params: IdParam,
  success: {
    status: 200,
    description: "The secret",
    schema: z.object({ id: z.string(), secret: z.string() }),
  },
  errors: [],
  secrets: ["secret"],
  cli: {
    command: "sandbox endpoints reveal",
    examples: ["qa-pay sandbox endpoints reveal we_0198…"],
    columns: [
      { header: "Endpoint", path: "id" },
      { header: "Secret", path: "secret" },
    ],
  },
}).read(({ caller, params }, reader) => {
  const { id, secret } = findEndpoint(reader, caller.bookId, params.id);
  return { id: ID_PREFIX.endpoint + id, secret };
});
