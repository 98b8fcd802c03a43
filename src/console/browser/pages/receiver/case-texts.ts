import type { OperationAnswer } from "../../../../client/types.js";
import { adviceText, type ReceiverTexts } from "../../../../receiver-check/texts.js";
import { pt } from "../../texts/index.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What the check of a receiver sends and advises. */

type Report = OperationAnswer<"sandbox.receivers.test">;

const tableIn = perLanguage<ReceiverTexts | null>(null, pt.receiver_case);

/** What a case sends and what it advises. */
export function textsOfCase(one: Report["cases"][number], language: Language) {
  const texts = tableIn(language);
  if (texts === null) return { sends: one.sends, advice: one.advice };
  const { name, advice_code: code, advice_params: params } = one;
  const advice = code === null ? null : adviceText(texts, name, { code, params: params ?? {} });
  return { sends: texts.cases[name].sends, advice };
}

export function hintText({ hint, hint_code: code }: Pick<Report, "hint" | "hint_code">, language: Language) {
  return code === null ? null : (tableIn(language)?.hints[code] ?? hint);
}
