import { z } from "zod";
import { NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { EVENT_CATALOGUE, EVENT_NAMES } from "../catalogue.js";
import { EventNameSchema } from "../wire.js";

/** docs/service/webhooks.md#catalogue: no authentication. */
export const eventCatalog = defineOperation({
  id: "webhooks.events",
  method: "GET",
  path: "/v1/webhooks/event-catalog",
  auth: "none",
  surface: "api",
  summary: "List the events an endpoint can subscribe to",
  description:
    "Lists every event that an endpoint can be registered for and says what it tells; those of the older family " +
    "carry `legacy: true`. It needs no API key, takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "Every event name",
    schema: z.array(z.object({ event: EventNameSchema, description: z.string(), legacy: z.literal(true).optional() })),
  },
  errors: [],
  cli: {
    command: "webhooks events",
    examples: ["qa-pay webhooks events"],
    rows: "",
    columns: [
      { header: "Event", path: "event" },
      { header: "Description", path: "description" },
      { header: "Legacy", path: "legacy" },
    ],
  },
}).read(() =>
  EVENT_NAMES.map((event) => {
    const { family, description } = EVENT_CATALOGUE[event];
    return family === "legacy" ? { event, description, legacy: true as const } : { event, description };
  }),
);
