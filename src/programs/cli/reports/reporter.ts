import { access, constants, realpath, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { errorCode, reasonOf } from "../../../base/kernel/reason.js";
import { withoutSecrets } from "../../../base/kernel/secrets.js";
import { makeFolder } from "../../../base/platform/own-folder.js";
import { EXIT, Failure, formatValue, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say, type TerminalText, visibleLines } from "../terminal/terminal-text.js";
import { junitXml, type ReportCase } from "./junit.js";

/** Reports of checks to build servers, besides what a command prints for people. */

export const REPORT_FLAGS = { "--junit <file>": "also write the result into this file, as JUnit XML" } as const;

export type ReportToBuildServer = (all: readonly ReportCase[]) => Promise<void>;

function isMissing(error: unknown): null {
  if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null;
  throw error;
}

type Kind = "file" | "folder";

/** Throws an error unless a file or a folder can be written at this path, where it may be there already. */
async function checkWritable(path: string, kind: Kind): Promise<void> {
  let there = path;
  let found = await stat(there).catch(isMissing);
  if (found !== null && found.isDirectory() !== (kind === "folder")) {
    throw new Error(kind === "file" ? "it is a folder" : "it is no folder");
  }
  // Missing folders are created when something is written.
  while (found === null) {
    there = dirname(there);
    found = await stat(there).catch(isMissing);
    if (found?.isDirectory() === false) throw new Error(`${there} is no folder`);
  }
  await access(there, constants.W_OK);
}

/** Finds a mistake in the name before minutes of work, and leaves nothing behind when that work is refused. */
export async function requireFile(io: Io, flag: string, name: string, kind: Kind = "file"): Promise<void> {
  try {
    if (name === "") throw new Error("it has no name");
    await checkWritable(resolve(io.cwd, name), kind);
  } catch (error) {
    throw usage(`${formatValue(name)} cannot be written: ${reasonOf(error)}. Choose another ${kind} with ${flag}.`);
  }
}

/** Removes the file of an earlier run, which could be taken for the result of this one. What is no file, such as a pipe, stays. */
async function removeOldFile(io: Io, name: string): Promise<void> {
  const there = await realpath(resolve(io.cwd, name)).catch(isMissing);
  if (there !== null && (await stat(there)).isFile()) await rm(there);
}

/** Creates the file's folder when it is missing. `mode` is for a file that only its owner may read. */
export async function writeReport(io: Io, file: string, content: string, mode?: number): Promise<void> {
  try {
    const path = resolve(io.cwd, file);
    makeFolder(dirname(path), 0o777);
    await writeFile(path, content, { mode });
  } catch (error) {
    throw new Failure(EXIT.unexpected, "unexpected", `${file} cannot be written: ${reasonOf(error)}.`);
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  "%": "%25",
  "\r": "%0D",
  "\n": "%0A",
  ":": "%3A",
  ",": "%2C",
};

/**
 * Masks a text that leaves the machine with a report: without keys, secrets and colours, and with escapes for characters that
 * turn the reading direction. The words of a shop, a receiver or a command line may hold any of them.
 */
function maskCase({ group, name, message, detail, ...rest }: ReportCase): ReportCase {
  const clean = (text: string) => String(visibleLines(withoutSecrets(stripVTControlCharacters(text))));
  return { ...rest, group: clean(group), name: clean(name), message: clean(message), detail: clean(detail) };
}

/**
 * The line that GitHub Actions shows as an error of the run. A line that is text of somebody else could be a command of
 * its own, so what is in it is escaped.
 */
function annotation(suite: string, { name, detail }: ReportCase): TerminalText {
  const title = `${suite}: ${name}`.replace(/[%\r\n:,]/g, (character) => ENTITIES[character] ?? character);
  const text = detail.replace(/[%\r\n]/g, (character) => ENTITIES[character] ?? character);
  return say`::error title=${title}::${text}\n`;
}

/** The test of a report for a command that ended early. None for an error of the program, and where a person has said no. */
export function caseOfFailure(error: unknown, group: string, name: string): ReportCase[] {
  if (!(error instanceof Failure) || error.code === "cancelled") return [];
  const { message, hint } = error;
  const detail = hint === undefined ? message : `${message}\n${hint}`;
  return [{ group, name, status: "failed", message, detail }];
}

/**
 * Call it before the work: throws Failure (exit 2) when the file cannot be written. The function that it returns writes the
 * file, which is not there until then, and names failures to GitHub Actions, which reads the commands of both outputs; the other one may be JSON.
 */
export async function buildServerOf(io: Io, command: string, file: string | undefined): Promise<ReportToBuildServer> {
  if (file !== undefined) {
    await requireFile(io, "--junit", file);
    await removeOldFile(io, file);
  }
  const suite = `qa-pay ${command}`;
  const begin = io.now();
  return async (checked) => {
    const all = checked.map(maskCase);
    if (io.env.GITHUB_ACTIONS === "true") {
      for (const one of all) if (one.status === "failed") io.err(annotation(suite, one));
    }
    if (file !== undefined) await writeReport(io, file, junitXml(suite, all, io.now() - begin));
  };
}
