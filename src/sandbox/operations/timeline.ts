import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { IdParam, IsoInstant } from "../../kernel/schemas.js";
import { ITEM_KINDS } from "../timeline/build.js";
import { DueWork, toDueWork } from "./clock.js";

/** What happened to one object, why, and what comes next (docs/decisions/044-history-and-timelines.md). */

const Item = z
  .object({
    id: z.string(),
    at: IsoInstant,
    kind: z.enum(ITEM_KINDS),
    text: z.string().meta({ description: "What happened, in words" }),
    cause: z.string().meta({ description: "The request, due work, page or command behind it" }),
    parent: z.string().nullable().meta({ description: "The id of the item that it came from" }),
    data: z.record(z.string(), z.unknown()).meta({ description: "Particulars; they differ by kind" }),
  })
  .meta({ id: "TimelineItem" });

const Timeline = z
  .object({
    subject: z.string(),
    now: IsoInstant,
    frozen: z.boolean(),
    items: z.array(Item),
    due: z.array(DueWork).meta({ description: "What would still happen by itself, soonest first" }),
  })
  .meta({ id: "Timeline" });

export const sandboxTimeline = defineOperation({
  id: "sandbox.timeline",
  method: "GET",
  path: "/_sandbox/timeline/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Tell the whole story of a charge, payment, refund, payout or MED case",
  description:
    "Answers everything that happened to an object of the key's account and mode, oldest first: requests, changes of its " +
    "state, money, events, deliveries with their attempts, refunds, MED cases, e-mails and changes of the clock. Each " +
    "item names its cause and the item that it came from; `due` is what would still happen by itself. The story of a " +
    "charge includes its refunds and cases. Requests are known as far as the request log reaches back. It changes " +
    "nothing.",
  params: IdParam,
  query: z.strictObject({}),
  success: { status: 200, description: "The story so far", schema: Timeline },
  errors: [],
  cli: {
    command: "sandbox timeline",
    examples: ["qa-pay sandbox timeline ch_0198…", "qa-pay sandbox timeline ch_0198… --follow"],
    timeline: true,
    columns: [
      { header: "Subject", path: "subject" },
      { header: "Now", path: "now", format: "time" },
    ],
  },
}).control(({ caller, params }, controls) => {
  const { due, items, ...about } = controls.timeline(caller.bookId, params.id);
  return { ...about, items: [...items], due: due.map(toDueWork) };
});
