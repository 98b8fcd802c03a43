import * as z from "zod";
import { IsoInstant } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import type { StoryRows } from "../story.js";

/** The stored rows of a charge, from which `incident save` makes its file (docs/decisions/152-incidents.md). */

const Incident = z
  .object({
    subject: z.string().describe("Id of the charge"),
    now: IsoInstant,
    summary: z.array(z.string()).describe("What happened, as in the timeline: an instant and a sentence each"),
    rows: z
      .record(z.string(), z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))))
      .describe("The stored rows by table, without keys and secrets"),
  })
  .meta({ id: "Incident" });

/** A story needs the request log too, which the emulator has. */
export interface IncidentControls {
  /** The rows of a charge. Throws `not_found` for an id of none, and of none of its refunds and cases. */
  incident(bookId: number, id: string): Omit<z.input<typeof Incident>, "rows"> & { readonly rows: StoryRows };
}

export const sandboxIncident = defineOperation({
  id: "sandbox.incident",
  route: "GET /_sandbox/incidents/{id}",
  summary: "Read everything that is stored of a charge, for `incident save`",
  description:
    "Answers the stored rows of a charge of the key's account and mode, with its refunds, MED cases, money, events and " +
    "deliveries, by table and column, and its timeline as sentences. The id may also be that of a refund or a case. " +
    "API keys, users and secrets are left out; personal data is not. `qa-pay incident save` replaces it. It changes nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "The rows", schema: Incident },
}).control(({ caller, params }, controls: IncidentControls) => {
  const { rows, ...about } = controls.incident(caller.bookId, params.id);
  return { ...about, rows: Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, [...all]])) };
});
