import type { OperationAnswer } from "../../../client/types.js";
import { fill } from "../../../kernel/message.js";
import { pt } from "../texts/index.js";
import { type Language, perLanguage } from "./per-language.js";
import type { TextTable } from "./service-text.js";

/** What a search finds, and why. */

type Found = OperationAnswer<"sandbox.search">["data"][number];

const tableIn = perLanguage<TextTable<Found["parts"][number]["code"]>>(null, pt.found);

export function foundText({ parts, text }: Pick<Found, "parts" | "text">, language: Language): string {
  const texts = tableIn(language);
  return texts === null ? text : parts.map(({ code, params }) => fill(texts[code], params)).join(", ");
}
