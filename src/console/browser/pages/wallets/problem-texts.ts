import type { OperationAnswer } from "../../../../client/types.js";
import { fill } from "../../../../kernel/message.js";
import { type Language, perLanguage } from "../../words/per-language.js";
import { serviceText, type TextTable } from "../../words/service-text.js";

/** What does not add up. */

type Problem = OperationAnswer<"sandbox.ledger.check">["problems"][number];

const tableIn = perLanguage<TextTable<Problem["code"]>>(null, {
  journal_empty: "O lançamento {journal} (de {reference}) não tem partidas.",
  journal_mixed: "O lançamento {journal} (de {reference}) tem partidas de várias moedas, ou de outra conta ou modo.",
  journal_unbalanced: "As partidas do lançamento {journal} (de {reference}) somam {found:money}, e não zero.",
  journal_unknown_reference: "O lançamento {journal} pertence a {reference}, que não existe.",
  entry_without_journal: "Uma partida de {found:money} em {bucket} não pertence a nenhum lançamento.",
  balance_differs: "O saldo de {bucket} é {found:money}; as partidas somam {expected:money}.",
  bucket_differs: "Pelos objetos, {bucket} deveria ter {expected:money}; os lançamentos têm {found:money}.",
  wallet_differs: "A carteira responde {found:money} como {bucket}; as partidas somam {expected:money}.",
  object_differs:
    "Pelo próprio registro, {reference} põe {expected:money} em {bucket}; os lançamentos põem {found:money}.",
  refunded_differs: "As devoluções de {reference} somam {expected:money}; o registro diz {found:money}.",
});

const moreIn = perLanguage("There are {more} more problems of this kind.", "Há mais {more} problemas deste tipo.");

export function problemText(problem: Problem, language: Language): string {
  const { code, text, more, ...params } = problem;
  if (more !== null) return fill(moreIn(language), { more });
  return serviceText(tableIn(language), { code, text, params: { ...params, currency: params.currency ?? "BRL" } });
}
