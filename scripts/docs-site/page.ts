import { posix } from "node:path";
import { escapeHtml } from "../../src/base/kernel/html.js";
import type { Language } from "../../src/base/kernel/language.js";
import { languageOfPage } from "../../src/base/pages/docs-folder.js";
import { layoutHtml } from "../../src/base/pages/layout.js";
import { TEXTS } from "../../src/base/pages/texts/languages.js";
import { addressOf, GROUPS, pageElsewhere, pageIn, pagesOf } from "./navigation.js";

/** A page of the documentation around the HTML of its text. It has no script and no style in it, only beside it. */

export interface Site {
  /** The titles of all pages, by their paths in `docs` without `.md`. */
  readonly titles: ReadonlyMap<string, string>;
  readonly version: string;
}

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(addressOf(from)), to);
}

function menuHtml(site: Site, path: string, language: Language): string {
  const known = new Set(site.titles.keys());
  const { groups: titles, inEnglish } = TEXTS[language].docs;
  const groups = GROUPS.map((group) => {
    const pages = pagesOf(group, language, known);
    const foreign = pages.filter((page) => languageOfPage(page) !== language);
    const isAllForeign = foreign.length === pages.length;
    const links = pages.map((page) => {
      const isForeign = foreign.includes(page);
      const lang = isForeign ? ` lang="${languageOfPage(page)}"` : "";
      const mark = isForeign && !isAllForeign ? ` ${inEnglish}` : "";
      const current = page === path ? ' aria-current="page"' : "";
      const title = escapeHtml(site.titles.get(page) ?? page);
      return `<li><a href="${relative(path, addressOf(page))}"${lang}${current}>${title}</a>${mark}</li>`;
    });
    if (links.length === 0) return "";
    const isOpen = pages.includes(path) || !group.isFolded;
    const name = titles[group.title] + (isAllForeign ? ` ${inEnglish}` : "");
    return `<details${isOpen ? " open" : ""}><summary>${name}</summary><ul>${links.join("")}</ul></details>`;
  });
  return groups.join("\n");
}

/** The second-level headings of the page, for a page that has at least three. */
function contentsHtml(body: string, title: string): string {
  const headings = [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)];
  if (headings.length < 3) return "";
  const links = headings.map(([, id, text]) => `<li><a href="#${id}">${text?.replace(/<\/?a[^>]*>/g, "")}</a></li>`);
  return `<nav class="contents" aria-label="${title}"><p>${title}</p><ul>${links.join("")}</ul></nav>`;
}

function neighboursHtml(site: Site, path: string, language: Language): string {
  const known = new Set(site.titles.keys());
  const order = GROUPS.flatMap((group) => pagesOf(group, language, known));
  const at = order.indexOf(path);
  const { previous, next } = TEXTS[language].docs;
  const link = (page: string | undefined, rel: string, word: string) =>
    page === undefined
      ? ""
      : `<a rel="${rel}" href="${relative(path, addressOf(page))}"><small>${word}</small>${escapeHtml(site.titles.get(page) ?? page)}</a>`;
  if (at < 0) return "";
  return `<nav class="neighbours">${link(order[at - 1], "prev", previous)}${link(order[at + 1], "next", next)}</nav>`;
}

/** `path` is that of the page in `docs`, without `.md`. */
export function pageHtml(site: Site, path: string, body: string): string {
  const language = languageOfPage(path);
  const words = TEXTS[language].docs;
  const known = new Set(site.titles.keys());
  const root = relative(path, "assets/x").slice(0, -"assets/x".length);
  const title = site.titles.get(path) ?? path;
  return layoutHtml({
    language,
    title: `${title} · qa-pay`,
    version: site.version,
    head: `<link rel="stylesheet" href="${root}assets/docs.css"><link rel="icon" href="${root}assets/icon.svg">
<script type="module" src="${root}assets/site.js"></script>`,
    data: { root, none: words.none, copy: words.copy, copied: words.copied },
    home: relative(path, addressOf(pageIn(language, "README", known))),
    search: `<search hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false"><div id="found" class="found" role="status"></div></search>`,
    elsewhere(other) {
      const page = pageElsewhere(path, other, known);
      return page === null ? null : relative(path, addressOf(page));
    },
    menu: { title: words.menu, html: menuHtml(site, path, language) },
    content: `${body.replace("</h1>", `</h1>\n${contentsHtml(body, words.onThisPage)}`)}
${neighboursHtml(site, path, language)}`,
  });
}

/** A page at an old address that leads to where its content is: `target` is a path in `docs` with a heading. It needs no script. */
export function movedHtml(site: Site, path: string, target: string): string {
  const [page = "", heading = ""] = target.split("#");
  const address = `${relative(path, addressOf(page))}#${heading}`;
  const title = escapeHtml(site.titles.get(page) ?? page);
  return `<!doctype html>
<html lang="${languageOfPage(path)}"><head><meta charset="utf-8"><title>${title}</title>
<meta http-equiv="refresh" content="0; url=${address}"></head><body><a href="${address}">${title}</a></body></html>
`;
}
