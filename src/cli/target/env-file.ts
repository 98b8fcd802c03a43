import { statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
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

/** Writes variables into the file of --write-env. Throws Failure (exit 2) when the file cannot be written. */
export async function writeVariables(io: Io, file: string, variables: Partial<EmulatorVariables>): Promise<void> {
  const path = resolve(io.cwd, file);
  try {
    // An unreadable file fails here, before the write: writing would delete its other lines.
    const found = statSync(path, { throwIfNoEntry: false });
    // To read a pipe would wait until another program writes into it, perhaps for ever.
    if (found?.isFile() === false) throw new Error("it is no regular file");
    const before = found === undefined ? "" : await readFile(path, "utf8");
    const after = Object.entries(variables).reduce((text, [name, value]) => withVariable(text, name, value), before);
    await writeFile(path, after, { mode: 0o600 });
  } catch (error) {
    throw usage(`--write-env: ${file} cannot be written: ${whyUnwritable(path, error)}.`);
  }
}
