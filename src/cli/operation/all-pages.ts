import { retryAfterMs } from "../../client/retry-after.js";
import type { HttpAnswer, HttpRequest } from "../../client/send.js";
import { isJsonObject } from "../../kernel/json.js";
import { tellAnswer } from "../target/safety.js";
import type { Target } from "../target/target.js";
import { EXIT } from "../terminal/exit-codes.js";
import { Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { say } from "../terminal/terminal-text.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import type { OperationFlags } from "../tree/syntax.js";
import { exchange } from "./exchange.js";
import { type NextPage, nextPage, rowsOf } from "./next-page.js";
import { rowPrinter } from "./rows.js";

/** `--all`: reads a list page by page and prints the rows as they come, so that a long list needs little memory. */

/** How often one page is asked for while the service answers 429. */
const MOST_TRIES = 10;
const DEFAULT_WAIT_MS = 1_000;
/** When the service asks for a longer pause than this, the command fails. */
const LONGEST_WAIT_MS = 300_000;
const PROGRESS_EVERY_MS = 2_000;
/**
 * How many ids are remembered. An object that is made between two reads moves the others to later pages, so the next
 * page of a numbered list begins with rows that were printed already.
 */
const REMEMBERED_IDS = 10_000;

/** The pause before a repetition, as Retry-After asks for it. Null when the service wants too long a pause. */
function waitAfter(header: string | undefined, now: number): number | null {
  const ms = retryAfterMs(header, now) ?? DEFAULT_WAIT_MS;
  return ms > LONGEST_WAIT_MS ? null : ms;
}

/** Remembers the latest ids. Returns the rows whose id is new; a row without an id always counts as new. */
function newRows(rows: readonly unknown[], known: Set<string>): unknown[] {
  const found = rows.filter((row) => {
    const id = isJsonObject(row) ? row.id : undefined;
    if (typeof id !== "string") return true;
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
  for (const id of known) {
    if (known.size <= REMEMBERED_IDS) break;
    known.delete(id);
  }
  return found;
}

interface Reading {
  readonly io: Io;
  readonly spec: OperationSpec;
  readonly target: Target;
  readonly request: HttpRequest;
  readonly flags: OperationFlags;
  readonly stop: AbortSignal;
}

/** Reads one page. Waits and asks again while the service answers 429. */
async function readPage({ io, spec, target, request, flags, stop }: Reading, url: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    let retryAfter: string | undefined;
    const onAnswer = (answer: HttpAnswer) => {
      tellAnswer(io, answer, flags);
      retryAfter = answer.headers.get("retry-after");
    };
    try {
      return JSON.parse(await exchange(spec, target, { ...request, url, signal: stop }, onAnswer));
    } catch (error) {
      const isLimited = error instanceof Failure && error.exitCode === EXIT.rateLimited;
      const wait = isLimited && tries < MOST_TRIES ? waitAfter(retryAfter, io.now()) : null;
      if (wait === null || stop.aborted) throw error;
      if (saysMore(flags)) io.err(say`The service limits the rate: the next try is in ${Math.ceil(wait / 1_000)} s.\n`);
      await io.pause(wait, stop);
    }
  }
}

/** With --json, a program reads both outputs: standard error is for the error envelope alone. */
function saysMore({ json, quiet, output }: OperationFlags): boolean {
  return !quiet && (!json || output === "jsonl" || output === "csv");
}

function urlOf({ url }: HttpRequest, { field, value }: NextPage): string {
  const next = new URL(url);
  next.searchParams.set(field, value);
  return next.href;
}

/**
 * Returns the next page like `nextPage`. Throws Failure (exit 7) when the answer cannot be right: the list would look
 * complete although it is not, or it would never end.
 */
function followingPage(spec: OperationSpec, answer: unknown, count: number, visited: Set<string>): NextPage | null {
  const strange = (what: string) => new Failure(EXIT.unreachable, "unexpected_answer", `The host ${what}.`);
  const next = nextPage(spec, answer, count);
  if (next === null) {
    if (!isJsonObject(answer) || answer.has_more !== true) return null;
    throw strange("says that there is more, but not where it begins (has_more without next_cursor)");
  }
  if (count === 0 && next.field === "page") throw strange("says that there is more, but this page is empty");
  if (visited.has(next.value)) throw strange(`names the same next page again (${next.field} ${next.value})`);
  visited.add(next.value);
  return next;
}

/** Prints every two seconds how many rows were read. Not for a table on the screen, which shows its rows itself. */
function progressOf({ io, flags }: Reading): (count: number) => void {
  const isShown = saysMore(flags) && !(io.isScreen && (flags.output ?? "table") === "table");
  let last = io.now();
  return (count) => {
    if (!isShown || io.now() - last < PROGRESS_EVERY_MS) return;
    last = io.now();
    io.err(say`${count} read so far\n`);
  };
}

/** The failure of a list that ends too early, with the flag that goes on at the place that was not read. */
function interrupted(error: unknown, stop: AbortSignal, count: number, next: NextPage | null): unknown {
  const goOn = next === null ? "" : ` Go on with --${next.flag} ${next.value}.`;
  const hint = `${count} were read, and there may be more.${goOn}`;
  if (stop.aborted)
    return new Failure(EXIT.unexpected, "cancelled", "Stopped before the end of the list.", undefined, hint);
  if (!(error instanceof Failure) || count === 0) return error;
  return error.with({ hint: error.hint === undefined ? hint : `${error.hint}\n${hint}` });
}

/**
 * Reads every page and prints the rows. Ctrl-C ends it (exit 1, because the list is not complete); JSON is a whole
 * document then too, with `has_more: true`.
 */
export async function printAll(
  io: Io,
  spec: OperationSpec,
  target: Target,
  request: HttpRequest,
  flags: OperationFlags,
): Promise<void> {
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const reading: Reading = { io, spec, target, request, flags, stop: stop.signal };
  const printer = await rowPrinter(io, spec, flags);
  const tellProgress = progressOf(reading);
  const known = new Set<string>();
  const visited = new Set<string>();
  let count = 0;
  let next: NextPage | null = null;
  try {
    do {
      const answer = await readPage(reading, next === null ? request.url : urlOf(request, next));
      const rows = rowsOf(spec, answer);
      const fresh = newRows(rows, known);
      printer.rows(fresh);
      count += fresh.length;
      next = null;
      next = followingPage(spec, answer, rows.length, visited);
      stop.signal.throwIfAborted();
      tellProgress(count);
    } while (next !== null);
  } catch (error) {
    printer.end(true);
    throw interrupted(error, stop.signal, count, next);
  }
  printer.end(false);
  if (saysMore(flags)) io.err(count === 0 ? say`Nothing to show.\n` : say`${count} in all\n`);
}
