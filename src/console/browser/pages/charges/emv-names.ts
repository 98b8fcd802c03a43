import { type Language, perLanguage } from "../../words/per-language.js";

/** The names of the fields of a BR Code, as the Central Bank's manual has them. */
const namesIn = perLanguage<Readonly<Record<string, string>>>(
  {
    "00": "payload format",
    "01": "point of initiation: 12 is payable once",
    "26": "account of the arrangement",
    "26-00": "arrangement",
    "26-01": "Pix key",
    "26-02": "text for the payer",
    "26-25": "address of the signed payload",
    "52": "merchant category (MCC)",
    "53": "currency: 986 is BRL",
    "54": "amount; banks take it from the payload",
    "58": "country",
    "59": "name of the merchant",
    "60": "city of the merchant",
    "61": "postal code",
    "62": "additional data",
    "62-05": "txid; *** when it is in the payload",
    "63": "checksum (CRC-16)",
    "80": "recurrence (Pix Automático)",
  },
  {
    "00": "formato do payload",
    "01": "ponto de iniciação: 12 é pagável uma vez",
    "26": "conta do arranjo",
    "26-00": "arranjo",
    "26-01": "chave Pix",
    "26-02": "texto para o pagador",
    "26-25": "endereço do payload assinado",
    "52": "categoria do lojista (MCC)",
    "53": "moeda: 986 é BRL",
    "54": "valor; os bancos usam o do payload",
    "58": "país",
    "59": "nome do lojista",
    "60": "cidade do lojista",
    "61": "CEP",
    "62": "dados adicionais",
    "62-05": "txid; *** quando está no payload",
    "63": "verificação (CRC-16)",
    "80": "recorrência (Pix Automático)",
  },
);

export function fieldName(id: string, language: Language): string {
  return namesIn(language)[id] ?? "";
}
