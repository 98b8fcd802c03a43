import * as z from "zod";
import { IsoInstant } from "../../../../base/kernel/schemas.js";
import { type DueEntry, DueWork, toDueWork } from "../../jobs/due-work.js";
import { defineOperation } from "../../operation.js";
import { TimelineItem } from "../build.js";

/** The history of one object, its causes, and its next steps (docs/decisions/044-history-and-timelines.md). */

const Timeline = z
  .object({
    subject: z.string(),
    now: IsoInstant,
    frozen: z.boolean(),
    items: z.array(TimelineItem),
    due: z.array(DueWork).describe("Work that is still due, soonest first"),
  })
  .meta({ id: "Timeline" });

/** A timeline needs the request log too, which the emulator has. */
export interface TimelineControls {
  /** The timeline of an object. Throws `not_found` for an id that no object of this book has. */
  timeline(bookId: number, id: string): Omit<z.input<typeof Timeline>, "due"> & { readonly due: readonly DueEntry[] };
}

export const sandboxTimeline = defineOperation({
  id: "sandbox.timeline",
  route: "GET /_sandbox/timeline/{id}",
  summary: "Show the whole history of a charge, payment, refund, payout or MED case",
  description:
    "Answers everything that happened to an object of the key's account and mode, oldest first: requests, changes of its " +
    "state, money, events, deliveries with their attempts, refunds, MED cases, e-mails and changes of the clock. Each " +
    "item names its cause and the item that it came from; `due` is the work that is still due. The history of a " +
    "charge includes its refunds and cases. Requests are known as far as the request log reaches back. It changes " +
    "nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "The history so far", schema: Timeline },
  cli: {
    examples: ["qa-pay sandbox timeline ch_0198…", "qa-pay sandbox timeline ch_0198… --follow"],
    columns: [],
  },
}).control(({ caller, params }, controls: TimelineControls) => {
  const { due, ...about } = controls.timeline(caller.bookId, params.id);
  return { ...about, due: due.map(toDueWork) };
});
