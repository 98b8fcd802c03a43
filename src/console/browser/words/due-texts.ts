import type { OperationAnswer } from "../../../client/types.js";
import { pt } from "../texts/index.js";
import { perLanguage } from "./per-language.js";
import type { TextTable } from "./service-text.js";

/** What is due. */
export const dueTexts = perLanguage<TextTable<OperationAnswer<"sandbox.clock.due">["data"][number]["code"]>>(
  null,
  pt.due,
);
