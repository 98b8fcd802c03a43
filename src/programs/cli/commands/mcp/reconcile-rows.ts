import type { GlobalFlags } from "../../../../api/client/flags.js";
import type { InputError } from "../../../../checks/reconcile/input-error.js";
import type { ReconcileQuestion } from "../../../mcp/service-port.js";
import { WrongArguments } from "../../../mcp/wrong-arguments.js";
import type { Connection } from "../../host/connection.js";
import { prepare } from "../../operation/prepare.js";
import { EXIT, Failure } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { INSTANT_FORMS, instantText } from "../../terminal/moment.js";
import { commandLine } from "../../terminal/program-command.js";
import type { CommandContext } from "../../tree/define-command.js";
import { isInputError } from "../order-flags.js";
import { readerOf } from "../reconcile.js";

/** The tool `reconcile`: the comparison of the command, with rows in the place of a file. */

const WAYS: Readonly<Record<NonNullable<InputError["option"]>, string | undefined>> = {
  status: 'Say in status what your words mean, such as {"paid": ["PAGO"]}.',
  map: 'Name your members in map, such as {"id": "charge_id", "status": "state"}.',
  amounts: "Amounts such as 19.90 or 19,90 need amounts decimal.",
  saving: undefined,
};

/** The error for rows that cannot be read, or for a host that is no qa-pay service. Other errors stay as they are. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "StrangeAnswer") return new Failure(EXIT.unreachable, "unexpected_answer", error.message);
  if (!isInputError(error)) return error;
  const { line, message, option } = error;
  const hint = (option && WAYS[option]) ?? "Correct the rows and call reconcile again.";
  return new WrongArguments("rows", `${line === null ? "" : `Row ${line}: `}${message}`, hint);
}

interface RowsContext extends Pick<CommandContext, "operation"> {
  readonly io: Io;
  readonly flags: GlobalFlags;
  readonly connection: Connection;
  readonly signal: AbortSignal;
}

function momentOf(
  name: string,
  text: string | undefined,
  { at, now }: { readonly at: "start" | "end"; readonly now: number },
): number | undefined {
  if (text === undefined) return undefined;
  const instant = instantText(text, { bound: { at, exclusive: false }, now });
  if (instant !== null) return Date.parse(instant);
  throw new WrongArguments(name, `${name} takes ${INSTANT_FORMS}, not ${text}.`, "Call reconcile again.");
}

/** Throws WrongArguments for rows that cannot be read, and Failure like a read of the host. */
export async function reconcileAt(
  { io, operation, flags, connection, signal }: RowsContext,
  { rows, amounts, map, status, from, to, order_field: orderField }: ReconcileQuestion,
) {
  const now = io.now();
  const span = { from: momentOf("from", from, { at: "start", now }), to: momentOf("to", to, { at: "end", now }) };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw new WrongArguments("from", "from is later than to.", "Call reconcile again.");
  }
  const { request } = await prepare(operation("payments list"), connection, {}, io);
  const { reconcileRows } = await import("../../../../checks/reconcile/rows.js");
  const reading = { io, connection, request, flags: { ...flags, quiet: true }, stop: signal };
  const parts = {
    ...span,
    orderField,
    reader: readerOf({ io, operation, reading }),
    command: (words: readonly string[]) => commandLine(io.program, words, flags),
  };
  try {
    return await reconcileRows(rows, { amounts, map, status }, parts);
  } catch (error) {
    throw failureOf(error);
  }
}
