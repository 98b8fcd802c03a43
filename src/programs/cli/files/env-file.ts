import { join } from "node:path";
import { unreadable } from "../terminal/failure.js";
import { findFile, textIn } from "../terminal/find-file.js";
import type { Io } from "../terminal/io.js";

/** Files of variables, such as `.env`. */

/** The environment variables with which applications and other commands reach an emulator. */
export interface EmulatorVariables {
  readonly QA_PAY_BASE_URL: string;
  readonly QA_PAY_API_KEY: string;
  readonly QA_PAY_WEBHOOK_SECRET: string;
}

export const VARIABLES = [
  "QA_PAY_BASE_URL",
  "QA_PAY_API_KEY",
  "QA_PAY_WEBHOOK_SECRET",
] as const satisfies readonly (keyof EmulatorVariables)[];

/**
 * One assignment from the beginning of its line to the end, without the line break: what stands before the name, the name, and the value, which
 * may go on over several lines in quotes. Lines end with LF, CR LF or CR. `NAME: value` counts, because dotenv reads it.
 */
const ASSIGNMENT =
  /(?<![^\r\n])([^\S\r\n]*(?:export[^\S\r\n]+)?)([\w.-]+)(?:[^\S\r\n]*=|:(?=[^\S\r\n]))[^\S\r\n]*(?:(["'`])([\s\S]*?)\3[^\r\n]*|([^\r\n]*))/g;

export interface Assignment {
  readonly from: number;
  readonly to: number;
  /** The spaces and the `export` before the name. */
  readonly before: string;
  readonly name: string;
  readonly value: string;
}

/** The assignments in a file of variables, in their order. */
export function assignmentsIn(text: string): Assignment[] {
  return [...text.matchAll(ASSIGNMENT)].map((match) => {
    const [whole, before = "", name = "", _quote, inQuotes, plain = ""] = match;
    const value = inQuotes ?? plain.replace(/#.*$/s, "").trim();
    return { from: match.index, to: match.index + whole.length, before, name, value };
  });
}

/** The variables of the `.env` in the working folder; none where there is no such file. Throws Failure (exit 2) for one that cannot be read. */
export function readDotEnv({ cwd }: Pick<Io, "cwd">): Readonly<Record<string, string | undefined>> {
  const path = join(cwd, ".env");
  try {
    const found = findFile(path);
    if (found === null) return {};
    return Object.fromEntries(assignmentsIn(textIn(found.bytes)).map(({ name, value }) => [name, value]));
  } catch (error) {
    throw unreadable(path, error);
  }
}
