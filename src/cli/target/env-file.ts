import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { shellWord } from "../../kernel/shell.js";
import { usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { whyUnwritable } from "../terminal/named-file.js";

/** The environment variables that tell applications and other commands how to reach an emulator. */
export interface EmulatorVariables {
  readonly QA_PAY_BASE_URL: string;
  readonly QA_PAY_API_KEY: string;
  readonly QA_PAY_WEBHOOK_SECRET: string;
}

/** Replaces the lines of a variable, or adds one. Other lines stay as they are. */
function withVariable(text: string, name: string, value: string): string {
  const known = new RegExp(`^(\ufeff?(?:export[ \\t]+)?)${name}[ \\t]*=.*$`, "gm");
  const line = `${name}=${value}`;
  if (known.test(text)) return text.replace(known, (_line, prefix: string) => prefix + line);
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/**
 * Writes variables into the file of --write-env, a new one for its owner alone. Who may read a file that is there is left to its owner:
 * a container may need it. Returns a warning when others may read it, else null. Throws Failure (exit 2) when it cannot be written.
 */
export async function writeVariables(
  { cwd, platform }: Pick<Io, "cwd" | "platform">,
  file: string,
  variables: Partial<EmulatorVariables>,
): Promise<string | null> {
  const path = resolve(cwd, file);
  try {
    // An unreadable file fails here, before the write: writing would delete its other lines.
    const found = statSync(path, { throwIfNoEntry: false });
    // To read a pipe would wait until another program writes into it, perhaps for ever.
    if (found?.isFile() === false) throw new Error("it is no regular file");
    const before = found === undefined ? "" : await readFile(path, "utf8");
    const after = Object.entries(variables).reduce((text, [name, value]) => withVariable(text, name, value), before);
    await writeFile(path, after, { mode: 0o600 });
    if (found === undefined || platform === "win32" || (found.mode & 0o044) === 0) return null;
    const mode = (found.mode & 0o777).toString(8);
    return `others may read ${file} (mode ${mode}), which holds secrets now: chmod 600 ${shellWord(file)}`;
  } catch (error) {
    throw usage(`--write-env: ${file} cannot be written: ${whyUnwritable(path, error)}.`);
  }
}
