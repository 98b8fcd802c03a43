import type { Language } from "../../timeline/wording.js";

/** The names of the fields of a BR Code, as the Central Bank's manual has them. */

const NAMES: Readonly<Record<string, readonly [en: string, pt: string]>> = {
  "00": ["payload format", "formato do payload"],
  "01": ["point of initiation: 12 is payable once", "ponto de iniciação: 12 é pagável uma vez"],
  "26": ["account of the arrangement", "conta do arranjo"],
  "26-00": ["arrangement", "arranjo"],
  "26-01": ["Pix key", "chave Pix"],
  "26-02": ["text for the payer", "texto para o pagador"],
  "26-25": ["address of the signed payload", "endereço do payload assinado"],
  "52": ["merchant category (MCC)", "categoria do lojista (MCC)"],
  "53": ["currency: 986 is BRL", "moeda: 986 é BRL"],
  "54": ["amount; banks take it from the payload", "valor; os bancos usam o do payload"],
  "58": ["country", "país"],
  "59": ["name of the merchant", "nome do lojista"],
  "60": ["city of the merchant", "cidade do lojista"],
  "61": ["postal code", "CEP"],
  "62": ["additional data", "dados adicionais"],
  "62-05": ["txid; *** when it is in the payload", "txid; *** quando está no payload"],
  "63": ["checksum (CRC-16)", "verificação (CRC-16)"],
  "80": ["recurrence (Pix Automático)", "recorrência (Pix Automático)"],
};

export function fieldName(id: string, language: Language): string {
  const [en, pt] = NAMES[id] ?? ["", ""];
  return language === "en" ? en : pt;
}
