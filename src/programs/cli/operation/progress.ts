import type { Io } from "../terminal/io.js";
import type { TerminalText } from "../terminal/terminal-text.js";
import type { OperationFlags } from "../tree/syntax.js";

/** What commands that take a while tell a person meanwhile. */

const EVERY_MS = 2_000;

/** With --json, a program reads both outputs: standard error is for the error envelope alone. */
export function saysMore({ json, quiet, output }: OperationFlags): boolean {
  return !quiet && (!json || output === "jsonl" || output === "csv");
}

/** Returns what tells how far the work is, where that is wanted and the last time was a while ago. */
export function progressTeller(io: Io, isWanted: boolean, everyMs = EVERY_MS): (text: () => TerminalText) => void {
  let last = io.now();
  return (text) => {
    if (!isWanted || io.now() - last < everyMs) return;
    last = io.now();
    io.err(text());
  };
}
