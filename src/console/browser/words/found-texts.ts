import type { OperationAnswer } from "../../../client/types.js";
import { fill } from "../../../kernel/message.js";
import { type Language, perLanguage } from "./per-language.js";
import type { TextTable } from "./service-text.js";

/** What a search finds, and why. */

type Found = OperationAnswer<"sandbox.search">["data"][number];

const tableIn = perLanguage<TextTable<Found["parts"][number]["code"]>>(null, {
  charge: "cobrança de {amount:money}",
  payment: "pagamento de {amount:money}",
  refund: "devolução de {amount:money}",
  payout: "saque de {amount:money}",
  med_case: "caso MED de {amount:money}",
  evidence: "prova {name} de {case}",
  email: "e-mail para {recipient}",
  event: "evento {type}",
  delivery: "entrega de {type}",
  endpoint: "endpoint de webhooks {url}",
  api_key: "chave de API {prefix}…",
  user: "usuário {name}",
  account: "conta {name}",
  value: "{value}",
  about_charge: "sobre {charge}",
  paid_by_pix: "paga por este Pix: {id}",
  returned_by_pix: "devolvida por este Pix: {id}",
  sent_by_pix: "enviada por este Pix: {id}",
  with_txid: "com este txid: {txid}",
  customer_document: "o cliente tem este documento: {document}",
  payer_document: "o pagador tem este documento: {document}",
  expected_payer: "é esperado um pagador com este documento: {document}",
  to_key: "para {key}",
  fingerprint: "impressão digital {fingerprint}",
  payer: "pagador {text}",
  customer: "cliente {text}",
  customer_email: "e-mail {text}",
  customer_phone: "telefone {text}",
  customer_id: "id do cliente {text}",
  metadata: "metadados {text}",
});

export function foundText({ parts, text }: Pick<Found, "parts" | "text">, language: Language): string {
  const texts = tableIn(language);
  return texts === null ? text : parts.map(({ code, params }) => fill(texts[code], params)).join(", ");
}
