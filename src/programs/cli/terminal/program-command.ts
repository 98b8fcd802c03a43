import { isAbsolute, relative } from "node:path";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { shellWord } from "../../../base/kernel/shell.js";
import type { TerminalText } from "./terminal-text.js";

/** How the person started this program, so that a command in a message can be copied and run. */

interface ProcessStart {
  /** The file that Node was started with, as it was written: a link is not followed. */
  readonly script: string;
  /** Null when it was deleted. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** `node bin/qa-pay.js` in a clone, `npx qa-pay` under npx and in a script of npm, and `qa-pay` when it is installed. */
export function programCommand({ script, cwd, env }: ProcessStart): string {
  const folders = script.split(/[\\/]/);
  if (folders.at(-1) === "qa-pay.js" && !folders.includes("node_modules")) {
    const here = cwd === null ? script : relative(cwd, script);
    return `node ${shellWord(here.startsWith("..") || isAbsolute(here) ? script : here)}`;
  }
  const isOfProject = env.npm_command !== undefined || folders.includes(".bin");
  return isOfProject ? "npx qa-pay" : "qa-pay";
}

/** The same in any folder. A program of a clone or of a project is found from there by the whole path of its script alone. */
export function programAnywhere(program: string, script: string): string {
  const isFoundThere = program === "qa-pay" || script.split(/[\\/]/).includes("_npx");
  return isFoundThere ? program : `node ${shellWord(script)}`;
}

/** Returns a command for the same host as the one that was started with these flags, and with the same key unless a flag held it. */
export function commandLine(
  program: string,
  words: readonly string[],
  { profile, baseUrl }: Pick<GlobalFlags, "profile" | "baseUrl">,
): string {
  const place = [
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(baseUrl === undefined ? [] : ["--base-url", baseUrl]),
  ];
  return `${program} ${[...words, ...place].map(shellWord).join(" ")}`;
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
