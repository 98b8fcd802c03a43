import { hash } from "node:crypto";
import { escapeHtml } from "../kernel/html.js";
import { VERSION } from "../platform/version.js";
import STYLE from "./browser/docs.css?raw";
import { type Framed, layoutHtml } from "./layout.js";

/** What the pages about the service share. */

/** A text of ours as HTML. What stands between backticks is code. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function block(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

/** A page of the server: it loads nothing, so its style is in it. */
export function pageHtml(page: Pick<Framed, "language" | "title" | "elsewhere" | "menu" | "content">): string {
  const head = `<meta name="robots" content="noindex">\n<style>${STYLE}</style>`;
  return layoutHtml({ ...page, version: VERSION, head, home: "/" });
}

/** The policy of a page that loads nothing: its one style is allowed by its digest. */
export function htmlHeaders(): Record<string, string> {
  const digest = hash("sha256", STYLE, "base64");
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
