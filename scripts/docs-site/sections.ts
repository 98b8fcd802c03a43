import type MarkdownIt from "markdown-it";
import { addressOf } from "./navigation.js";

/** The pages as pieces for the search: one for each heading, with the text below it. */
export interface Section {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

function toPlainText(tokens: ReturnType<MarkdownIt["parse"]>): string {
  const words = tokens.flatMap(({ type, content, children }) => {
    if (type === "fence" || type === "code_block") return [content];
    return (children ?? []).flatMap((child) => (child.type === "softbreak" ? [" "] : [child.content]));
  });
  return words.join(" ").replace(/\s+/g, " ").trim();
}

/** `path` is that of the page in `docs`, without `.md`. */
export function sectionsOf(markdown: MarkdownIt, path: string, text: string): Section[] {
  const tokens = markdown.parse(text, { page: { filePathStem: `/${path}` } });
  const starts = tokens.flatMap(({ type }, index) => (type === "heading_open" ? [index] : []));
  const page = toPlainText(tokens.slice((starts[0] ?? 0) + 1, (starts[0] ?? 0) + 2));
  return starts.map((start, index) => {
    const anchor = String(tokens[start]?.attrGet("id"));
    const body = tokens.slice(start + 3, starts[index + 1] ?? tokens.length);
    const id = index === 0 ? addressOf(path) : `${addressOf(path)}#${anchor}`;
    return { id, page, title: toPlainText(tokens.slice(start + 1, start + 2)), text: toPlainText(body) };
  });
}
