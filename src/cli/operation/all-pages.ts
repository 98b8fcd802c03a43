import type { OperationSpec } from "../../client/describe-operations.js";
import { listProgress, type NextPage } from "../../client/list-progress.js";
import { retryAfterMs } from "../../client/retrying.js";
import type { HttpAnswer, HttpRequest } from "../../client/send.js";
import { tellAnswer } from "../target/safety.js";
import { EXIT, Failure } from "../terminal/failure.js";
import { say, type TerminalText } from "../terminal/terminal-text.js";
import { formOf, type OperationFlags } from "../tree/syntax.js";
import { exchange } from "./exchange.js";
import { flagFor, nextPage, rowPrinter, rowsOf } from "./rows.js";
import type { OperationCall } from "./show.js";

/** `--all`: reads a list page by page and prints the rows as they come, so that a long list needs little memory. */

/** How often one page is asked for while the service answers 429. */
const MOST_TRIES = 10;
const DEFAULT_WAIT_MS = 1_000;
/** When the service asks for a longer pause than this, the command fails. */
const LONGEST_WAIT_MS = 300_000;
export const PROGRESS_EVERY_MS = 2_000;

/** The pause before a repetition, as Retry-After asks for it. Null when the service wants too long a pause. */
function waitAfter(header: string | undefined, now: number): number | null {
  const ms = retryAfterMs(header, now) ?? DEFAULT_WAIT_MS;
  return ms > LONGEST_WAIT_MS ? null : ms;
}

/** Chooses among the rows of a list what is printed. */
export interface Sieve {
  /** The rows to print of some that were read. `read` reads a further object, with the patience of the list. */
  take(rows: readonly unknown[], read: (spec: OperationSpec, url: string) => Promise<unknown>): Promise<unknown[]>;
  /** True when no further row can be chosen. */
  isDone(): boolean;
  /** The last line for a person. */
  summary(taken: number, read: number): TerminalText;
}

const EVERY_ROW: Sieve = {
  take: async (rows) => [...rows],
  isDone: () => false,
  summary: (count) => (count === 0 ? say`Nothing to show.` : say`${count} in all`),
};

export type ListCall = Pick<OperationCall, "io" | "spec" | "target" | "request" | "flags">;

export interface Reading extends Omit<ListCall, "spec"> {
  readonly stop: AbortSignal;
}

/** Reads one page, or an object of `spec`. Waits and asks again while the service answers 429. */
export async function readPage(
  { io, target, request, flags, stop }: Reading,
  spec: OperationSpec,
  url: string,
): Promise<unknown> {
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
export function saysMore({ json, quiet, output }: OperationFlags): boolean {
  return !quiet && (!json || output === "jsonl" || output === "csv");
}

function urlOf({ url }: HttpRequest, { field, value }: NextPage): string {
  const next = new URL(url);
  next.searchParams.set(field, value);
  return next.href;
}

/** Prints every two seconds how many rows were read. Not for a table of all rows on the screen, which shows it itself. */
function progressOf({ io, flags }: Reading, sieve: Sieve): (count: number) => void {
  const isTable = io.isScreen && formOf(flags) === "table";
  const isShown = saysMore(flags) && !(isTable && sieve === EVERY_ROW);
  let last = io.now();
  return (count) => {
    if (!isShown || io.now() - last < PROGRESS_EVERY_MS) return;
    last = io.now();
    io.err(say`${count} read so far\n`);
  };
}

/** The failure of a list that ends too early, with the flag that goes on at the place that was not read. */
function interrupted(error: unknown, stop: AbortSignal, count: number, next: NextPage | null): unknown {
  const goOn = next === null ? "" : ` Go on with ${flagFor(next)}.`;
  const hint = `${count} were read, and there may be more.${goOn}`;
  if (stop.aborted) return new Failure(EXIT.unexpected, "cancelled", "Stopped before the end of the list.", hint);
  if (!(error instanceof Failure) || count === 0) return error;
  return error.with({ hint: error.hint === undefined ? hint : `${error.hint}\n${hint}` });
}

/**
 * Reads every page and prints the rows, or those that a sieve takes. Ctrl-C ends it (exit 1, because the list is not
 * complete); JSON is a whole document then too, with `has_more: true`.
 */
export async function printAll(call: ListCall, sieve: Sieve = EVERY_ROW): Promise<void> {
  const { io, spec, request, flags } = call;
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const reading: Reading = { ...call, stop: stop.signal };
  const read = (of: OperationSpec, url: string) => readPage(reading, of, url);
  const printer = await rowPrinter(io, spec, flags);
  const tellProgress = progressOf(reading, sieve);
  const progress = listProgress();
  let [count, taken] = [0, 0];
  let next: NextPage | null = null;
  try {
    do {
      const answer = await read(spec, next === null ? request.url : urlOf(request, next));
      const rows = rowsOf(spec, answer);
      const fresh = progress.fresh(rows);
      count += fresh.length;
      const chosen = await sieve.take(fresh, read);
      printer.rows(chosen);
      taken += chosen.length;
      next = null;
      const following = sieve.isDone() ? null : nextPage(spec, answer, rows.length);
      const problem = sieve.isDone() ? null : progress.problem(answer, rows, following);
      // The list would look complete although it is not, or it would never end.
      if (problem !== null) throw new Failure(EXIT.unreachable, "unexpected_answer", `The host ${problem}.`);
      next = following;
      stop.signal.throwIfAborted();
      tellProgress(count);
    } while (next !== null);
  } catch (error) {
    printer.end(true);
    throw interrupted(error, stop.signal, count, sieve === EVERY_ROW ? next : null);
  }
  printer.end(false);
  if (saysMore(flags)) io.err(say`${sieve.summary(taken, count)}\n`);
}
