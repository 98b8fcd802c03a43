import { send, Unreachable } from "../../api/client/send.js";
import { answerExcerpt } from "../../base/kernel/answer-excerpt.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { isWebAddress } from "../../base/kernel/page-address.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { shellWord, wordsIn } from "../../base/kernel/shell.js";
import type { WaitRuntime } from "../../base/platform/real-runtime.js";
import { type ProgramOptions, startProgram } from "./program.js";

/** The entry points of a shop: a path below its address, an address, or a command. */

export type EntryPoint =
  | { readonly kind: "path" | "url"; readonly at: string }
  | { readonly kind: "command"; readonly words: readonly string[] };

/** Null for a text that is no entry point: a wrong address, an open quote, an empty text. */
export function entryPointOf(text: string): EntryPoint | null {
  if (text.startsWith("/")) return { kind: "path", at: text };
  if (/^https?:\/\//i.test(text)) return isWebAddress(text) ? { kind: "url", at: text } : null;
  const words = wordsIn(text);
  return words === null || words.length === 0 ? null : { kind: "command", words };
}

/** The present way to reach entry points. */
export interface EntryPointContext extends ProgramOptions {
  /** The shop's own address, without a slash at the end. */
  readonly address: string;
  /** Ends every wait for the shop. */
  readonly abandoned: AbortSignal;
  readonly waiting: Pick<WaitRuntime, "pause">;
}

/** The answer of an entry point, or the reason why there is none. `outcome` is for a person. */
export interface EntryPointAnswer {
  readonly isDone: boolean;
  readonly text: string;
  readonly outcome: string;
  /** No answer came in time. */
  readonly isLate?: boolean;
}

const ANSWER_MS = 30_000;
const MOST_OUTPUT = 64 * 1_048_576;
const SHOWN = 300;

/** Why something failed, as the end of a sentence. */
const reasonAtEnd = (error: unknown) => reasonOf(error).replace(/\.$/, "");

const excerptOf = (text: string) => (text.trim() === "" ? "" : `: ${answerExcerpt(text, SHOWN)}`);

async function runCommand(words: readonly string[], context: EntryPointContext): Promise<EntryPointAnswer> {
  const written = { out: "", err: "" };
  const program = startProgram(words, context, (text, isOutput) => {
    const stream = isOutput ? "out" : "err";
    if (written[stream].length < MOST_OUTPUT) written[stream] += text;
  });
  const kill = () => void program.signal("SIGKILL");
  const timeout = new AbortController();
  const late = context.waiting
    .pause(ANSWER_MS, AbortSignal.any([context.abandoned, timeout.signal]))
    .then(() => "late");
  try {
    const ended = await Promise.race([program.waitForEnd(context.waiting), late]);
    if (typeof ended === "string")
      return { isDone: false, text: "", outcome: `did not end within ${ANSWER_MS / 1_000} s`, isLate: true };
    const { code, signal } = ended;
    const outcome = `ended with ${signal ?? code}${excerptOf(`${written.out}\n${written.err}`)}`;
    return { isDone: code === 0, text: written.out, outcome };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const missing = `there is no program ${words[0]}; a path of the shop begins with a slash`;
    return { isDone: false, text: "", outcome: isMissing ? missing : `cannot be started: ${reasonAtEnd(error)}` };
  } finally {
    timeout.abort();
    kill();
  }
}

/** Where an entry point is, for a person. */
export function placeOf(entryPoint: EntryPoint, address: string): string {
  return entryPoint.kind === "command"
    ? `by the command ${entryPoint.words.map(shellWord).join(" ")}`
    : `at ${urlOf(entryPoint, address)}`;
}

export function urlOf(entryPoint: Exclude<EntryPoint, { kind: "command" }>, address: string): string {
  return entryPoint.kind === "path" ? address + entryPoint.at : entryPoint.at;
}

/** Calls an entry point: by POST with `fields` as JSON, by GET without, or with a command, which gets them as variables. */
export async function callEntryPoint(
  entryPoint: EntryPoint,
  context: EntryPointContext,
  fields?: Readonly<Record<string, string | number>>,
): Promise<EntryPointAnswer> {
  if (entryPoint.kind === "command") {
    const variables = Object.entries(fields ?? {}).map(([name, value]) => [name.toUpperCase(), String(value)]);
    return runCommand(entryPoint.words, { ...context, env: { ...context.env, ...Object.fromEntries(variables) } });
  }
  const [method, body] = fields === undefined ? ["GET", undefined] : ["POST", JSON.stringify(fields)];
  const headers = { accept: "application/json, text/csv;q=0.9, */*;q=0.8", "content-type": "application/json" };
  try {
    const request = { method, url: urlOf(entryPoint, context.address), headers, body, timeoutMs: ANSWER_MS };
    const { status, text } = await send({ ...request, signal: context.abandoned });
    return { isDone: isSuccess(status), text, outcome: `answered ${status}${excerptOf(text)}` };
  } catch (error) {
    const isLate = error instanceof Unreachable && error.isLate;
    return { isDone: false, text: "", outcome: reasonAtEnd(error), isLate };
  }
}
