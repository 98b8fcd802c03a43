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

const ReceiverMistake = z
  .object({
    id: z.string().describe("Id of the delivery"),
    proof: z
      .object({
        code: z.enum(namesOf<SentenceCode>(WHY_TEXTS)),
        params: TextParams,
        text: z.string().describe("The mistake in English, and what is right"),
        right: z.string().describe("X-QA-Signature as the service makes it, of the instant of the trials"),
        accepted: z.string().describe("The value that the receiver accepts at the same instant"),
        signed: z.string().describe("The text that the service signs"),
        receiver_signed: z.string().nullable().describe("The text that the receiver signs; null for the right one"),
      })
      .nullable()
      .describe("Null where the answers of the receiver prove none of the usual mistakes"),
  })
  .meta({ id: "ReceiverMistake" });

/** A cause is found from the answers of other operations, which the emulator has. */
export interface WhyControls {
  /** Throws `not_found` for an id that no object of this caller has. */
  why(caller: Caller, id: string): Promise<z.input<typeof Why>>;
  /** Sends webhooks to the receiver of a delivery. Throws `not_found` for a delivery that this caller does not have. */
  proveMistake(caller: Caller, id: string): Promise<z.input<typeof ReceiverMistake>>;
}

export const sandboxWhy = defineOperation({
  id: "sandbox.why",
  route: "GET /_sandbox/why/{id}",
  summary: "Say why something is in its present state, and what to run next",
  description:
    "Answers the cause of the present state of a charge, payment, refund, payout, delivery, event, request or MED case, as " +
    "`qa-pay why` does, and sends nothing to any receiver. For an id of the other mode or of another account it says which has it (404). It " +
    "changes nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "The cause", schema: Why },
  // Clients choose the ids of their requests, and the router leaves escapes such as %2F as they are.
}).control(({ caller, params }, controls: WhyControls) => controls.why(caller, percentDecoded(params.id)));

export const sandboxProveMistake = defineOperation({
  id: "sandbox.deliveries.prove",
  route: "POST /_sandbox/webhooks/deliveries/{id}/prove",
  summary: "Find the mistake of a receiver that refuses a signature",
  description:
    "Sends the webhook of a refused delivery to its receiver again, signed once for each usual mistake, until the receiver " +
    "accepts one, as `qa-pay why` does. Answers the mistake, the signature that the receiver accepts beside the right one, and " +
    "the texts that both sign. `proof` is null for a receiver that accepts any signature or none, that does not answer, or " +
    "whose last answer is no refusal of a signature; then nothing more is sent. Nothing is stored, and the times are real. " +
    "It needs no body.",
  success: { status: 200, description: "The mistake and its proof", schema: ReceiverMistake },
  timeoutMs: 600_000,
  cli: {
    examples: ["qa-pay sandbox deliveries prove wd_0198…"],
    columns: "id as Delivery, proof.text as Mistake, proof.right as Sent, proof.accepted as Accepted",
  },
}).control(({ caller, params }, controls: WhyControls) => controls.proveMistake(caller, params.id));
