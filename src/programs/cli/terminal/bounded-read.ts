import { closeSync, openSync, readSync } from "node:fs";
import { saidBy, t, WordedError } from "../../../base/kernel/wording.js";
import { usage } from "./failure.js";

/** How many bytes are read: more than any command needs. */
const MOST_BYTES = 67_108_864;
const CHUNK = 65_536;

/** Collects bytes up to the bound. The size of a device or a pipe is 0, and it may never end. */
class Collected {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > MOST_BYTES) throw new WordedError(t`it has more than ${MOST_BYTES / 1_048_576} MB`);
    this.#parts.push(part);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Opens a file for `work`, and closes it afterwards. */
export function withOpen<T>(path: string, flags: number | string, work: (descriptor: number) => T): T {
  const descriptor = openSync(path, flags);
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads an open file to its end. Throws Error when it has more than 64 MB. */
export function bytesBehind(descriptor: number): Buffer {
  const collected = new Collected();
  const chunk = Buffer.alloc(CHUNK);
  for (;;) {
    const length = readSync(descriptor, chunk);
    if (length === 0) return collected.bytes();
    // A copy of just what was read: a pipe may hand over a few bytes each time.
    collected.add(Buffer.from(chunk.subarray(0, length)));
  }
}

/** Reads a file. Throws Error when it has more than 64 MB. */
export function bytesOf(path: string): Buffer {
  return withOpen(path, "r", bytesBehind);
}

/** Reads the bytes of standard input to its end. Throws Failure (exit 2) when it has more than 64 MB. */
export async function inputBytes(input: AsyncIterable<Uint8Array | string>): Promise<Buffer> {
  const collected = new Collected();
  try {
    for await (const part of input) collected.add(typeof part === "string" ? Buffer.from(part) : part);
  } catch (error) {
    throw usage(t`Standard input cannot be read: ${saidBy(error)}.`);
  }
  return collected.bytes();
}

/** Reads the text of standard input to its end. Throws Failure (exit 2) when it has more than 64 MB. */
export const inputText = async (input: AsyncIterable<Uint8Array>) => String(await inputBytes(input));
