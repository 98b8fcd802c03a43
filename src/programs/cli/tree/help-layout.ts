import { asStarted } from "../terminal/program-command.js";
import { type TerminalText, visibleLines } from "../terminal/terminal-text.js";

/** The form in which help texts are kept: each paragraph is one line, and the width of the terminal breaks it. */

/** Stands in a line where all further lines of its paragraph begin. */
export const PARAGRAPH = "\t";

/** A narrower paragraph would be hard to read, so it is left whole. */
const NARROWEST = 40;

/** Breaks a paragraph between words into lines of at most `room` columns. */
function breakParagraph(paragraph: string, room: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.match(/\s*\S+/g) ?? []) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length <= room) lines.push(lines.pop() + word);
    else lines.push(line === undefined ? word : word.trimStart());
  }
  return lines;
}

/** The text of a help for a terminal of this width. */
function laidOut(text: string, columns: number): string {
  const lines = text.split("\n").map((line) => {
    const [head = "", paragraph] = line.split(PARAGRAPH);
    if (paragraph === undefined) return line;
    const room = columns - head.length;
    const parts = room < NARROWEST ? [paragraph] : breakParagraph(paragraph, room);
    return head + parts.join(`\n${" ".repeat(head.length)}`);
  });
  return lines.join("\n");
}

/** A help as it is shown: laid out, and with its commands worded as the person starts them. */
export function layOutHelp(text: string, columns: number, program: string): TerminalText {
  return visibleLines(asStarted(laidOut(text, columns), program));
}
