/** The code of the Portuguese guides. It is that of the English ones, so their files have a link in the place of each block. */

const BLOCK = /^( *)```[^\n`]*\n[\s\S]*?^\1```$/gm;
const LINK = /^ *\[Código\]\(([^)\n]*)\)$/gm;

/** A page with the blocks of code of its English page, in their order, in place of the links to them. */
export function withCode(page: string, english: string): string {
  const blocks = english.match(BLOCK) ?? [];
  return page.replace(LINK, (link) => blocks.shift() ?? link);
}

/** Where the links of a page lead to. */
export function codeLinks(page: string): string[] {
  return [...page.matchAll(LINK)].map(([, target = ""]) => target);
}
