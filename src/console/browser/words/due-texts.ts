import type { OperationAnswer } from "../../../client/types.js";
import { perLanguage } from "./per-language.js";
import type { TextTable } from "./service-text.js";

/** What is due. */
export const dueTexts = perLanguage<TextTable<OperationAnswer<"sandbox.clock.due">["data"][number]["code"]>>(null, {
  case_opens: "o banco do pagador abre um caso MED",
  refund_starts: "a devolução passa de solicitada a em andamento",
  refund_completes: "a devolução passa de em andamento a concluída",
  refund_fails: "a devolução falha: a chave Pix não é de ninguém",
  charge_expires: "a cobrança expira sem pagamento",
  card_payment_expires: "a cobrança expira: o pagamento com cartão não foi concluído",
  codes_issued: "o adquirente emite os códigos da cobrança",
  charge_paid: "a cobrança é paga",
  payment_held: "a cobrança é paga e fica retida para análise: o banco não informa o pagador",
  payment_returned: "a cobrança é paga por outro pagador que não o esperado, e o dinheiro volta",
  money_released: "{amount:money} da cobrança fica disponível",
  delivery_attempted: "tentativa {number} de {type} para {url}",
});
