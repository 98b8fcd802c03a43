import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { FlagsOf, GlobalFlags } from "../../../api/client/flags.js";
import { tookText } from "../../../base/kernel/duration.js";
import { parseWritten } from "../../../base/kernel/exact-numbers.js";
import { counted, saidBy, t, type Words } from "../../../base/kernel/wording.js";
import type { Difference } from "../../../checks/reconcile/judge.js";
import { COLUMNS } from "../../../checks/reconcile/names.js";
import type { Order, ReadingOptions } from "../../../checks/reconcile/orders.js";
import type { PaymentReader } from "../../../checks/reconcile/payments.js";
import type { Totals } from "../../../checks/reconcile/reconcile.js";
import { connect } from "../host/connect.js";
import { mayBeSent } from "../host/consent.js";
import { type PagesCall, pageReader } from "../operation/all-pages.js";
import { prepare } from "../operation/prepare.js";
import { progressReporter, saysMore } from "../operation/progress.js";
import { buildServerOf, REPORT_FLAGS } from "../reports/reporter.js";
import { EXIT, type ExitCode, Failure, unreadable, usage } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { readInstant } from "../terminal/moment.js";
import { statNamed } from "../terminal/named-file.js";
import { palette } from "../terminal/output.js";
import { commandLine } from "../terminal/program-command.js";
import { dataLines, joinTexts, localized, say } from "../terminal/terminal-text.js";
import { type CommandContext, defineCommand } from "../tree/define-command.js";
import { differenceText, formatCounts, reportCasesOf } from "./differences.js";
import { isInputError, ORDER_FLAGS, readOrderFlags, remedyOf } from "./order-flags.js";

/** `reconcile`: compares the orders of a shop with the payments of a host, by reading alone (docs/guides/reconcile.md). */

const FLAGS = {
  ...ORDER_FLAGS,
  "--from <time>": "every payment created from this time on must be in a row",
  "--to <time>": "every payment created up to this time must be in a row",
  "--order-field <path>": "field of a payment with the name of the order, such as metadata.cart",
  ...REPORT_FLAGS,
} as const;

type ReconcileFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

function spanOf({ from, to, utc }: ReconcileFlags, now: number) {
  const momentOf = (flag: string, text: string | undefined, at: "start" | "end") =>
    text === undefined ? undefined : Date.parse(readInstant(flag, text, { bound: { at, exclusive: false }, utc, now }));
  const span = { from: momentOf("--from", from, "start"), to: momentOf("--to", to, "end") };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to)
    throw usage(t`--from is later than --to.`);
  return span;
}

/** Resolves when the file is open: a named pipe is open when somebody writes to it. */
async function openInput(io: Io, file: string): Promise<Readable> {
  if (file === "-") return io.streams().input;
  await statNamed(io, file);
  const { createReadStream } = await import("node:fs");
  const stream = createReadStream(resolve(io.cwd, file));
  await once(stream, "open").catch((error) => {
    throw unreadable(file, error);
  });
  return stream;
}

/** The orders of a file. Throws Failure (exit 2) with the line that is wrong. */
async function* ordersIn(input: Readable, reading: ReadingOptions): AsyncGenerator<Order> {
  const { fileRows } = await import("../../../checks/reconcile/file-rows.js");
  const { orderReader } = await import("../../../checks/reconcile/orders.js");
  const reader = orderReader(reading);
  let last: number | null = null;
  for await (const row of fileRows(input, reader)) {
    last = row.line;
    const order = reader.order(row);
    if (order !== null) yield order;
  }
  // Without rows no column can be missing.
  if (last !== null) reader.end(last);
}

/** The failure for a file that is wrong, or for a host that is no qa-pay service. Other errors stay as they are. */
function failureOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "StrangeAnswer") return new Failure(EXIT.unreachable, "unexpected_answer", saidBy(error));
  if (!isInputError(error)) return error;
  const { line, said } = error;
  const name = file === "-" ? t`standard input` : file;
  return usage(line === null ? said : t`${name}, line ${line}: ${said}`, remedyOf(error));
}

type ReconcileContext = Pick<CommandContext, "io" | "operation"> & { readonly reading: PagesCall };

/** Reads payments by the list and one by one, with the patience of `--all`. */
export function readerOf({ io, operation, reading }: ReconcileContext): PaymentReader {
  const [list, get] = [operation("payments list"), operation("payments get")];
  const read = pageReader(reading, parseWritten);
  return {
    list(query) {
      const url = new URL(reading.request.url);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      return read(list, url.href);
    },
    async get(id) {
      try {
        const { request } = await prepare(get, reading.connection, { positional: [id] }, io);
        return await read(get, request.url);
      } catch (error) {
        if (error instanceof Failure && error.exitCode === EXIT.notFound) return null;
        throw error;
      }
    },
  };
}

