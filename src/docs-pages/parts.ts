import { hash } from "node:crypto";
import { escapeHtml } from "../kernel/html.js";
import PLAIN_STYLE from "./browser/docs.css?raw";

/** What the pages about the service share. */

const STYLE = PLAIN_STYLE;

/** A text of ours as HTML. What stands between backticks is code. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function block(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

export function pageHtml(language: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head><body>
${body}
</body></html>
`;
}

/** The policy of a page that loads nothing: its one style is allowed by its digest. */
export function htmlHeaders(): Record<string, string> {
  const digest = hash("sha256", STYLE, "base64");
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
