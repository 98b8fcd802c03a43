/** The languages of pages for people. */

export type Language = "en" | "pt-BR";

/** The language of a tag such as `pt` or `en-GB`; undefined for other languages. */
function findLanguage(tag: string): Language | undefined {
  const [name] = tag.trim().toLowerCase().split("-");
  if (name === "pt") return "pt-BR";
  return name === "en" ? "en" : undefined;
}

/** The language in the address, else the preferred one of Accept-Language, else `otherwise`. */
export function languageOf(asked: string | null, accepted: string | undefined, otherwise: Language): Language {
  const wishes = (accepted ?? "").split(",").map((part) => {
    const [tag = "", ...rest] = part.split(";");
    const quality = /^\s*q=([\d.]+)\s*$/.exec(rest[0] ?? "")?.[1];
    return { tag, quality: quality === undefined ? 1 : Number(quality) };
  });
  const liked = wishes
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ tag }) => findLanguage(tag));
  return findLanguage(asked ?? "") ?? liked.find((language) => language !== undefined) ?? otherwise;
}
