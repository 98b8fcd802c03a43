import * as z from "zod";
import { PAGE_QUERY } from "../../../../base/kernel/cursor-page.js";
import { namesOf } from "../../../../base/kernel/names.js";
import { TextParams, Words } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { FOUND_KINDS, FOUND_TEXTS } from "../../service-texts.js";
import { MAX_LENGTH, search } from "../search.js";

export const sandboxSearch = defineOperation({
  id: "sandbox.search",
  route: "GET /_sandbox/search",
  summary: "Find anything by an id, a code, a document, an amount or a text",
  description:
    "Finds what the account has in the mode of the key: by any id or its beginning, end-to-end id, txid, pasted BR " +
    "Code or address of a page, document with or without punctuation, amount (`1990`, `19,90`, `R$ 1.234,56`), and by " +
    "parts of names, e-mail addresses and metadata without regard to case and accents. Ids and codes come first, then " +
    "exact values, then parts, the newest first of each, at most 50. One page looks for a text in 20,000 payments at most; " +
    "`after` goes on with older ones. When nothing has the text, what has all of its two to five terms is found: `19,90, " +
    "Maria`. A `q` of white space alone and a cursor that is none are refused.",
  query: z.strictObject({
    q: Words.max(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`).meta({
      description: "What to look for",
      examples: ["Maria Silva"],
    }),
    after: PAGE_QUERY.after,
  }),
  success: {
    status: 200,
    description: "What was found",
    schema: z.object({
      data: z.array(
        z.object({
          kind: z.enum(FOUND_KINDS),
          id: z.string(),
          text: z.string(),
          parts: z
            .array(z.object({ code: z.enum(namesOf(FOUND_TEXTS)), params: TextParams }))
            .describe("The parts of the text: what it is, and why it was found"),
        }),
      ),
      has_more: z.boolean().describe("Older payments can be searched with `after`"),
      next_cursor: z.string().nullable(),
      note: z.string().nullable().describe("What was not searched or is not shown"),
    }),
  },
  cli: {
    argument: "q",
    examples: [
      "qa-pay sandbox search 'maria silva'",
      "qa-pay sandbox search 'R$ 19,90, maria'",
      "qa-pay sandbox search 529.982.247-25 --json",
    ],
    columns: ["kind, id", { header: "What", path: "text", isWhole: true }],
  },
}).read(({ caller, query }, reader) => {
  const { bookId, accountId } = caller;
  const { data, next_cursor, note } = search(reader, { bookId, accountId, ...query });
  return {
    data: data.map(({ parts, ...found }) => ({ ...found, parts: [...parts] })),
    has_more: next_cursor !== null,
    next_cursor,
    note,
  };
});
