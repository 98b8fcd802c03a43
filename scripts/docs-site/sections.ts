import type MarkdownIt from "markdown-it";
import { ENGLISH, type Language } from "../../src/base/kernel/language.js";
import { docsFolder, languageOfPage } from "../../src/base/pages/docs-folder.js";
import type { Section } from "../../src/web/docs/browser/search.js";
import { createMarkdown } from "./markdown.js";
import { addressOf } from "./navigation.js";
import { choicesOf } from "./tabs.js";

/** The pages as pieces for the search: one for each heading, with the text below it. */

function toPlainText(tokens: ReturnType<MarkdownIt["parse"]>): string {
  const words = tokens.flatMap(({ type, content, children }) => {
    if (type === "fence" || type === "code_block") return [content];
    return (children ?? []).flatMap((child) => (child.type === "softbreak" ? [" "] : [child.content]));
  });
  return words.join(" ").replace(/\s+/g, " ").trim();
}

/** `path` is that of the page in `docs`, without `.md`. The section of a choice has the title above the choice in its own. */
function sectionsOf(markdown: MarkdownIt, path: string, text: string): Section[] {
  const tokens = markdown.parse(text, { page: { filePathStem: `/${path}` } });
  const starts = tokens.flatMap(({ type }, index) => (type === "heading_open" ? [index] : []));
  const titleAt = (start = 0) => toPlainText(tokens.slice(start + 1, start + 2));
  const chosen = new Set(choicesOf(tokens).flatMap((tabs) => tabs.map(({ start }) => start)));
  return starts.map((start, index) => {
    const anchor = String(tokens[start]?.attrGet("id"));
    const body = tokens.slice(start + 3, starts[index + 1] ?? tokens.length);
    const id = index === 0 ? addressOf(path) : `${addressOf(path)}#${anchor}`;
    const above = starts.slice(0, index).findLast((one) => tokens[one]?.tag === "h2");
    const title = chosen.has(start) ? `${titleAt(above)}: ${titleAt(start)}` : titleAt(start);
    return { id, page: titleAt(starts[0]), title, text: toPlainText(body) };
  });
}

/** All that the search of a language looks through; empty for a language without pages. Decisions are for those who build qa-pay. */
export function searchedSections(pages: ReadonlyMap<string, string>, language: Language): Section[] {
  const markdown = createMarkdown();
  const found = [...pages].filter(([path]) => !path.startsWith("decisions/"));
  const own = found.filter(([path]) => languageOfPage(path) === language);
  if (own.length === 0) return [];
  // Readers of another language also find the pages that are in English only.
  const also = found.filter(
    ([path]) => language !== ENGLISH && languageOfPage(path) === ENGLISH && !pages.has(docsFolder(language) + path),
  );
  return [...own, ...also].flatMap(([path, text]) => {
    const sections = sectionsOf(markdown, path, text);
    const source = path.slice(docsFolder(language).length);
    const english = languageOfPage(path) === ENGLISH ? undefined : pages.get(source);
    if (english === undefined) return sections;
    // Both have the same headings, which a test of the guides ensures.
    const same = sectionsOf(markdown, source, english);
    return sections.map((section, index) => ({ ...section, english: `${same[index]?.title} ${same[index]?.page}` }));
  });
}
