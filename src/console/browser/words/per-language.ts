/** Texts in English and Portuguese, of which a page loads those of the language that it shows. */

export type Language = "en" | "pt-BR";

/**
 * What there is once for each language. It stands in the source in both; the build puts each language into files of its own and
 * writes `textsIn` in place of this (scripts/files-per-language.ts). So neither value may name anything that stands outside of it.
 */
export function perLanguage<Value>(en: Value, pt: Value): (language: Language) => Value {
  return (language) => (language === "en" ? en : pt);
}

type Texts = Readonly<Record<string, unknown>>;
/** Loads the texts of one part of the console. */
type TextFiles = Readonly<Record<Language, () => Promise<{ readonly texts: Texts }>>>;

const files: TextFiles[] = [];
const loaded: Readonly<Record<Language, Map<string, unknown>>> = { en: new Map(), "pt-BR": new Map() };
const spoken = new Set<Language>();

async function load(one: TextFiles, language: Language): Promise<void> {
  const { texts } = await one[language]();
  for (const [name, value] of Object.entries(texts)) loaded[language].set(name, value);
}

/** Loads what the page needs to speak a language, now and in the parts that are opened later. */
export async function loadLanguage(language: Language): Promise<void> {
  spoken.add(language);
  await Promise.all(files.map((one) => load(one, language)));
}

/**
 * Called by what the build writes, before the first text of this part is needed.
 * @public
 */
export async function addTextFiles(one: TextFiles): Promise<void> {
  files.push(one);
  await Promise.all([...spoken].map((language) => load(one, language)));
}

/**
 * What the build writes in place of `perLanguage`.
 * @public
 */
export function textsIn<Value>(name: string): (language: Language) => Value {
  return (language) => loaded[language].get(name) as Value;
}
