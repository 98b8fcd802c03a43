import type MarkdownIt from "markdown-it";
import { escapeHtml } from "../../src/base/kernel/html.js";
import { languageOfPage } from "../../src/base/pages/docs-folder.js";
import { TEXTS } from "../../src/base/pages/texts/languages.js";

/**
 * The languages of programs of which a reader chooses one. Third-level headings with these names that follow one another are a
 * choice: in the file each is a short section, on the page one of them is shown.
 */
export const CODE_LANGUAGES: readonly string[] = ["Node", "Python", "PHP", "Go", "Ruby", "Java"];

type Token = ReturnType<MarkdownIt["parse"]>[number];

/** A section of a choice among the tokens of a page: from its heading to the token after its end. */
export interface Tab {
  readonly name: string;
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

function levelOf({ type, tag }: Token): number {
  return type === "heading_open" ? Number(tag.slice(1)) : 6;
}

/** The choices of a page, each with its sections. */
export function choicesOf(tokens: readonly Token[]): Tab[][] {
  const choices: Tab[][] = [];
  for (const [start, token] of tokens.entries()) {
    const name = tokens[start + 1]?.content ?? "";
    if (levelOf(token) !== 3 || !CODE_LANGUAGES.includes(name)) continue;
    const rest = tokens.findIndex((next, index) => index > start && levelOf(next) <= 3);
    const tab = { name, id: String(token.attrGet("id")), start, end: rest === -1 ? tokens.length : rest };
    const last = choices.at(-1);
    if (last?.at(-1)?.end === start) last.push(tab);
    else choices.push([tab]);
  }
  return choices.filter((tabs) => tabs.length > 1);
}

/** A section is behind a radio button, so that a choice needs no script and works by keyboard. */
function openingHtml({ name, id }: Tab, choice: number, isFirst: boolean): string {
  const checked = isFirst ? " checked" : "";
  return `<input type="radio" name="choice-${choice}" id="choose-${id}" value="${escapeHtml(name)}"${checked}><label for="choose-${id}">${escapeHtml(name)}</label><section>`;
}

/** Makes choices of sections with the names of languages. Their headings have ids already. */
export function useTabs(markdown: MarkdownIt): void {
  markdown.core.ruler.push("tabs", (state) => {
    const { page } = state.env as { page?: { filePathStem?: string } };
    const { chooseLanguage } = TEXTS[languageOfPage((page?.filePathStem ?? "/").slice(1))].docs;
    const around = new Map<number, string>();
    const put = (at: number, html: string) => around.set(at, (around.get(at) ?? "") + html);
    const folded: (readonly [number, number])[] = [];
    for (const [choice, tabs] of choicesOf(state.tokens).entries()) {
      for (const [index, tab] of tabs.entries()) {
        if (index === 0) put(tab.start, `<fieldset class="tabs"><legend>${chooseLanguage}</legend>`);
        put(tab.start, openingHtml(tab, choice, index === 0));
        put(tab.end, `</section>${index === tabs.length - 1 ? "</fieldset>" : ""}`);
        folded.push([tab.start, tab.end]);
      }
    }
    const htmlToken = (content: string) => Object.assign(new state.Token("html_block", "", 0), { content });
    // In the file long code is folded. A page shows one language, and the code of it at once.
    const isFold = ({ type, content }: Token, at: number) =>
      type === "html_block" && /^<\/?details>/.test(content) && folded.some(([start, end]) => at > start && at < end);
    const made = state.tokens.flatMap((token, at) => {
      const html = around.get(at);
      return [...(html === undefined ? [] : [htmlToken(html)]), ...(isFold(token, at) ? [] : [token])];
    });
    const last = around.get(state.tokens.length);
    state.tokens = last === undefined ? made : [...made, htmlToken(last)];
  });
}
