import type { OperationAnswer } from "../../../client/types.js";
import { type Language, perLanguage } from "./per-language.js";

/** What a search finds, in Portuguese: the service begins each sentence with the kind of the object. */

type Found = Pick<OperationAnswer<"sandbox.search">["data"][number], "kind" | "text">;

interface Words {
  /** How the sentence about each kind of object begins. */
  readonly beginnings: Readonly<Record<Found["kind"], readonly [english: string, other: string]>>;
  /** Why it was found, where that is not a text of the object. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, string>>;
}

const wordsIn = perLanguage<Words | null>(null, {
  beginnings: {
    charge: ["charge of ", "cobrança de "],
    payment: ["payment of ", "pagamento de "],
    refund: ["refund of ", "devolução de "],
    payout: ["payout of ", "saque de "],
    med_case: ["MED case over ", "caso MED de "],
    evidence: ["evidence ", "prova "],
    email: ["e-mail to ", "e-mail para "],
    event: ["event ", "evento "],
    delivery: ["delivery of ", "entrega de "],
    endpoint: ["webhook endpoint ", "endpoint de webhooks "],
    api_key: ["API key ", "chave de API "],
    user: ["user ", "usuário "],
    account: ["account ", "conta "],
  },
  reasons: {
    "paid by this Pix": "paga por este Pix",
    "returned by this Pix": "devolvida por este Pix",
    "sent by this Pix": "enviada por este Pix",
    "with this txid": "com este txid",
    "customer has this document": "o cliente tem este documento",
    "payer has this document": "o pagador tem este documento",
    "payer with this document is expected": "é esperado um pagador com este documento",
  },
  parts: { payer: "pagador", customer: "cliente", about: "sobre" },
});

export function foundText({ kind, text }: Found, language: Language): string {
  const words = wordsIn(language);
  const [english, other] = words?.beginnings[kind] ?? ["", ""];
  if (words === null || !text.startsWith(english)) return text;
  const reason = Object.keys(words.reasons).find((one) => text.endsWith(`, ${one}`)) ?? "";
  const rest = text.slice(english.length, text.length - reason.length) + (words.reasons[reason] ?? "");
  return other + rest.replace(/, (payer|customer|about) /g, (_, word: string) => `, ${words.parts[word]} `);
}
