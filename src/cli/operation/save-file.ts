import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { openWith } from "../terminal/opener.js";
import { say } from "../terminal/terminal-text.js";
import type { GlobalFlags } from "../tree/flags.js";
import type { SaveFlags } from "../tree/syntax.js";

/** Saves an answer that is a file, and opens it with `--open`. */

function toStandardOutput(io: Io, content: Uint8Array, { open }: SaveFlags): void {
  if (open === true) throw usage("--open needs a file: leave out --output -, or name one.");
  if (io.isScreen)
    throw usage("This file is binary and would disturb the terminal: redirect it, as in `… --output - > receipt.pdf`.");
  io.out(content);
}

export async function saveFile(
  io: Io,
  file: { readonly base64: string; readonly name: string },
  answer: Readonly<Record<string, unknown>>,
  positional: readonly string[],
  flags: SaveFlags & Pick<GlobalFlags, "quiet">,
): Promise<void> {
  // An id with slashes, such as `../x`, must not put the file into another folder.
  const id = (positional[0] ?? "").replace(/[/\\]/g, "_");
  const name = typeof flags.output === "string" ? flags.output : file.name.replace("{id}", id);
  const content = Buffer.from(String(answer[file.base64]), "base64");
  if (name === "-") return toStandardOutput(io, content, flags);
  const path = resolve(io.cwd, name);
  try {
    await writeFile(path, content);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(`${name} cannot be written: ${reason}. Choose another file with --output.`);
  }
  if (!flags.quiet) io.out(say`${path}\n`);
  if (flags.open !== true) return;
  const { program, isStarted } = await openWith(io, path);
  if (!isStarted) io.err(say`${program} is not there to open it; the file is written.\n`);
}
