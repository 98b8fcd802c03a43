import type { OperationAnswer } from "../../../client/types.js";

/** What a search finds, in Portuguese: the service begins each sentence with the kind of the object. */

type Found = Pick<OperationAnswer<"sandbox.search">["data"][number], "kind" | "text">;

const BEGINNINGS_PT: Readonly<Record<Found["kind"], readonly [english: string, portuguese: string]>> = {
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
};

/** Why it was found, where that is not a text of the object. */
const REASONS_PT: Readonly<Record<string, string>> = {
  "paid by this Pix": "paga por este Pix",
  "returned by this Pix": "devolvida por este Pix",
  "sent by this Pix": "enviada por este Pix",
  "with this txid": "com este txid",
  "customer has this document": "o cliente tem este documento",
  "payer has this document": "o pagador tem este documento",
  "payer with this document is expected": "é esperado um pagador com este documento",
};

const PARTS_PT: Readonly<Record<string, string>> = { payer: "pagador", customer: "cliente", about: "sobre" };

export function foundText({ kind, text }: Found, language: "en" | "pt-BR"): string {
  const [english, portuguese] = BEGINNINGS_PT[kind];
  if (language === "en" || !text.startsWith(english)) return text;
  const reason = Object.keys(REASONS_PT).find((one) => text.endsWith(`, ${one}`)) ?? "";
  const rest = text.slice(english.length, text.length - reason.length) + (REASONS_PT[reason] ?? "");
  return portuguese + rest.replace(/, (payer|customer|about) /g, (_, word: string) => `, ${PARTS_PT[word]} `);
}
