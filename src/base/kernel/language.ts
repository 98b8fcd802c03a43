/** The languages of pages for people. No other code knows one by its name (docs/ARCHITECTURE.md#to-add). */

/** In the order in which pages offer them. */
export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language in which the service writes its own sentences. The types of all texts come from its files. */
export const ENGLISH = "en" satisfies Language;
export type Translation = Exclude<Language, typeof ENGLISH>;

const withoutRegion = (tag: string) => tag.replace(/-.*/, "");

/** The language of a tag such as `pt`, `pt-PT` or `en-GB`; undefined for other languages. */
export function languageOfTag(tag: string): Language | undefined {
  const wanted = tag.trim().toLowerCase();
  return (
    LANGUAGES.find((language) => language.toLowerCase() === wanted) ??
    LANGUAGES.find((language) => withoutRegion(language) === withoutRegion(wanted))
  );
}

/** The language in the address, else the preferred one of Accept-Language, else `otherwise`. */
export function languageOf(chosen: string | null, accepted: string | undefined, otherwise: Language): Language {
  const wishes = (accepted ?? "").split(",").map((part) => {
    const [tag = "", ...rest] = part.split(";");
    const quality = /^\s*q=([\d.]+)\s*$/.exec(rest[0] ?? "")?.[1];
    return { tag, quality: quality === undefined ? 1 : Number(quality) };
  });
  const liked = wishes
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => languageOfTag(tag));
  return languageOfTag(chosen ?? "") ?? liked.find((language) => language !== undefined) ?? otherwise;
}

/** The languages that a page offers beside its own. */
export function otherLanguages(language: Language): Language[] {
  return LANGUAGES.filter((one) => one !== language);
}

/** The name of a language in its own words, such as `Português`; with its region where two have the same name. */
export function languageName(language: Language): string {
  const isAlone = LANGUAGES.every((one) => one === language || withoutRegion(one) !== withoutRegion(language));
  const names = new Intl.DisplayNames(language, { type: "language" });
  const name = names.of(isAlone ? withoutRegion(language) : language) ?? language;
  return name.replace(/^./u, (letter) => letter.toLocaleUpperCase(language));
}
