import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs";
import type { Io, Starter } from "./io.js";
import type { TerminalText } from "./terminal-text.js";

/** The output of a process in the background. Its standard output and standard error are its log file. */

const LOG_DESCRIPTOR = 1;
/** The log never gets longer than this many bytes. When it would, its older half is dropped. */
const LOG_BYTES = 10_485_760;

/** Drops the beginning of a log file, up to the end of a line, so that about `kept` bytes are left. */
function dropBeginning(descriptor: number, size: number, kept: number): void {
  const end = Buffer.alloc(kept);
  const read = readSync(descriptor, end, 0, kept, size - kept);
  const lines = end.subarray(end.indexOf("\n") + 1, read);
  ftruncateSync(descriptor, 0);
  writeSync(descriptor, lines);
}

/** Appends a text to a log file, which must be open for reading and appending. */
export function appendToLog(descriptor: number, text: string, most = LOG_BYTES): void {
  const bytes = Buffer.from(text);
  const { size } = fstatSync(descriptor);
  if (size + bytes.length > most) dropBeginning(descriptor, size, Math.min(size, Math.floor(most / 2)));
  writeSync(descriptor, bytes.subarray(0, Math.floor(most / 2)));
}

/**
 * The process as a command in the background sees it. Its output goes to the command that started it, until it is ready,
 * and then to the log.
 */
export function inBackground(io: Io, starter: Starter): Io {
  let isReady = false;
  const write = (stream: "out" | "err") => (text: TerminalText | Uint8Array) => {
    if (isReady) appendToLog(LOG_DESCRIPTOR, String(text));
    else starter.send(stream === "out" ? { out: String(text) } : { err: String(text) });
  };
  const ready = (open: string | null) => {
    isReady = true;
    starter.ready(open);
  };
  return { ...io, out: write("out"), err: write("err"), starter: { ...starter, ready } };
}
