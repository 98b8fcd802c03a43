import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { ENGLISH, LANGUAGES, languageOfTag } from "../../../../base/kernel/language.js";
import { type Language, loadTexts, type Texts, textsIn } from "../texts/index.js";
import { connection } from "./connection.js";
import { storeChoice, storedChoice } from "./stored-choices.js";

/** The language of the console's texts. */

function preferred(): Language {
  const kept = storedChoice("language", LANGUAGES);
  if (kept !== null) return kept;
  // Most browsers name English, also first, whatever their readers speak. So another language says more.
  const named = navigator.languages.map(languageOfTag);
  return named.find((language) => language !== undefined && language !== ENGLISH) ?? ENGLISH;
}

export const language = signal<Language>(preferred());

let wanted = language.value;

/** Changes the language without leaving the page. It stays as it is when the server does not send the texts. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  wanted = chosen;
  try {
    await loadTexts(chosen);
  } catch {
    connection.lost();
    return;
  }
  // Another language, whose texts were there sooner, may have been chosen since.
  if (wanted !== chosen) return;
  language.value = chosen;
  storeChoice("language", chosen);
  document.documentElement.lang = chosen;
}

/** The texts of an area in the language of the page. */
export function texts<Area extends keyof Texts>(area: Area): ReadonlySignal<Texts[Area]> {
  return computed(() => textsIn(language.value)[area]);
}

/** The names of fields and states that several pages show. */
export const terms = texts("terms");
