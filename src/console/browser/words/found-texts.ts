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

const PARTS_PT: Readonly<Record<string, string>> = { payer: "pagador", customer: "cliente", about: "sobre" };

export function foundText({ kind, text }: Found, language: "en" | "pt-BR"): string {
  const [english, portuguese] = BEGINNINGS_PT[kind];
  if (language === "en" || !text.startsWith(english)) return text;
  const rest = text.slice(english.length);
  return portuguese + rest.replace(/, (payer|customer|about) /g, (_, word: string) => `, ${PARTS_PT[word]} `);
}
