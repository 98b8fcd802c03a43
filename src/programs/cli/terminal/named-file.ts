import type { Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { errorCode, reasonOf } from "../../../base/kernel/reason.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import { bytesOf } from "./bounded-read.js";
import { unreadable, usage } from "./failure.js";
import { textIn } from "./find-file.js";
import type { Io } from "./io.js";

/** Reads a file that the command line names. Throws Failure (exit 2) when it cannot be read, or has more than 64 MB. */
export function readNamed(io: Pick<Io, "cwd">, file: string): Buffer {
  try {
    return bytesOf(resolve(io.cwd, file));
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The text of a file that the command line names. Throws Failure (exit 2) when it cannot be read, or is no text. */
export function readNamedText(io: Pick<Io, "cwd">, file: string): string {
  const bytes = readNamed(io, file);
  try {
    return textIn(bytes);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Returns the file that the command line names: no folder, and readable. Throws Failure (exit 2) otherwise. */
export async function statNamed(io: Pick<Io, "cwd">, file: string): Promise<Stats> {
  const { access, constants, stat } = await import("node:fs/promises");
  const path = resolve(io.cwd, file);
  try {
    await access(path, constants.R_OK);
    const found = await stat(path);
    if (!found.isDirectory()) return found;
  } catch (error) {
    throw unreadable(file, error);
  }
  throw unreadable(file, { code: "EISDIR" });
}

/** Why a file cannot be written: what Node throws for a missing folder reads as if the file had to be there. */
export function whyUnwritable(path: string, error: unknown): Words {
  return errorCode(error) === "ENOENT" ? t`there is no folder ${dirname(path)}` : reasonOf(error);
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
    if (errorCode(error) === "EEXIST") {
      throw usage(
        t`${file} is already there, and may have been edited.`,
        t`Remove it, or choose another file with --output.`,
      );
    }
    throw usage(t`${file} cannot be written: ${whyUnwritable(path, error)}. Choose another file with --output.`);
  }
  return path;
}
