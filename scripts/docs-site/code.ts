/** The code of translated guides. It is that of the English ones, so their files have a link in the place of each block. */

const BLOCK = /^( *)```[^\n`]*\n[\s\S]*?^\1```$/gm;

/** The links in place of the code. Their text is a word of the language of the page. */
const linkOf = (word: string) => new RegExp(`^ *\\[${word}\\]\\(([^)\\n]*)\\)$`, "gm");

/** A page with the blocks of code of its English page, in their order, in place of the links to them. */
export function withCode(page: string, english: string, word: string): string {
  const blocks = english.match(BLOCK) ?? [];
  return page.replace(linkOf(word), (link) => blocks.shift() ?? link);
}

/** Where the links of a page lead to. */
export function codeLinks(page: string, word: string): string[] {
  return [...page.matchAll(linkOf(word))].map(([, target = ""]) => target);
}
