import { isUtf8 } from "node:buffer";
import { type Stats, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { isLoopbackHost } from "../../../base/kernel/loopback.js";
import { errorCode } from "../../../base/kernel/reason.js";
import { shellWord } from "../../../base/kernel/shell.js";
import type { Words } from "../../../base/kernel/wording.js";
import { isLiveKey } from "../host/keys.js";
import { EXIT, Failure, usage, whyUnreadable } from "../terminal/failure.js";
import { findFile, textIn } from "../terminal/find-file.js";
import type { Io } from "../terminal/io.js";
import { whyUnwritable } from "../terminal/named-file.js";
import { type Assignment, assignmentsIn, type EmulatorVariables } from "./env-file.js";
import { writePrivately } from "./private-file.js";

/** The file of `--write-env`: a few of its lines are replaced or added, and all others stay byte for byte. */

interface EnvFile {
  readonly path: string;
  /** Null when there is no file yet. */
  readonly stats: Stats | null;
  /** The byte order mark, or nothing. */
  readonly mark: string;
  readonly text: string;
}

/** A file that must not be replaced: it is mounted, or its folder or its owner is somebody else's. It is written as it lies there. */
const IN_PLACE: readonly unknown[] = ["EBUSY", "EACCES", "EPERM"];

function unwritable(file: string, why: Words): Failure {
  return usage(`--write-env: ${file} cannot be written: ${why}.`);
}

/** Throws Failure (exit 2) for a file that would not stay as it is: a link, another encoding, something that is no file. */
function envFile({ cwd }: Pick<Io, "cwd">, file: string): EnvFile {
  const path = resolve(cwd, file);
  try {
    const found = findFile(path, { noLinks: true });
    if (found === null) {
      if (statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
        return { path, stats: null, mark: "", text: "" };
      throw new Error(`there is no folder ${dirname(path)}`);
    }
    const { bytes, stats } = found;
    const text = textIn(bytes);
    if (!isUtf8(bytes)) throw new Error("it is in UTF-16, which other programs do not read: save it as UTF-8");
    return { path, stats, mark: bytes.toString().startsWith("\ufeff") ? "\ufeff" : "", text };
  } catch (error) {
    throw unwritable(file, whyUnreadable(error));
  }
}

/** Returns whether a value is the address of a host that is neither this machine nor `own`. */
function isElsewhere(value: string, own: string | undefined): boolean {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(value);
  // A word alone is no address but a placeholder.
  if (!hasScheme && !/^[^/]*[.:]/.test(value)) return false;
  const address = hasScheme ? value : `http://${value}`;
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return !isLoopbackHost(hostname) && hostname.replace(/^\[|\]$/g, "") !== own;
}

interface WriteOptions extends Pick<GlobalFlags, "yes"> {
  /** The host that the server listens at. */
  readonly host?: string | undefined;
}

function whyKept({ name, value }: Assignment, host: string | undefined): string | null {
  if (isLiveKey(value)) return `${name} is a live key`;
  if (name !== "QA_PAY_BASE_URL" || !isElsewhere(value, host)) return null;
  return `${name} is the address of another host`;
}

/**
 * Checks the file before anything starts. Throws Failure: exit 2 when the file cannot be written, and exit 5 when a value that would be
 * lost is a live key or the address of another host, unless the person says `--yes`.
 */
export function requireEnvFile(
  io: Pick<Io, "cwd">,
  file: string,
  names: readonly string[],
  { yes, host }: WriteOptions,
): EnvFile {
  const found = envFile(io, file);
  const lost = assignmentsIn(found.text).filter(({ name }) => names.includes(name));
  const reasons = [...new Set(lost.flatMap((one) => whyKept(one, host) ?? []))];
  if (reasons.length === 0 || yes) return found;
  const message = `--write-env: ${file} stays as it is: ${reasons.join(", and ")}.`;
  throw new Failure(
    EXIT.refused,
    "confirmation_required",
    message,
    "Add --yes to overwrite it, or choose another file.",
  );
}

/** The text with the lines of these variables replaced, each in its place, or added at the end as the other lines end. */
function withVariables(text: string, variables: Readonly<Partial<EmulatorVariables>>): string {
  const values: Readonly<Record<string, string | undefined>> = { ...variables };
  const known = assignmentsIn(text).filter(({ name }) => values[name] !== undefined);
  let changed = "";
  let copied = 0;
  for (const { from, to, before, name } of known) {
    changed += `${text.slice(copied, from)}${before}${name}=${values[name]}`;
    copied = to;
  }
  changed += text.slice(copied);
  const lineBreak = text.match(/\r\n|\r|\n/g)?.at(-1) ?? "\n";
  const added = Object.entries(values).filter(([name]) => !known.some((one) => one.name === name));
  if (added.length > 0 && changed !== "" && !/[\r\n]$/.test(changed)) changed += lineBreak;
  return changed + added.map(([name, value]) => `${name}=${value}${lineBreak}`).join("");
}

/**
 * Writes variables into the file of --write-env, a new one for its owner alone. Who may read a file that is there is left to its owner:
 * a container may need it. Returns a warning when others may read it, else null. Throws Failure like `requireEnvFile`.
 */
export function writeVariables(
  io: Pick<Io, "cwd" | "platform" | "random">,
  file: string,
  variables: Readonly<Partial<EmulatorVariables>>,
  options: WriteOptions,
): string | null {
  const { path, stats, mark, text } = requireEnvFile(io, file, Object.keys(variables), options);
  const content = mark + withVariables(text, variables);
  try {
    writePrivately(path, content, io.random(), stats ?? undefined);
  } catch (error) {
    if (stats === null || !IN_PLACE.includes(errorCode(error))) throw unwritable(file, whyUnwritable(path, error));
    writeInPlace(file, path, content);
  }
  if (stats === null || io.platform === "win32" || (stats.mode & 0o044) === 0) return null;
  const mode = (stats.mode & 0o777).toString(8);
  return `others may read ${file} (mode ${mode}), which holds secrets now: chmod 600 ${shellWord(file)}`;
}

function writeInPlace(file: string, path: string, content: string): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw unwritable(file, whyUnwritable(path, error));
  }
}
