import { z } from "zod";
import { codesOf, fill } from "../../kernel/message.js";
import { IsoInstant, TextParams } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";
import { DUE_TEXTS } from "./due-texts.js";
import { type DueEntry, WORK_KINDS } from "./due-work.js";

/** Due work as answers show it. */

export const DueWork = z
  .object({
    at: IsoInstant,
    kind: z.enum(WORK_KINDS),
    subject: z.string().describe("Id of the object that it is about"),
    text: z.string().describe("What happens, in plain words"),
    code: z.enum(codesOf(DUE_TEXTS)).describe("Which sentence the text is"),
    params: TextParams,
  })
  .meta({ id: "DueWork" });

export function toDueWork({ at, kind, subject, code, params }: DueEntry): z.input<typeof DueWork> {
  return { at: iso(at), kind, subject, text: fill(DUE_TEXTS[code], params), code, params };
}
