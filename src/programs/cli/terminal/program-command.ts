import { isAbsolute, relative } from "node:path";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { shellWord } from "../../../base/kernel/shell.js";
import { DEMO_PROFILE } from "../profiles/demo-profile.js";
import type { TerminalText } from "./terminal-text.js";

/** How the person started this program, so that a command in a message can be copied and run. */

interface ProcessStart {
  /** The file that Node was started with, as it was written: a link is not followed. */
  readonly script: string;
  /** Null when it was deleted. */
  readonly cwd: string | null;
  /** The folders in which a shell looks for programs. */
  readonly path: string;
}

const partsOf = (path: string) => path.split(/[\\/]+/).filter((part) => part !== "");

/** True if the second path is the first one, or leads into it. */
const isWithin = (folder: readonly string[], path: readonly string[]) =>
  folder.length > 0 && folder.every((part, index) => part === path[index]);

/** True if a shell finds the program by its name: in a folder of PATH, or by a shim in a folder above the package, as on Windows. */
function isOnPath(script: string, project: readonly string[], path: string): boolean {
  const folders = path.split(script.includes("\\") ? ";" : ":").map(partsOf);
  const above = partsOf(script).slice(0, -1);
  const shims = [...project, "node_modules", ".bin"];
  return folders.some((folder) => isWithin(folder, above) || (isWithin(folder, shims) && isWithin(shims, folder)));
}

/**
 * `qa-pay` when a shell finds it, `npx qa-pay` when npx does, else the path of the program: `node bin/qa-pay.js` in a clone. npx finds
 * what is in the project of the working folder, and gets again what it has fetched before.
 */
export function programCommand({ script, cwd, path }: ProcessStart): string {
  const parts = partsOf(script);
  const project = parts.slice(0, Math.max(0, parts.indexOf("node_modules")));
  if (parts.includes("_npx") || isWithin(project, partsOf(cwd ?? ""))) return "npx qa-pay";
  const isFile = parts.at(-1) === "qa-pay.js";
  const isOfClone = isFile && project.length === 0;
  if (!isOfClone && isOnPath(script, project, path)) return "qa-pay";
  const here = cwd === null ? script : relative(cwd, script);
  const file = here.startsWith("..") || isAbsolute(here) ? script : here;
  if (isFile) return `node ${shellWord(file)}`;
  return shellWord(file.includes("/") ? file : `./${file}`);
}

/** The key of a command that is printed: the variable that should hold it, so that no secret is on the screen. */
const KEY = '"$QA_PAY_API_KEY"';

/** The flags that choose the host of a command and its key. */
export type HostFlags = Pick<GlobalFlags, "profile" | "baseUrl" | "apiKey">;

/** The flags that lead a printed command to the host of the one that was started with these, each with a space before it. */
export function hostFlags({ profile, baseUrl, apiKey }: HostFlags): string {
  const isNoSecret = apiKey === "-" || apiKey === DEMO_PROFILE.api_key;
  return [
    ...(profile === undefined ? [] : ["--profile", shellWord(profile)]),
    ...(baseUrl === undefined ? [] : ["--base-url", shellWord(baseUrl)]),
    ...(apiKey === undefined ? [] : ["--api-key", isNoSecret ? apiKey : KEY]),
  ]
    .map((word) => ` ${word}`)
    .join("");
}

/** Returns a command for the same host, and with the same key, as the one that was started with these flags. */
export function commandLine(program: string, words: readonly string[], flags: HostFlags): string {
  return `${program} ${words.map(shellWord).join(" ")}${hostFlags(flags)}`;
}

/** A command in a text: at the beginning of a line, or behind a backtick, a colon, a pipe, a prompt or a wide space. */
const COMMAND = /(^|`|: |\$ |\| |\$\(| {2})qa-pay (?=[a-z<-])/gm;

/** A text with its commands as the person starts them. */
export function asStarted(text: string, program: string): string {
  return program === "qa-pay" ? text : text.replace(COMMAND, (_match, before: string) => `${before}${program} `);
}

/** A text for standard error. Data stays as it is. */
export function messageText(text: TerminalText, program: string): string {
  return text.isData ? String(text) : asStarted(String(text), program);
}
