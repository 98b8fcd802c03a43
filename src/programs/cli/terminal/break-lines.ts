import type { Io } from "./io.js";
import { TerminalText } from "./terminal-text.js";
import { breakLines } from "./wrap.js";

/** Lines of a terminal are never wider than it (docs/decisions/042-text-for-the-terminal.md). */

/** A shorter line fits every terminal. Reading the width of a terminal takes time. */
const SURE = 40;

/** Characters of other scripts may take two columns each. */
const mayBeWide = (text: string) => text.length > (/[^ -~]/.test(text) ? SURE / 2 : SURE);
const isLong = (text: string) => mayBeWide(text) && text.split("\n").some(mayBeWide);

/** A text with its long lines broken, if it is no data and is shown on a terminal. */
export function breakLongLines(text: TerminalText, isShown: () => boolean, columns: () => number): TerminalText {
  const whole = String(text);
  if (text.isData || !isLong(whole) || !isShown() || columns() <= 0) return text;
  return TerminalText.ofProgram(breakLines(whole, columns()));
}

/** Returns `io` with outputs that break long lines on a terminal. Data, files and pipes are not changed. */
export function withBrokenLines(io: Io): Io {
  const columns = () => io.columns;
  const outputs = {
    out: (text: TerminalText | Uint8Array) =>
      io.out(text instanceof Uint8Array ? text : breakLongLines(text, () => io.isScreen, columns)),
    err: (text: TerminalText) => io.err(breakLongLines(text, () => io.isTerminal, columns)),
  };
  // Getters stay getters, because reading `isTerminal` opens the streams of the terminal.
  const members = { ...Object.getOwnPropertyDescriptors(io), ...Object.getOwnPropertyDescriptors(outputs) };
  return Object.defineProperties({}, members) as Io;
}
