import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { keep, keptChoice } from "./kept.js";

/** The language of the console's texts. */

export type Language = "en" | "pt-BR";

function preferred(): Language {
  const kept = keptChoice("language", ["en", "pt-BR"] as const);
  if (kept !== null) return kept;
  return navigator.languages.some((name) => name.toLowerCase().startsWith("pt")) ? "pt-BR" : "en";
}

export const language = signal<Language>(preferred());

export function chooseLanguage(chosen: Language): void {
  language.value = chosen;
  keep("language", chosen);
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
  return computed(() => (language.value === "en" ? (en as Translated<W>) : pt));
}
