import { escapeHtml } from "../kernel/html.js";
import { type Language, languageName, otherLanguages } from "../kernel/language.js";
import { TEXTS } from "./texts/languages.js";

/** The frame of every page about the service: those that the server answers, and those of the built documentation. */
export interface Framed {
  readonly language: Language;
  readonly title: string;
  readonly version: string;
  /** HTML of the head: what the page loads. */
  readonly head: string;
  /** Attributes of the body, for the script of the page. */
  readonly data?: Readonly<Record<string, string>>;
  /** The address of the first page. */
  readonly home: string;
  /** HTML between the name and the language. */
  readonly search?: string;
  /** The address of the same page in another language, null where there is none. Left out for a page in one language. */
  readonly elsewhere?: (language: Language) => string | null;
  /** HTML of the menu with its title; null for a page without one. */
  readonly menu: { readonly title: string; readonly html: string } | null;
  /** HTML. */
  readonly content: string;
}

/** The links to the page in other languages, each in its own words. */
function linksHtml({ language, elsewhere }: Framed): string {
  const links = otherLanguages(language).map((other) => {
    const address = elsewhere?.(other) ?? null;
    if (address === null) return "";
    return `<a class="language" lang="${other}" hreflang="${other}" href="${address}">${languageName(other)}</a>`;
  });
  return links.join("");
}

/** Returns a whole page as HTML. Title, version and data are texts and get escaped here; the rest is HTML. */
export function layoutHtml(page: Framed): string {
  const { language, title, version, head, data = {}, home, search = "" } = page;
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const body =
    page.menu === null
      ? `<main id="content" class="home">
${page.content}
</main>`
      : `<div class="frame"><nav class="menu" aria-label="${page.menu.title}"><details class="all" open><summary>${page.menu.title}</summary>
${page.menu.html}
</details></nav>
<main id="content">
${page.content}
</main></div>`;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title>
${head}</head>
<body${attributes.join("")}>
<a class="skip" href="#content">${TEXTS[language].skip}</a>
<header><a class="name" href="${home}">qa-pay <small>${escapeHtml(version)}</small></a>
${search}
${linksHtml(page)}</header>
${body}
</body></html>
`;
}
