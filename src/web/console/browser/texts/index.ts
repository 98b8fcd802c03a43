import { ENGLISH, type Language } from "../../../../base/kernel/language.js";
import en from "./en.json" with { type: "json" };
import { TRANSLATIONS } from "./languages.js";
import type { ServiceTexts, Texts, TranslatedTexts } from "./types.js";

export type { Language, ServiceTexts, Texts };

const loaded = new Map<Language, TranslatedTexts>();

/** Loads the texts of a language. The page shows it from then on. */
export async function loadTexts(language: Language): Promise<void> {
  if (language !== ENGLISH) loaded.set(language, (await TRANSLATIONS[language]()).default);
}

/** The texts of a language that is loaded. English always is. */
export function textsIn(language: Language): Texts {
  return loaded.get(language) ?? en;
}

/** Null in English: the service itself sends these. */
export function serviceTextsIn(language: Language): ServiceTexts | null {
  return loaded.get(language) ?? null;
}
