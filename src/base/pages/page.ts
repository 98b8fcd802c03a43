import { hash } from "node:crypto";
import { escapeHtml } from "../kernel/html.js";
import { VERSION } from "../platform/version.js";
import { type Framed, layoutHtml } from "./layout.js";
import PAGE from "./page.css?raw";
import SHAPES from "./shapes.css?raw";
import TOKENS from "./tokens.css?raw";

/** The common parts of the pages about the service. */

/** Turns a text of this program into HTML. A part between backticks becomes code. */
export function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function block(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

const STYLE = TOKENS + SHAPES + PAGE;

type OwnPage = Pick<Framed, "language" | "title" | "elsewhere" | "menu" | "content">;

/** The policy of a page that loads nothing: its one style is allowed by its digest. */
function policyOf(style: string): string {
  return `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'`;
}

/** A page of the server: it loads nothing, so its style is in it. */
export function pageHtml(page: OwnPage): string {
  const head = `<meta name="robots" content="noindex">\n<style>${STYLE}</style>`;
  return layoutHtml({ ...page, version: VERSION, head, home: "/" });
}

/** A page in a file, with a style of its own beside that of all pages. */
export function filePage(page: OwnPage, ownStyle: string): string {
  const style = STYLE + ownStyle;
  const head = `<meta http-equiv="Content-Security-Policy" content="${policyOf(style)}">\n<style>${style}</style>`;
  return layoutHtml({ ...page, version: VERSION, head, home: "#content" });
}

export function htmlHeaders(): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `${policyOf(STYLE)}; frame-ancestors 'none'`,
  };
}
