import { escapeHtml } from "../kernel/html.js";
import type { Language } from "../kernel/language.js";
import texts from "./texts.json" with { type: "json" };

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
  /** The address of the same page in the other language; null for a page in one language. */
  readonly elsewhere: string | null;
  /** HTML of the menu with its title; null for a page without one. */
  readonly menu: { readonly title: string; readonly html: string } | null;
  /** HTML. */
  readonly content: string;
}

/** Returns a whole page as HTML. Title, version and data are texts and get escaped here; the rest is HTML. */
export function layoutHtml({ language, title, version, head, data = {}, home, search = "", ...page }: Framed): string {
  const { skip, other, otherLanguage: lang } = texts[language];
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const link =
    page.elsewhere === null
      ? ""
      : `<a class="language" lang="${lang}" hreflang="${lang}" href="${page.elsewhere}">${other}</a>`;
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
<a class="skip" href="#content">${skip}</a>
<header><a class="name" href="${home}">qa-pay <small>${escapeHtml(version)}</small></a>
${search}
${link}</header>
${body}
</body></html>
`;
}
