import type { RealTime } from "../../../base/kernel/runtime.js";
import { joinTexts, type TerminalText } from "./terminal-text.js";

/**
 * Gathers texts and hands them to `write` at the end of the turn. A busy server ends many attempts in one turn, and a
 * system call for each of their lines would take longer than the attempts take in the database.
 */
export function batchWrites(write: (text: TerminalText) => void, { callSoon }: Pick<RealTime, "callSoon">) {
  let waiting: TerminalText[] = [];
  /** Writes what is waiting, at once. */
  function flush(): void {
    if (waiting.length === 0) return;
    const texts = waiting;
    waiting = [];
    write(joinTexts(texts, ""));
  }
  return {
    write(text: TerminalText): void {
      if (waiting.length === 0) callSoon(flush);
      waiting.push(text);
    },
    flush,
  };
}
