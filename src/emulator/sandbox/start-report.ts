import * as z from "zod";
import { IsoInstant } from "../../base/kernel/schemas.js";

/** The start of this server: its flags beside their defaults, and the process. It has no secret. */

const Value = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** A flag of `serve`; an option of programs has the same name in camelCase. */
const StartFlag = z
  .object({
    flag: z.string(),
    value: Value.describe("The value in effect; null for none"),
    default: Value,
  })
  .meta({ id: "StartFlag" });
export type StartFlag = z.input<typeof StartFlag>;

export const StartReport = z.object({
  version: z.string(),
  url: z.string(),
  boot: z.string().describe("Begins the ids of the live stream; another one at every start"),
  started_at: IsoInstant.describe("Real time"),
  flags: z.array(StartFlag),
  previews: z.array(z.string()).describe("Routes that are not released yet and are served"),
  rate_limit: z.int().nullable().describe("Requests to /v1 of one key within a minute"),
  database: z.object({
    file: z.string().describe("The path, or :memory:"),
    bytes: z.int(),
    driver: z.string(),
  }),
  node_version: z.string(),
  pid: z.int(),
  memory: z.object({ rss_bytes: z.int(), heap_bytes: z.int() }),
});
export type StartReport = z.input<typeof StartReport>;
