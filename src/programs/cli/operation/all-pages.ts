import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { listProgress, type NextPage } from "../../../api/client/list-progress.js";
import type { HttpAnswer, HttpRequest } from "../../../api/client/send.js";
import { joinWords, t } from "../../../base/kernel/wording.js";
import { printAnswerHead } from "../host/print.js";
import { EXIT, Failure } from "../terminal/failure.js";
import { localized, say, type TerminalText } from "../terminal/terminal-text.js";
import { formOf } from "../tree/syntax.js";
import { patientReads } from "./patient-reads.js";
import { progressReporter, saysMore } from "./progress.js";
import { flagFor, nextPage, rowPrinter, rowsOf } from "./rows.js";
import { sendOperation } from "./send-operation.js";
import type { OperationCall } from "./show.js";

/** `--all`: reads a list page by page and prints the rows as they come, so that a long list needs little memory. */

/** Chooses the rows of a list that are printed. */
export interface RowFilter {
  /** Returns the rows to print among those that were read. `read` reads another object and repeats as the list does. */
  take(rows: readonly unknown[], read: (spec: OperationSpec, url: string) => Promise<unknown>): Promise<unknown[]>;
  /** True when no other row can match. */
  isDone(): boolean;
  /** The last line for a person. */
  summary(taken: number, read: number): TerminalText;
}

const EVERY_ROW: RowFilter = {
  take: async (rows) => [...rows],
  isDone: () => false,
  summary: (count) => (count === 0 ? localized`Nothing to show.` : localized`${count} in all`),
};

export type ListCall = Pick<OperationCall, "io" | "spec" | "connection" | "request" | "flags">;

export interface PagesCall extends Omit<ListCall, "spec"> {
  readonly stop: AbortSignal;
}

/** Returns a function that reads a page, or an object of `spec`, with `parse`. It waits and repeats like `patientReads`. */
export function pageReader(
  { io, connection, request, flags, stop }: PagesCall,
  parse: (text: string) => unknown = JSON.parse,
) {
  const notify = (text: TerminalText) => (saysMore(flags) ? io.err(text) : undefined);
  const patient = patientReads({ io, stop, notify });
  return (spec: OperationSpec, url: string): Promise<unknown> =>
    patient(async (onAnswer) => {
      const onPageAnswer = (answer: HttpAnswer) => {
        printAnswerHead(io, answer, flags);
        onAnswer(answer);
      };
      return parse(await sendOperation(spec, connection, { ...request, url, signal: stop }, onPageAnswer));
    });
}

function urlOf({ url }: HttpRequest, { field, value }: NextPage): string {
  const next = new URL(url);
  next.searchParams.set(field, value);
  return next.href;
}

/** Prints every two seconds how many rows were read, but not beside a table of all rows on the screen. */
function progressOf({ io, flags }: PagesCall, filter: RowFilter): (count: number) => void {
  const isTable = io.isScreen && formOf(flags) === "table";
  const report = progressReporter(io, saysMore(flags) && !(isTable && filter === EVERY_ROW));
  return (count) => report(() => localized`${count} read so far\n`);
}

/** Returns the failure of a list that ends too early, with the flag that continues at the first page that was not read. */
function earlyEndFailure(error: unknown, stop: AbortSignal, count: number, next: NextPage | null): unknown {
  const read = t`${count} were read, and there may be more.`;
  const hint = next === null ? read : joinWords([read, t`Go on with ${flagFor(next)}.`], " ");
  if (stop.aborted) return new Failure(EXIT.unexpected, "cancelled", t`Stopped before the end of the list.`, hint);
  if (!(error instanceof Failure) || count === 0) return error;
  return error.with({ hint: error.hint === undefined ? hint : joinWords([error.hint, hint], "\n") });
}

/**
 * Reads every page and prints the rows, or those that a filter chooses. Ctrl-C ends it (exit 1, because the list is not
 * complete); JSON is a whole document then too, with `has_more: true`.
 */
export async function printAll(call: ListCall, filter: RowFilter = EVERY_ROW): Promise<void> {
  const { io, spec, request, flags } = call;
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const reading: PagesCall = { ...call, stop: stop.signal };
  const read = pageReader(reading);
  const printer = await rowPrinter(io, spec, flags);
  const reportProgress = progressOf(reading, filter);
  const progress = listProgress();
  let [count, taken] = [0, 0];
  let next: NextPage | null = null;
  try {
    do {
      const answer = await read(spec, next === null ? request.url : urlOf(request, next));
      const rows = rowsOf(spec, answer);
      const fresh = progress.takeNew(rows);
      count += fresh.length;
      const chosen = await filter.take(fresh, read);
      printer.rows(chosen);
      taken += chosen.length;
      next = null;
      const following = filter.isDone() ? null : nextPage(spec, answer, rows.length);
      const problem = filter.isDone() ? null : progress.problem(answer, rows, following);
      // The list would look complete although it is not, or it would never end.
      if (problem !== null) throw new Failure(EXIT.unreachable, "unexpected_answer", problem);
      next = following;
      stop.signal.throwIfAborted();
      reportProgress(count);
    } while (next !== null);
  } catch (error) {
    printer.end?.(true);
    throw earlyEndFailure(error, stop.signal, count, filter === EVERY_ROW ? next : null);
  }
  printer.end?.(false);
  if (saysMore(flags)) io.err(say`${filter.summary(taken, count)}\n`);
}
