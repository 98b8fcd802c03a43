import { posix } from "node:path";
import { escapeHtml } from "../../src/base/kernel/html.js";
import { layoutHtml } from "../../src/base/pages/layout.js";
import { addressOf, type DocsLanguage, FOLDERS, GROUPS, languageOfPage, pagesOf, translationOf } from "./navigation.js";

/** A page of the documentation around the HTML of its text. It has no script and no style in it, only beside it. */

export interface Site {
  /** The titles of all pages, by their paths in `docs` without `.md`. */
  readonly titles: ReadonlyMap<string, string>;
  readonly version: string;
}

const WORDS = {
  en: {
    menu: "All pages",
    search: "Search",
    none: "Nothing found.",
    copy: "Copy",
    copied: "Copied",
    onThisPage: "On this page",
    next: "Next",
    previous: "Previous",
  },
  "pt-BR": {
    menu: "Todas as páginas",
    search: "Buscar",
    none: "Nada encontrado.",
    copy: "Copiar",
    copied: "Copiado",
    onThisPage: "Nesta página",
    next: "Próxima",
    previous: "Anterior",
  },
} as const satisfies Record<DocsLanguage, Readonly<Record<string, string>>>;

function relative(from: string, to: string): string {
  return posix.relative(posix.dirname(addressOf(from)), to);
}

function menuHtml(site: Site, path: string, language: DocsLanguage): string {
  const known = new Set(site.titles.keys());
  const groups = GROUPS.map((group) => {
    const pages = pagesOf(group, language, known);
    const links = pages.map((page) => {
      const current = page === path ? ' aria-current="page"' : "";
      const title = escapeHtml(site.titles.get(page) ?? page);
      return `<li><a href="${relative(path, addressOf(page))}"${current}>${title}</a></li>`;
    });
    if (links.length === 0) return "";
    const isOpen = pages.includes(path) || !group.isEnglish;
    return `<details${isOpen ? " open" : ""}><summary>${group.title[language]}</summary><ul>${links.join("")}</ul></details>`;
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

function neighboursHtml(site: Site, path: string, language: DocsLanguage): string {
  const known = new Set(site.titles.keys());
  const order = GROUPS.flatMap((group) => pagesOf(group, language, known));
  const at = order.indexOf(path);
  const { previous, next } = WORDS[language];
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
  const words = WORDS[language];
  const root = relative(path, "assets/x").slice(0, -"assets/x".length);
  const other = translationOf(path, new Set(site.titles.keys()));
  const otherLanguage = language === "en" ? "pt-BR" : "en";
  const title = site.titles.get(path) ?? path;
  const elsewhere = other === null ? `${FOLDERS[otherLanguage]}index.html` : addressOf(other);
  return layoutHtml({
    language,
    title: `${title} · qa-pay`,
    version: site.version,
    head: `<link rel="stylesheet" href="${root}assets/docs.css"><link rel="icon" href="${root}assets/icon.svg">
<script type="module" src="${root}assets/site.js"></script>`,
    data: { root, none: words.none, copy: words.copy, copied: words.copied },
    home: relative(path, `${FOLDERS[language]}index.html`),
    search: `<search hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false"><div id="found" class="found" role="status"></div></search>`,
    elsewhere: relative(path, elsewhere),
    menu: { title: words.menu, html: menuHtml(site, path, language) },
    content: `${body.replace("</h1>", `</h1>\n${contentsHtml(body, words.onThisPage)}`)}
${neighboursHtml(site, path, language)}`,
  });
}
