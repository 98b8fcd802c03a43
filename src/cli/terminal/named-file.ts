import { resolve } from "node:path";
import { usage } from "./failure.js";
import type { Io } from "./io.js";

/** Reads a file that the command line names. Throws Failure (exit 2) when it cannot be read. */
export async function readNamed(io: Pick<Io, "cwd">, file: string): Promise<Buffer> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(resolve(io.cwd, file));
  } catch {
    throw usage(`The file ${file} cannot be read.`);
  }
}
