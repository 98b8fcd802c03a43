import type { FixtureName } from "../../../../fixtures/built-in-fixtures.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** What each script that comes with the product ends in, in Portuguese. Its English is in the script itself. */
const tableIn = perLanguage<Readonly<Record<FixtureName, string>> | null>(null, {
  "charge-created": "Uma cobrança que espera o pagador",
  "charge-expired": "Uma cobrança cujo prazo passou",
  "charge-failed": "Uma cobrança que o provedor recusou",
  "charge-paid": "Uma cobrança que o pagador pagou",
  "med-appealed": "Uma cobrança contestada, com a defesa do lojista",
  "med-opened": "Uma cobrança paga que o pagador contesta",
  "med-resolved": "Uma cobrança contestada, decidida a favor do lojista",
  "payout-created": "Um saque que espera o banco",
  "payout-failed": "Um saque que o banco recusou",
  "payout-paid": "Um saque que o banco liquidou",
  "refund-done": "Uma cobrança paga e devolvida em parte",
  "small-shop": "Uma lojinha: cobranças em todos os estados, uma devolução, um saque e um caso MED aberto",
});

export function scriptText(name: string, english: string, language: Language): string {
  const texts: Readonly<Record<string, string>> | null = tableIn(language);
  return texts?.[name] ?? english;
}
