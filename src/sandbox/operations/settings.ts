import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { IsoInstant, NoQuery } from "../../kernel/schemas.js";

/** How the server was started and what it runs on, for the settings page of the console. */

const Value = z.union([z.string(), z.number(), z.boolean()]).nullable();

export const sandboxSettings = defineOperation({
  id: "sandbox.settings",
  method: "GET",
  path: "/_sandbox/settings",
  auth: "key",
  surface: "sandbox",
  summary: "Show how this server was started, and what it runs on",
  description:
    "Answers the flags of this start as they are in effect beside their defaults, the database with its size, the versions, " +
    "and the process with its memory. Keys, secrets and passwords are not shown, nor the query of an address. It takes " +
    "no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "The start, the database and the process",
    schema: z.object({
      version: z.string(),
      url: z.string(),
      boot: z.string().meta({ description: "Begins the ids of the live stream; another one at every start" }),
      started_at: IsoInstant.meta({ description: "Real time" }),
      flags: z.array(
        z
          .object({
            flag: z.string(),
            value: Value.meta({ description: "As it is in effect; null for none" }),
            default: Value,
          })
          .meta({ id: "StartFlag" }),
      ),
      previews: z.array(z.string()).meta({ description: "Routes that are not released yet and are served" }),
      rate_limit: z.int().nullable().meta({ description: "Requests to /v1 of one key within a minute" }),
      database: z.object({
        file: z.string().meta({ description: "The path, or :memory:" }),
        bytes: z.int(),
        driver: z.string(),
      }),
      node_version: z.string(),
      pid: z.int(),
      memory: z.object({ rss_bytes: z.int(), heap_bytes: z.int() }),
    }),
  },
  errors: [],
  cli: {
    command: "sandbox settings",
    examples: ["qa-pay sandbox settings", "qa-pay sandbox settings --json"],
    columns: [
      { header: "Version", path: "version" },
      { header: "URL", path: "url" },
      { header: "Started", path: "started_at" },
      { header: "Database", path: "database.file" },
      { header: "Bytes", path: "database.bytes" },
      { header: "Driver", path: "database.driver" },
      { header: "Node", path: "node_version" },
      { header: "Process", path: "pid" },
    ],
    below: {
      rows: "flags",
      columns: [
        { header: "Flag", path: "flag" },
        { header: "Value", path: "value" },
        { header: "Default", path: "default" },
      ],
    },
  },
}).control((_, { settings }) => settings());
