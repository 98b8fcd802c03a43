import { en, pt } from "../../texts/index.js";
import { type Language, perLanguage } from "../../words/per-language.js";

/** The names of the fields of a BR Code, as the Central Bank's manual has them. */
const namesIn = perLanguage<Readonly<Record<string, string>>>(en.charges_emv_names, pt.charges_emv_names);

export function fieldName(id: string, language: Language): string {
  return namesIn(language)[id] ?? "";
}