/** Reports at a terminal how far the list has been read. */
function progressOf(io: Io, flags: ReconcileFlags): (read: number, total: number) => void {
  const report = progressReporter(io, io.isTerminal && saysMore(flags));
  return (read, total) => report(() => localized`${read} of ${total} payments read\n`);
}

/** Prints differences as they come: as members of one JSON object, or as text. */
async function printer(io: Io, flags: ReconcileFlags) {
  const paint = await palette(io, flags.color !== false);
  let printed = 0;
  return {
    one(difference: Difference<Words>): void {
      if (flags.json) {
        const before = printed === 0 ? '{"differences":[' : ",";
        io.out(dataLines(`${before}${JSON.stringify(difference)}`));
      } else io.out(differenceText(paint, difference));
      printed++;
    },
    end({ checked, matched, payments, counts }: Totals, ms: number): void {
      if (flags.json) {
        const before = printed === 0 ? '{"differences":[' : "";
        io.out(dataLines(`${before}],${JSON.stringify({ checked, matched, counts }).slice(1)}\n`));
        return;
      }
      const how = localized`${counted(checked, "order")} and ${counted(payments, "payment")} compared in ${tookText(ms)}.`;
      const agree = matched === 1 ? localized`${matched} agrees.` : localized`${matched} agree.`;
      const found = printed === 0 ? [] : [paint.bad(formatCounts(printed, counts))];
      if (printed > 0) io.out(say`\n`);
      io.out(say`${joinTexts([how, agree, ...found], " ")}\n`);
    },
  };
}

async function reconcile(context: CommandContext, file: string, flags: ReconcileFlags): Promise<ExitCode> {
  const { io, operation } = context;
  const reading = readOrderFlags(flags, COLUMNS);
  const span = spanOf(flags, io.now());
  const { orderField, junit } = flags;
  const reportToBuildServer = await buildServerOf(io, "reconcile", junit);
  const connection = await connect(io, flags);
  const { request } = await prepare(operation("payments list"), connection, {}, io);
  if (!(await mayBeSent(io, connection.policy, request, flags))) return EXIT.done;
  // Before the stop is heard: while a named pipe waits for its writer, only the signal itself can end the process.
  const input = await openInput(io, file);
  const stop = new AbortController();
  io.onStop(() => {
    stop.abort();
    input.destroy();
  });
  const { differencesOf, newTotals } = await import("../../../checks/reconcile/reconcile.js");
  const reader = readerOf({ io, operation, reading: { io, connection, request, flags, stop: stop.signal } });
  const parts = {
    ...span,
    orderField,
    reader,
    command: (words: readonly string[]) => commandLine(io.program, words, flags),
    onProgress: progressOf(io, flags),
  };
  const begin = io.now();
  const totals = newTotals();
  const kept: Difference<Words>[] = [];
  const print = await printer(io, flags);
  const isKept = junit !== undefined || io.env.GITHUB_ACTIONS === "true";
  try {
    for await (const difference of differencesOf(ordersIn(input, reading), parts, totals)) {
      print.one(difference);
      if (isKept) kept.push(difference);
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    throw new Failure(EXIT.unexpected, "cancelled", t`Stopped before everything was compared.`);
  }
  print.end(totals, io.now() - begin);
  await reportToBuildServer(reportCasesOf(kept, totals.counts));
  return Object.values(totals.counts).some((count) => count > 0) ? EXIT.unexpected : EXIT.done;
}

// The exit code is 0 when the books agree, and 1 when there are differences.
export const command = defineCommand({
  command: "reconcile",
  summary: "Compare the orders of your shop with the payments of a host, and name each difference",
  takes: { "<file>": "orders as CSV, a JSON array or JSON lines; - for standard input" },
  flags: FLAGS,
  examples: [
    "qa-pay reconcile orders.csv",
    "qa-pay reconcile orders.csv --profile prod --amounts decimal --from 2026-11-01 --to 2026-11-30",
    "qa-pay reconcile orders.json --map id=charge_id,status=state --status paid=PAGO,settled",
  ],
  sends: true,
}).run(async ({ given: { file }, flags, ...context }) => {
  try {
    return await reconcile(context, file, flags);
  } catch (error) {
    throw failureOf(error, file);
  }
});
