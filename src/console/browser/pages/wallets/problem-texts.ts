import type { OperationAnswer } from "../../../../client/types.js";
import { formatMoney } from "../../../../kernel/money.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What does not add up, in Portuguese. The English sentence is the one of the service. */

type Problem = OperationAnswer<"sandbox.ledger.check">["problems"][number];
type Facts = Readonly<Record<"journal" | "reference" | "bucket" | "expected" | "found", string>>;

interface Words {
  readonly of: Readonly<Record<Problem["code"], (facts: Facts) => string>>;
  readonly more: (count: string) => string;
}

const wordsIn = perLanguage<Words | null>(null, {
  of: {
    journal_empty: ({ journal, reference }) => `O lançamento ${journal} (de ${reference}) não tem partidas.`,
    journal_mixed: ({ journal, reference }) =>
      `O lançamento ${journal} (de ${reference}) tem partidas de várias moedas, ou de outra conta ou modo.`,
    journal_unbalanced: ({ journal, reference, found }) =>
      `As partidas do lançamento ${journal} (de ${reference}) somam ${found}, e não zero.`,
    journal_unknown_reference: ({ journal, reference }) =>
      `O lançamento ${journal} pertence a ${reference}, que não existe.`,
    entry_without_journal: ({ bucket, found }) =>
      `Uma partida de ${found} em ${bucket} não pertence a nenhum lançamento.`,
    balance_differs: ({ bucket, expected, found }) => `O saldo de ${bucket} é ${found}; as partidas somam ${expected}.`,
    bucket_differs: ({ bucket, expected, found }) =>
      `Pelos objetos, ${bucket} deveria ter ${expected}; os lançamentos têm ${found}.`,
    wallet_differs: ({ bucket, expected, found }) =>
      `A carteira responde ${found} como ${bucket}; as partidas somam ${expected}.`,
    object_differs: ({ reference, bucket, expected, found }) =>
      `Pelo próprio registro, ${reference} põe ${expected} em ${bucket}; os lançamentos põem ${found}.`,
    refunded_differs: ({ reference, expected, found }) =>
      `As devoluções de ${reference} somam ${expected}; o registro diz ${found}.`,
  },
  more: (count) => `Há mais ${count} problemas deste tipo.`,
});

export function problemText(problem: Problem, language: Language): string {
  const { code, text, journal, reference, currency, bucket } = problem;
  const words = wordsIn(language);
  if (words === null) return text;
  const [, more] = /^There are (\d+) more problems of this kind\.$/.exec(text) ?? [];
  if (more !== undefined) return words.more(more);
  const money = (amount: number | null) => (amount === null ? "—" : formatMoney(amount, currency ?? "BRL"));
  const [expected, found] = [money(problem.expected), money(problem.found)];
  const facts = { journal: journal ?? "—", reference: reference ?? "—", bucket: bucket ?? "—", expected, found };
  return words.of[code](facts);
}
