import * as z from "zod";
import { namesOf } from "../../../../base/kernel/names.js";
import { percentDecoded } from "../../../../base/kernel/page-address.js";
import { IsoInstant, TextParams } from "../../../../base/kernel/schemas.js";
import { type Caller, defineOperation } from "../../operation.js";
import { type SentenceCode, WHY_CODES, WHY_TEXTS } from "../../why-codes.js";

/** The reason for an object's present state, for console and programs; the command `why` also works at other hosts. */

const Why = z
  .object({
    id: z.string().describe("The id in full"),
    code: z.enum(WHY_CODES).describe("The cause"),
    sentences: z
      .array(z.object({ code: z.enum(namesOf<SentenceCode>(WHY_TEXTS)), params: TextParams }))
      .describe("Values in the text; a parameter that ends in _at is an instant"),
    text: z.string().describe("The sentences in English"),
    evidence: z.array(z.object({ at: IsoInstant, text: z.string() })).describe("What shows it, oldest first"),
    command: z.string().nullable().describe("What to run next; null where nothing is to be done"),
  })
  .meta({ id: "Why" });

/** A cause is found from the answers of other operations, which the emulator has. */
export interface WhyControls {
  /** Throws `not_found` for an id that no object of this caller has. */
  why(caller: Caller, id: string): Promise<z.input<typeof Why>>;
}

export const sandboxWhy = defineOperation({
  id: "sandbox.why",
  route: "GET /_sandbox/why/{id}",
  summary: "Say why something is in its present state, and what to run next",
  description:
    "Answers the cause of the present state of a charge, payment, refund, payout, delivery, event, request or MED case, as " +
    "`qa-pay why` does, and sends nothing to any receiver. It changes nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "The cause", schema: Why },
  // Clients choose the ids of their requests, and the router leaves escapes such as %2F as they are.
}).control(({ caller, params }, controls: WhyControls) => controls.why(caller, percentDecoded(params.id)));
