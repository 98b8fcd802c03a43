import { shorten } from "./errors.js";

/** The beginning of an answer, as a sentence about it shows it. */

/** Only so much of a page is searched. */
const MOST_HTML = 65_536;
const IS_HTML = /^\s{0,1000}<(?:!doctype html|!--|html|head|body|title|h[1-6]|p|div|center|pre|meta|script|style)\b/i;
/** Parts of a page that nobody reads. */
const UNREAD = ["script", "style", "head", "svg"] as const;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ "&lt;": "<", "&gt;": ">", "&quot;": '"', "&nbsp;": " ", "&mdash;": "—", "&ndash;": "–" },
  ...{ "&#39;": "'", "&#x27;": "'", "&#x2F;": "/", "&amp;": "&" },
};

/** Returns the page without the parts from `<name …>` to `</name>`. Each search goes on where the last one ended. */
function without(page: string, name: string): string {
  const small = page.toLowerCase();
  let text = "";
  let at = 0;
  for (;;) {
    const begin = small.indexOf(`<${name}`, at);
    if (begin < 0) return text + page.slice(at);
    text += page.slice(at, begin);
    const end = small.indexOf(`</${name}`, begin);
    if (end < 0) return text;
    at = end;
  }
}

const toPlainText = (html: string) =>
  html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(?:#?\w{1,6});/g, (entity) => ENTITIES[entity] ?? " ")
    .replace(/\s+/g, " ")
    .trim();

/** A page by its title, else by its first words. */
function pageText(html: string): string {
  const page = html.slice(0, MOST_HTML);
  const begin = page.search(/<title\b/i);
  const title = begin < 0 ? "" : toPlainText((page.slice(begin).split(/<\/title/i, 1)[0] ?? "").slice(0, 1_000));
  const words = toPlainText(UNREAD.reduce(without, page));
  // The title of an error page names only the status; its first words name the fault.
  return [title, words.startsWith(title) ? words.slice(title.length).trim() : words]
    .filter((one) => one !== "")
    .join(": ");
}

/** The longest excerpt of a page: its title, and a few words. */
const SHOWN_PAGE = 120;

/** Returns a body on one line, at most `most` characters of it. Of a page of HTML it returns the title and the first words. */
export function answerExcerpt(body: string, most: number): string {
  if (!IS_HTML.test(body)) return shorten(body.trim(), most);
  return shorten(`a page of HTML (${shorten(pageText(body), SHOWN_PAGE)})`, most);
}
