import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Language, loadLanguage, perLanguage } from "../words/per-language.js";
import { storeChoice, storedChoice } from "./stored-choices.js";

/** The language of the console's texts. */

function preferred(): Language {
  const kept = storedChoice("language", ["en", "pt-BR"] as const);
  if (kept !== null) return kept;
  return navigator.languages.some((name) => name.toLowerCase().startsWith("pt")) ? "pt-BR" : "en";
}

export const language = signal<Language>(preferred());

void loadLanguage(language.value);

let wanted = language.value;

/** Changes the language where the page is, as soon as its texts are there. Without the server, the language stays. */
export async function chooseLanguage(chosen: Language): Promise<void> {
  wanted = chosen;
  const isLoaded = await loadLanguage(chosen).then(
    () => true,
    () => false,
  );
  // Somebody may have chosen again in the meantime.
  if (!isLoaded || wanted !== chosen) return;
  language.value = chosen;
  storeChoice("language", chosen);
  document.documentElement.lang = chosen;
}

/** The shape of a catalogue: the same keys and the same parameters, with other texts. */
type Translated<W> = {
  readonly [K in keyof W]: W[K] extends string
    ? string
    : W[K] extends (...values: infer P) => string
      ? (...values: P) => string
      : Translated<W[K]>;
};

/** Makes the texts of a page in both languages. A text that Portuguese lacks is a type error. */
export function texts<const W>(en: W, pt: Translated<W>): ReadonlySignal<Translated<W>> {
  return inLanguageOfPage(perLanguage(en as Translated<W>, pt));
}

/**
 * What the build writes in place of `texts`.
 * @public
 */
export function inLanguageOfPage<Value>(of: (language: Language) => Value): ReadonlySignal<Value> {
  return computed(() => of(language.value));
}
