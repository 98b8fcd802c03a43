import type { Language } from "../../../../base/kernel/language.js";
import enTexts from "./en.json" with { type: "json" };
import ptTexts from "./pt-BR.json" with { type: "json" };

/** The texts of the console by area. `terms` has the names of fields and states that several pages show. */
export type Texts = typeof enTexts;

export type { Language };

export const en = enTexts;

/** English is the reference: a text missing in Portuguese is a type error. The service's texts are only here. */
export const pt = ptTexts satisfies Texts;

const TEXTS: Readonly<Record<Language, Texts>> = { en, "pt-BR": pt };

export function textsIn(language: Language): Texts {
  return TEXTS[language];
}
