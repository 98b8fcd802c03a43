import type { RealTime } from "../../../base/kernel/runtime.js";
import { joined, type TerminalText } from "./terminal-text.js";

/**
 * Gathers texts and hands them to `write` at the end of the turn. A busy server ends many attempts in one turn, and a
 * system call for each of their lines would take longer than the attempts take in the database.
 */
export function gathered(write: (text: TerminalText) => void, { soon }: Pick<RealTime, "soon">) {
  let waiting: TerminalText[] = [];
  /** Writes what is waiting, at once. */
  function flush(): void {
    if (waiting.length === 0) return;
    const texts = waiting;
    waiting = [];
    write(joined(texts, ""));
  }
  return {
    write(text: TerminalText): void {
      if (waiting.length === 0) soon(flush);
      waiting.push(text);
    },
    flush,
  };
}
