import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { type Language, perLanguage } from "../words/per-language.js";
import { storeChoice, storedChoice } from "./stored-choices.js";

/** The language of the console's texts. */

function preferred(): Language {
  const kept = storedChoice("language", ["en", "pt-BR"] as const);
  if (kept !== null) return kept;
  return navigator.languages.some((name) => name.toLowerCase().startsWith("pt")) ? "pt-BR" : "en";
}

export const language = signal<Language>(preferred());

/** Changes the language where the page is. */
export function chooseLanguage(chosen: Language): void {
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
  const of = perLanguage(en as Translated<W>, pt);
  return computed(() => of(language.value));
}
