import { t, type Wording } from "../../../base/kernel/wording.js";
import { Failure } from "../terminal/failure.js";
import { palette, printTable } from "../terminal/output.js";
import { commandLine } from "../terminal/program-command.js";
import { localized, say } from "../terminal/terminal-text.js";
import { prepare } from "./prepare.js";
import { rowsOf } from "./rows.js";
import { sendOperation } from "./send-operation.js";
import type { OperationCall } from "./show.js";

/**
 * Reads more about an object with another request: the refunds of a payment, the end-to-end id of its charge. The object
 * itself was read, so a failure is only reported on standard error, and the function returns undefined.
 */
export async function readBeside(call: OperationCall, command: string, what = t`More`): Promise<unknown> {
  const { io, operation, connection, ids } = call;
  const spec = operation(command);
  const prepared = await prepare(spec, connection, { positional: ids }, io);
  try {
    return JSON.parse(await sendOperation(spec, connection, prepared.request));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const again = commandLine("qa-pay", [...command.split(" "), ...prepared.ids], call.flags);
    io.err(localized`${what} could not be read: ${error.said} Try that command alone: ${again}\n`);
    return undefined;
  }
}

/** Prints below an object the list that `command` reads for the same ids. */
export async function printListBelow(call: OperationCall, command: string, title: Wording): Promise<void> {
  const { io, operation, flags } = call;
  const answer = await readBeside(call, command, title);
  const list = operation(command);
  const rows = answer === undefined ? [] : rowsOf(list, answer);
  if (rows.length === 0) return;
  const paint = await palette(io, flags.color !== false);
  io.out(say`\n${paint.strong(title)}\n`);
  await printTable(io, list.columns, rows, { paint, utc: flags.utc, isZoned: flags.utc === true });
}
