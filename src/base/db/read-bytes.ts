import { closeSync, openSync, readSync } from "node:fs";

/** Reads bytes of a file without SQLite. They are zeros where the file is shorter. */
export function readBytes(file: string, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const handle = openSync(file, "r");
  try {
    readSync(handle, bytes, 0, length, position);
  } finally {
    closeSync(handle);
  }
  return bytes;
}
