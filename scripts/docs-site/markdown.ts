import { createRequire } from "node:module";
import MarkdownIt from "markdown-it";
import { useTabs } from "./tabs.js";

/** Markdown as the documentation uses it. Links between files become links between pages. */

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

/** Not imported: the types of this package would add those of a browser to all code that runs in Node. */
const require = createRequire(import.meta.url);
const highlighter: Highlighter = require("highlight.js/lib/common");

/** The name of a heading in links, as GitHub makes it. The same title a second time gets `-1`. */
function slugger(): (title: string) => string {
  const used = new Map<string, number>();
  return (title) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(slug) ?? 0;
    used.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
}

/** A link to a file as a link to its page. Null for a file that is not in the site, such as one of the source. */
function pageLink(href: string, folder: string): string | null {
  if (/^(?:[a-z]+:|#)/i.test(href)) return href;
  const url = new URL(href, `docs://site/docs/${folder}`);
  if (!url.pathname.startsWith("/docs/")) return null;
  return href.replace(/(^|\/)README\.md(?=#|$)/, "$1index.html").replace(/\.md(?=#|$)/, ".html");
}

function highlightCode(code: string, info: string): string {
  const [language = ""] = info.split(/[ ,]/);
  const known = language === "sh" ? "bash" : language;
  return highlighter.getLanguage(known) === undefined ? "" : highlighter.highlight(code, { language: known }).value;
}

type Token = ReturnType<MarkdownIt["parse"]>[number];

function addAnchors(tokens: readonly Token[]): void {
  const slug = slugger();
  for (const [index, token] of tokens.entries()) {
    const text = tokens[index + 1];
    if (token.type !== "heading_open" || text === undefined) continue;
    const parts = (text.children ?? []).filter(({ type }) => type === "text" || type === "code_inline");
    token.attrSet("id", slug(parts.map(({ content }) => content).join("")));
  }
}

/** Takes the links to files that are not in the site away, and keeps their text. */
function mendLinks(tokens: readonly Token[], folder: string): void {
  for (const { children } of tokens) {
    let isDropped = false;
    for (const token of children ?? []) {
      if (token.type === "link_open") {
        const href = pageLink(String(token.attrGet("href")), folder);
        isDropped = href === null;
        if (href !== null) token.attrSet("href", href);
      }
      if (isDropped && token.type.startsWith("link_")) token.hidden = true;
      if (token.type === "link_close") isDropped = false;
    }
  }
}

export function createMarkdown(): MarkdownIt {
  const markdown = new MarkdownIt({ html: true, highlight: highlightCode });
  markdown.core.ruler.push("pages", ({ tokens, env }) => {
    const { page } = env as { page?: { filePathStem?: string } };
    const stem = page?.filePathStem ?? "/";
    addAnchors(tokens);
    mendLinks(tokens, stem.slice(1, stem.lastIndexOf("/") + 1));
  });
  useTabs(markdown);
  // A wide table scrolls by itself, so that the page does not.
  markdown.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
  markdown.renderer.rules.table_close = () => "</table></div>\n";
  return markdown;
}
