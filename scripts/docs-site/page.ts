import { posix } from "node:path";
import { escapeHtml } from "../../src/kernel/html.js";
import { addressOf, type DocsLanguage, FOLDERS, GROUPS, languageOfPage, pagesOf, translationOf } from "./navigation.js";

/** A page of the documentation around the HTML of its text. It has no script and no style in it, only beside it. */

export interface Site {
  /** The titles of all pages, by their paths in `docs` without `.md`. */
  readonly titles: ReadonlyMap<string, string>;
  readonly version: string;
}

const WORDS = {
  en: {
    skip: "Skip to the text",
    menu: "All pages",
    search: "Search",
    none: "Nothing found.",
    copy: "Copy",
    copied: "Copied",
    other: "Português",
    onThisPage: "On this page",
    next: "Next",
    previous: "Previous",
  },
  "pt-BR": {
    skip: "Ir para o texto",
    menu: "Todas as páginas",
    search: "Buscar",
    none: "Nada encontrado.",
    copy: "Copiar",
    copied: "Copiado",
    other: "English",
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
  const title = escapeHtml(site.titles.get(path) ?? path);
  const home = relative(path, `${FOLDERS[language]}index.html`);
  const elsewhere = other === null ? `${FOLDERS[otherLanguage]}index.html` : addressOf(other);
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · qa-pay</title>
<link rel="stylesheet" href="${root}assets/site.css"><link rel="icon" href="${root}assets/icon.svg">
<script type="module" src="${root}assets/site.js"></script></head>
<body data-root="${root}" data-none="${words.none}" data-copy="${words.copy}" data-copied="${words.copied}">
<a class="skip" href="#content">${words.skip}</a>
<header><a class="name" href="${home}">qa-pay <small>${escapeHtml(site.version)}</small></a>
<search hidden><input type="search" aria-label="${words.search}" placeholder="${words.search}" autocomplete="off" spellcheck="false"><div id="found" class="found" role="status"></div></search>
<a class="language" lang="${otherLanguage}" hreflang="${otherLanguage}" href="${relative(path, elsewhere)}">${words.other}</a></header>
<div class="frame"><nav class="menu" aria-label="${words.menu}"><details class="all" open><summary>${words.menu}</summary>
${menuHtml(site, path, language)}
</details></nav>
<main id="content">
${body.replace("</h1>", `</h1>\n${contentsHtml(body, words.onThisPage)}`)}
${neighboursHtml(site, path, language)}
</main></div></body></html>
`;
}
