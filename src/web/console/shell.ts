import { tagBody } from "../../api/http/tagged-body.js";
import { escapeHtml } from "../../base/kernel/html.js";
import { ENGLISH, LANGUAGES } from "../../base/kernel/language.js";
import { inline } from "../../base/pages/page.js";
import { TEXTS } from "../../base/pages/texts/languages.js";

const needsScript = LANGUAGES.map((language) => {
  const lang = language === ENGLISH ? "" : ` lang="${language}"`;
  return `<p${lang}>${inline(TEXTS[language].console.needsScript)}</p>`;
}).join("");

/** The one page of the console. It holds no data: its script reads everything under `/console/api/`. */
function shellHtml(more: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><title>qa-pay</title>${more}<link rel="stylesheet" href="/console/assets/main.css"><link rel="icon" href="/console/assets/icon.svg"><script type="module" src="/console/assets/main.js"></script></head><body><div id="app"></div><noscript>${needsScript}</noscript></body></html>
`;
}

export const SHELL = tagBody(shellHtml(""));

/**
 * The page as the answer to a link: it passes the part of the new session that pages of this origin keep, and the
 * address of the page that the link names. No other answer has either of them.
 */
export function shellWithSession(pagePart: string, address: string): string {
  return shellHtml(`<meta name="qa-pay-session" content="${pagePart}" data-address="${escapeHtml(address)}">`);
}
