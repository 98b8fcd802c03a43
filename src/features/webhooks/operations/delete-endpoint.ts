import { z } from "zod";
import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { deleteEndpoint } from "../actions.js";
import { findEndpoint } from "./find-endpoint.js";

/** docs/service/webhooks.md#endpoints: pending deliveries are cancelled. */
export const removeEndpoint = defineOperation({
  id: "webhooks.endpoints.delete",
  method: "DELETE",
  path: "/v1/webhooks/endpoints/{id}",
  auth: "key",
  surface: "api",
  summary: "Delete a webhook endpoint",
  description:
    "Removes an endpoint. What is still pending for it is cancelled; deliveries that have ended stay in the list. " +
    "It needs no body.",
  params: IdParam,
  success: { status: 200, description: "It is gone", schema: z.object({ deleted: z.literal(true) }) },
  errors: [],
  cli: {
    command: "webhooks endpoints delete",
    examples: ["qa-pay webhooks endpoints delete we_0198…"],
    columns: [{ header: "Deleted", path: "deleted" }],
  },
}).write(({ caller, params }, tx) => {
  deleteEndpoint(tx, findEndpoint(tx, caller.bookId, params.id));
  return { deleted: true };
});
