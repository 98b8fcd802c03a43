import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { en, pt } from "../../texts/index.js";
import { type Language, perLanguage } from "../../words/per-language.js";
import { serviceText, type TextTable } from "../../words/service-text.js";

/** What does not add up. */

type Problem = OperationAnswer<"sandbox.ledger.check">["problems"][number];

const tableIn = perLanguage<TextTable<Problem["code"]>>(null, pt.wallet_problems);

const moreIn = perLanguage(en.more_wallet_problems, pt.more_wallet_problems);

export function problemText(problem: Problem, language: Language): string {
  const { code, text, more, ...params } = problem;
  if (more !== null) return fill(moreIn(language), { more });
  return serviceText(tableIn(language), { code, text, params: { ...params, currency: params.currency ?? "BRL" } });
}
