import type { OperationAnswer } from "../../../client/types.js";
import { type Language, perLanguage } from "./per-language.js";

/** What is due, as a sentence. The service writes it in English; each kind of work and each sentence has its Portuguese here. */

type Kind = OperationAnswer<"sandbox.clock.due">["data"][number]["kind"];

type Sentences = Readonly<Record<Kind, readonly (readonly [english: RegExp, other: string])[]>>;

const sentencesIn = perLanguage<Sentences | null>(null, {
  "med.open": [[/^payer's bank opens a MED case$/, "o banco do pagador abre um caso MED"]],
  "refund.advance": [
    [/^refund moves from requested to in progress$/, "a devolução passa de solicitada a em andamento"],
    [/^refund moves from in progress to refunded$/, "a devolução passa de em andamento a concluída"],
    [/^refund fails: nobody owns its Pix key$/, "a devolução falha: a chave Pix não é de ninguém"],
  ],
  "transaction.expire": [
    [/^charge expires unpaid$/, "a cobrança expira sem pagamento"],
    [
      /^charge expires: its card payment was not completed$/,
      "a cobrança expira: o pagamento com cartão não foi concluído",
    ],
  ],
  "transaction.finalise": [[/^acquirer issues the codes of the charge$/, "o adquirente emite os códigos da cobrança"]],
  "transaction.pay": [
    [/^charge is paid$/, "a cobrança é paga"],
    [
      /^charge is paid and held for review: the bank does not report the payer$/,
      "a cobrança é paga e fica retida para análise: o banco não informa o pagador",
    ],
    [
      /^charge is paid by another payer than the expected one, and the money goes back$/,
      "a cobrança é paga por outro pagador que não o esperado, e o dinheiro volta",
    ],
  ],
  "wallet.release": [[/^(.+) of the charge becomes available$/, "$1 da cobrança fica disponível"]],
  "delivery.attempt": [[/^attempt (\d+) of (\S+) to (.+)$/, "tentativa $1 de $2 para $3"]],
});

/** The kinds by themselves, for a sentence of a newer server. */
const kindsIn = perLanguage<Readonly<Record<Kind, string>> | null>(null, {
  "med.open": "abertura de um caso MED",
  "refund.advance": "passo da devolução",
  "transaction.expire": "expiração da cobrança",
  "transaction.finalise": "códigos do adquirente",
  "transaction.pay": "pagamento do roteiro",
  "wallet.release": "liberação de saldo",
  "delivery.attempt": "tentativa de entrega",
});

export function dueText({ kind, text }: { kind: Kind; text: string }, language: Language): string {
  const [sentences, kinds] = [sentencesIn(language), kindsIn(language)];
  if (sentences === null || kinds === null) return text;
  const [english, other] = sentences[kind]?.find(([form]) => form.test(text)) ?? [];
  if (english === undefined || other === undefined) return kinds[kind] ?? kind;
  return text.replace(english, other);
}
