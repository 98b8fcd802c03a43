import { pick } from "../../kernel/pick.js";
import type { Target } from "../target/target.js";
import { Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { palette, printTable } from "../terminal/output.js";
import { say } from "../terminal/terminal-text.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import { findOperation } from "../tree/find-operation.js";
import type { GlobalFlags } from "../tree/flags.js";
import { exchange } from "./exchange.js";
import { rowsOf } from "./next-page.js";
import { prepare } from "./prepare.js";

/** Prints the list that belongs to an object, such as the refunds of a payment, below the object. */

/**
 * Reads and prints the list of `also`. A failure is printed on standard error and does not change the exit code: the
 * object itself was read.
 */
export async function printAlso(
  io: Io,
  { also }: OperationSpec,
  target: Target,
  ids: readonly string[],
  answer: unknown,
  flags: GlobalFlags,
): Promise<void> {
  if (also === undefined || (pick(answer, also.when) ?? null) === null) return;
  const { title, list: command } = also;
  const list = findOperation(command);
  try {
    const { request } = await prepare(list, target, ids, {}, io);
    const rows = rowsOf(list, JSON.parse(await exchange(list, target, request)));
    if (rows.length === 0) return;
    const paint = await palette(io, flags.color !== false);
    io.out(say`\n${paint.strong(title)}\n`);
    await printTable(io, list.columns, rows, paint, flags.utc);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.err(say`${title} could not be read: ${error.message} Try it with qa-pay ${command} ${ids.join(" ")}.\n`);
  }
}
