import { ENGLISH, type Language } from "../../../../base/kernel/language.js";
import { TRANSLATIONS } from "./languages.js";
import type { ServiceTexts, Texts, TranslatedTexts } from "./types.js";

export type { Language, ServiceTexts, Texts };

const loaded = new Map<Language, Texts>();
const translated = new Map<Language, TranslatedTexts>();

/** Loads the texts of a language. The page shows it from then on. */
export async function loadTexts(language: Language): Promise<void> {
  if (language === ENGLISH) {
    loaded.set(language, (await import("./en.json", { with: { type: "json" } })).default);
    return;
  }
  const texts = (await TRANSLATIONS[language]()).default;
  loaded.set(language, texts);
  translated.set(language, texts);
}

/** The texts of a language. Throws for one that is not loaded: a page loads its own before it shows anything. */
export function textsIn(language: Language): Texts {
  const texts = loaded.get(language);
  if (texts === undefined) throw new Error(`The texts of ${language} are not loaded`);
  return texts;
}

/** Null in English: the service itself sends these. */
export function serviceTextsIn(language: Language): ServiceTexts | null {
  return translated.get(language) ?? null;
}
