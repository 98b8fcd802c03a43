import { resolve } from "node:path";
import { reasonOf } from "../../kernel/reason.js";
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

/** How a file is written: for its owner alone, or only where there is none yet. */
interface Writing {
  readonly mode?: number;
  readonly flag?: "wx";
}

/** Writes the file of `--output`. Returns its path. Throws Failure (exit 2) when it cannot be written. */
export async function writeNamed(
  io: Pick<Io, "cwd">,
  file: string,
  content: string | Uint8Array,
  how: Writing = {},
): Promise<string> {
  const { writeFile } = await import("node:fs/promises");
  const path = resolve(io.cwd, file);
  try {
    await writeFile(path, content, how);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw usage(
        `${file} is already there, and may have been edited.`,
        "Remove it, or choose another file with --output.",
      );
    }
    throw usage(`${file} cannot be written: ${reasonOf(error)}. Choose another file with --output.`);
  }
  return path;
}
