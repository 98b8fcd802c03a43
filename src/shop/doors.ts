import { send } from "../client/send.js";
import { shortened } from "../kernel/errors.js";
import { isSuccess } from "../kernel/http-status.js";
import { isWebAddress } from "../kernel/page-address.js";
import { reasonOf } from "../kernel/reason.js";
import { shellWord, wordsIn } from "../kernel/shell.js";
import { realWaiting } from "../platform/real-runtime.js";
import { type ProgramOptions, startProgram } from "./program.js";

/** The doors of a shop: a path below its address, an address, or a command. */

export type Door =
  | { readonly kind: "path" | "url"; readonly at: string }
  | { readonly kind: "command"; readonly words: readonly string[] };

/** Null for a text that is no door: an address that is none, a quote that is not closed, nothing. */
export function doorOf(text: string): Door | null {
  if (text.startsWith("/")) return { kind: "path", at: text };
  if (/^https?:\/\//i.test(text)) return isWebAddress(text) ? { kind: "url", at: text } : null;
  const words = wordsIn(text);
  return words === null || words.length === 0 ? null : { kind: "command", words };
}

/** How doors are reached now. */
export interface DoorContext extends ProgramOptions {
  /** The shop's own address, without a slash at the end. */
  readonly address: string;
  /** Ends what waits for the shop. */
  readonly abandoned: AbortSignal;
}

/** What came through a door, or why nothing did. */
export type Told = { readonly isDone: boolean; readonly text: string; readonly said: string };

const ANSWER_MS = 30_000;
const MOST_OUTPUT = 64 * 1_048_576;
const SHOWN = 300;

/** Why something failed, as the end of a sentence. */
const reasonAtEnd = (error: unknown) => reasonOf(error).replace(/\.$/, "");

const shown = (text: string) => (text.trim() === "" ? "" : `: ${shortened(text.trim(), SHOWN)}`);

async function runCommand(words: readonly string[], place: DoorContext): Promise<Told> {
  const written = { out: "", err: "" };
  const program = startProgram(words, place, (text, isOutput) => {
    const stream = isOutput ? "out" : "err";
    if (written[stream].length < MOST_OUTPUT) written[stream] += text;
  });
  const kill = () => void program.signal("SIGKILL");
  const patience = new AbortController();
  const late = realWaiting.pause(ANSWER_MS, AbortSignal.any([place.abandoned, patience.signal])).then(() => "late");
  try {
    const ended = await Promise.race([program.closed, late]);
    if (typeof ended === "string")
      return { isDone: false, text: "", said: `did not end within ${ANSWER_MS / 1_000} s` };
    const { code, signal } = ended;
    const said = `ended with ${signal ?? code}${shown(`${written.out}\n${written.err}`)}`;
    return { isDone: code === 0, text: written.out, said };
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const missing = `there is no program ${words[0]}; a path of the shop begins with a slash`;
    return { isDone: false, text: "", said: isMissing ? missing : `cannot be started: ${reasonAtEnd(error)}` };
  } finally {
    patience.abort();
    kill();
  }
}

/** Where a door is, for a person. */
export function placeOf(door: Door, address: string): string {
  return door.kind === "command"
    ? `by the command ${door.words.map(shellWord).join(" ")}`
    : `at ${urlOf(door, address)}`;
}

export function urlOf(door: Exclude<Door, { kind: "command" }>, address: string): string {
  return door.kind === "path" ? address + door.at : door.at;
}

/** Goes through a door: by POST with `fields` as JSON, by GET without, or with a command, which gets them as variables. */
export async function through(
  door: Door,
  around: DoorContext,
  fields?: Readonly<Record<string, string | number>>,
): Promise<Told> {
  if (door.kind === "command") {
    const variables = Object.entries(fields ?? {}).map(([name, value]) => [name.toUpperCase(), String(value)]);
    return runCommand(door.words, { ...around, env: { ...around.env, ...Object.fromEntries(variables) } });
  }
  const [method, body] = fields === undefined ? ["GET", undefined] : ["POST", JSON.stringify(fields)];
  const headers = { accept: "application/json, text/csv;q=0.9, */*;q=0.8", "content-type": "application/json" };
  try {
    const request = { method, url: urlOf(door, around.address), headers, body, timeoutMs: ANSWER_MS };
    const { status, text } = await send({ ...request, signal: around.abandoned });
    return { isDone: isSuccess(status), text, said: `answered ${status}${shown(text)}` };
  } catch (error) {
    return { isDone: false, text: "", said: reasonAtEnd(error) };
  }
}
