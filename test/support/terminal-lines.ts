import { stripVTControlCharacters } from "node:util";
import { expect } from "vitest";
import type { CliOutcome } from "./cli.js";

/** Text that a terminal may get: no control characters of others, and no line that is wider than it. */

/**
 * Clears the screen, sets the title, turns the direction of reading, and begins a line that looks like the program's
 * own.
 */
export const STEERING = "\u001b[2J\u009b31m\u001b]0;title\u0007\u202e\u2066\u2028\r\nFORGED";
/** The beginning of that text as it is shown. */
export const SHOWN = "\\u001b[2J\\u009b31m";

export function expectNoSteering({ out, err }: CliOutcome): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(`${out}${err}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
  expect(`${out}${err}`).not.toMatch(/^FORGED/m);
}

/** A JSON value whose every text is changed. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withTexts(member, change)]));
}

export const steered = (value: unknown) => withTexts(value, (text) => text + STEERING);

/** The text that is added to every text of the service: a long name, a text without spaces, and wide characters. */
export const LONG = ` ${"Maria Aparecida da Conceição ".repeat(4)}${"山田太郎".repeat(30)} 👩‍👩‍👧😀 ${"https://loja.example/pedido/".repeat(3)}`;

/** An instant or an id: it has its length by the contract. */
const IS_SHORT = /^(?:\d{4}-\d\d-\d\dT[\d:.]+Z|(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f-]{27})$/;

export const lengthen = (value: unknown) => withTexts(value, (text) => (IS_SHORT.test(text) ? text : text + LONG));

const segments = new Intl.Segmenter();

/** Letters of Latin scripts, and Chinese characters, without a mark behind them. */
const PLAIN = /[ -\u02ff]+(?!\p{M})|\p{Script=Han}+(?!\p{M})/gu;

/** How many columns of a terminal a line takes. */
function columnsOf(line: string): number {
  let columns = 0;
  // They are counted as they stand, because to split a text into what a person sees takes far longer.
  const rest = line.replace(PLAIN, (run) => {
    columns += run > "\u02ff" ? 2 * run.length : run.length;
    return "";
  });
  const parts = rest === "" ? [] : [...segments.segment(rest)];
  return parts.reduce(
    (sum, { segment }) => sum + (/\p{Script=Han}|\p{Emoji_Presentation}/u.test(segment) ? 2 : 1),
    columns,
  );
}

/** A text to copy stands alone in its line: an address or a code, a command, a text in backquotes. */
const COPIED = /^\s*(\S+|000201.*|(\$ )?(npx |node )?qa-pay .*|`[^`]+`\S?)$/;

export function expectToFit(columns: number, { out, err }: CliOutcome): void {
  const lines = stripVTControlCharacters(`${out}\n${err}`).split("\n");
  // No character takes more than two columns: a short line need not be measured.
  const wide = lines.filter((line) => line.length * 2 > columns && !COPIED.test(line));
  expect(wide.filter((line) => columnsOf(line) > columns)).toEqual([]);
}
