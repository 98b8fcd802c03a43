import { isUtf8 } from "node:buffer";
import { constants, fstatSync, lstatSync, type Stats, statSync } from "node:fs";
import { jsonIn } from "../../../base/kernel/json.js";
import { errorCode } from "../../../base/kernel/reason.js";
import { t, WordedError, type Wording } from "../../../base/kernel/wording.js";
import { bytesBehind, withOpen } from "./bounded-read.js";

/** Files that other programs and people wrote: the text in them, and files that a command finds although no flag names them. */

export interface FoundFile {
  readonly bytes: Buffer;
  readonly stats: Stats;
}

const KINDS: readonly (readonly [(found: Stats) => boolean, Wording])[] = [
  [(found) => found.isDirectory(), t`it is a folder`],
  [(found) => found.isSymbolicLink(), t`it is a link`],
  [(found) => found.isFIFO(), t`it is a named pipe`],
  [(found) => found.isSocket(), t`it is a socket`],
];

/** Throws Error for what is no regular file. */
function requireRegular(found: Stats): void {
  if (found.isFile()) return;
  throw new WordedError(KINDS.find(([isOne]) => isOne(found))?.[1] ?? t`it is a device`);
}

interface FindOptions {
  /** Links are refused, and not followed. */
  readonly noLinks?: boolean;
  /** Throws Error for a file that must not be believed. */
  readonly check?: (found: Stats) => void;
}

/** Undefined also where a file stands instead of a folder. */
export function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * The file at a path; null when nothing is there. Throws Error with the reason when something is there and cannot be read. It
 * never waits: to read a pipe could take forever.
 */
export function findFile(path: string, { noLinks = false, check }: FindOptions = {}): FoundFile | null {
  const statOf = noLinks ? lstatSync : statSync;
  const before = ifThere(() => statOf(path, { throwIfNoEntry: false }));
  if (before === undefined) {
    if (ifThere(() => lstatSync(path, { throwIfNoEntry: false })) === undefined) return null;
    throw new WordedError(t`it is a link to a file that is not there`);
  }
  // A device must not even be opened.
  requireRegular(before);
  try {
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (noLinks ? (constants.O_NOFOLLOW ?? 0) : 0);
    return withOpen(path, flags, (descriptor) => {
      // Another file may stand there by now.
      const stats = fstatSync(descriptor);
      requireRegular(stats);
      check?.(stats);
      return { stats, bytes: bytesBehind(descriptor) };
    });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** The value of a JSON file that was found; undefined when nothing is there. Throws Error like `findFile`, and for other text. */
export function findJson(path: string, finding: FindOptions = {}): unknown {
  const found = findFile(path, finding);
  if (found === null) return undefined;
  const value = jsonIn(textIn(found.bytes));
  // The parser's own message is left out: it quotes the file, and the quoted part may contain a key.
  if (value === undefined) throw new WordedError(t`it is no JSON`);
  return value;
}

/** The first line that is not in UTF-8. */
function findWrongLine(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf("\n", start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function utf16Text(bytes: Buffer, isBig: boolean): string {
  const text = bytes.length % 2 === 0 ? (isBig ? Buffer.from(bytes).swap16() : bytes).toString("utf16le") : "\ud800";
  if (text.isWellFormed()) return text;
  throw new WordedError(t`it begins as UTF-16 and is none: save it as UTF-8`);
}

/**
 * The text in a file: UTF-8, or UTF-16 with its mark, as PowerShell writes it. The byte order mark is no part of it. Throws
 * Error for another encoding, because its characters could only be guessed.
 */
export function textIn(bytes: Buffer): string {
  const [first, second] = bytes;
  const isBig = first === 0xfe && second === 0xff;
  const isUtf16 = isBig || (first === 0xff && second === 0xfe);
  if (!isUtf16 && !isUtf8(bytes))
    throw new WordedError(t`line ${findWrongLine(bytes)} is not in UTF-8: save it as UTF-8`);
  const text = withoutMark(isUtf16 ? utf16Text(bytes, isBig) : bytes.toString());
  if (!text.includes("\0")) return text;
  throw new WordedError(t`it has NUL bytes, as UTF-16 without its mark has them: save it as UTF-8`);
}

/** Editors on Windows put a byte order mark before a text. It is no part of the text. */
export function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}
