import { z } from "zod";
import { NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { EndpointListed, toListedEndpoint } from "../wire.js";

/** docs/service/webhooks.md#endpoints: the list never contains a secret. */
export const listEndpoints = defineOperation({
  id: "webhooks.endpoints.list",
  method: "GET",
  path: "/v1/webhooks/endpoints",
  auth: "key",
  surface: "api",
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
  errors: [],
  cli: {
    command: "webhooks endpoints list",
    examples: ["qa-pay webhooks endpoints list"],
    rows: "data",
    columns: [
      { header: "Endpoint", path: "id" },
      { header: "URL", path: "url" },
      { header: "Status", path: "status", format: "status" },
      { header: "Events", path: "events", format: "list" },
    ],
  },
}).read(({ caller }, reader) => ({ data: reader.webhooks.endpoints(caller.bookId).map(toListedEndpoint) }));
