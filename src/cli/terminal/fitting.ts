import type { Io } from "./io.js";
import { TerminalText } from "./terminal-text.js";
import { fitted } from "./wrap.js";

/** Lines of a terminal are never wider than it (docs/decisions/077-lines-that-fit.md). */

/** A shorter line fits every terminal. To ask for the width of a terminal takes time. */
const SURE = 40;

/** Characters of other scripts may take two columns each. */
const mayBeWide = (text: string) => text.length > (/[^ -~]/.test(text) ? SURE / 2 : SURE);
const isLong = (text: string) => mayBeWide(text) && text.split("\n").some(mayBeWide);

/** Returns `io` with outputs that break long lines on a terminal. Data, files and pipes are not changed. */
export function fitting(io: Io): Io {
  const narrow = (text: TerminalText, isShown: () => boolean) => {
    const whole = String(text);
    if (text.isData || !isLong(whole) || !isShown() || io.columns <= 0) return text;
    return TerminalText.ofProgram(fitted(whole, io.columns));
  };
  const outputs = {
    out: (text: TerminalText | Uint8Array) =>
      io.out(text instanceof Uint8Array ? text : narrow(text, () => io.isScreen)),
    err: (text: TerminalText) => io.err(narrow(text, () => io.isTerminal)),
  };
  // Members that are read late stay so: to ask for a terminal opens its streams.
  const members = { ...Object.getOwnPropertyDescriptors(io), ...Object.getOwnPropertyDescriptors(outputs) };
  return Object.defineProperties({}, members) as Io;
}
