import { ENGLISH, LANGUAGES, type Language } from "../kernel/language.js";

/** The folder of a language inside the documentation, such as `pt-br/`. English pages are outside of such folders. */
export function docsFolder(language: Language): string {
  return language === ENGLISH ? "" : `${language.toLowerCase()}/`;
}

/** The language of a page by its path in the documentation. */
export function languageOfPage(path: string): Language {
  return LANGUAGES.find((language) => language !== ENGLISH && path.startsWith(docsFolder(language))) ?? ENGLISH;
}
