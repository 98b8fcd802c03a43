import { errorCode } from "../../../base/kernel/reason.js";
import { EXIT } from "./failure.js";
import { programCommand } from "./program-command.js";
import type { TerminalText } from "./terminal-text.js";

/** Standard output and the terminal of this process, as also the help needs them, which loads nothing else. */

/** Not imported, to start faster: an import of node:fs would also create its stream classes. */
const { fstatSync, writeSync } = process.getBuiltinModule("node:fs");

/** True for a file or a pipe. False for a device such as a terminal, and always false on Windows. */
function isPlain(descriptor: number): boolean {
  try {
    return process.platform !== "win32" && !fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Reads this from the system, because `isTTY` opens the stream, and that takes time. */
export const isTerminal = (descriptor: number) =>
  !isPlain(descriptor) && process.getBuiltinModule("node:tty").isatty(descriptor);

/**
 * Ends the process when standard output cannot be written. A reader that stops early (`| head`) is not an error: exit
 * 0. Anything else, such as a full disk, is one: exit 1.
 */
function endUnwritten(error: unknown): never {
  const code = errorCode(error);
  if (code === "EPIPE") process.exit(EXIT.done);
  process.stderr.write(`Error: Standard output cannot be written (${code}).\n`);
  process.exit(EXIT.unexpected);
}

/**
 * Writes to standard output. Files and pipes are written directly, because opening Node's stream takes as long as a
 * whole short command. When a pipe is full and does not block (EAGAIN), the stream writes the rest.
 */
export function standardOutput(): (text: TerminalText | Uint8Array) => void {
  let stream: NodeJS.WriteStream | null = null;
  const viaStream = (bytes: Uint8Array) => {
    stream ??= process.stdout.on("error", endUnwritten);
    stream.write(bytes);
  };
  const isDirect = isPlain(1);
  return (text) => {
    let left: Uint8Array = text instanceof Uint8Array ? text : Buffer.from(String(text));
    while (isDirect && stream === null && left.length > 0) {
      try {
        left = left.subarray(writeSync(1, left));
      } catch (error) {
        if (errorCode(error) !== "EAGAIN") endUnwritten(error);
        break;
      }
    }
    if (left.length > 0) viaStream(left);
  };
}

/** The width of the terminal. */
export function terminalColumns(): number {
  // Neither is a terminal, which is known without opening them.
  if (isPlain(1) && isPlain(2)) return 100;
  return (isPlain(1) ? process.stderr : process.stdout).columns ?? 100;
}

/** The working folder; null when it was deleted. */
export function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/** How the person started this program. */
export const programName = () =>
  programCommand({ script: process.argv[1] ?? "", cwd: workingFolder(), path: process.env.PATH ?? "" });

/** The arguments, without node and the script. */
export const argumentsOfProcess = () => process.argv.slice(2);
