import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { GlobalFlags } from "../../../api/client/flags.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { Wording } from "../../../base/kernel/wording.js";
import type { Connection } from "../host/connection.js";
import { cell, palette } from "../terminal/output.js";
import { joinTexts } from "../terminal/terminal-text.js";
import type { CommandContext } from "../tree/define-command.js";
import { prepare } from "./prepare.js";
import { rowsOf } from "./rows.js";
import { sendOperation } from "./send-operation.js";

const RECENT = 20;

/**
 * Lets the person pick one of the latest objects and returns its id. Returns null when there is no list command for
 * these objects, or when the list is empty. Throws Failure when the list cannot be read.
 */
export async function pickId(
  { io, operation }: Pick<CommandContext, "io" | "operation">,
  spec: OperationSpec,
  connection: () => Promise<Connection>,
  flags: GlobalFlags,
): Promise<string | null> {
  if (spec.picksFrom === undefined) return null;
  const { list: command, method, prefix } = spec.picksFrom;
  const list = operation(command);
  const limit = list.flags.some(({ name }) => name === "limit") ? { limit: String(RECENT) } : {};
  const { request } = await prepare(list, await connection(), { options: limit }, io);
  const answer: unknown = JSON.parse(await sendOperation(list, await connection(), request));
  const rows = rowsOf(list, answer)
    .filter(isJsonObject)
    .filter(
      ({ paymentMethods: methods }) => method === undefined || (Array.isArray(methods) && methods.includes(method)),
    );
  if (rows.length === 0) return null;
  const paint = await palette(io, flags.color !== false);
  const choices = rows.map((row) => {
    const own = String(row.id ?? row.name);
    const id = prefix === undefined ? own : prefix + own.replace(/^[a-z]+_/, "");
    const rest = list.columns.slice(1).map((column) => cell(row, column, paint, flags.utc));
    return { name: joinTexts([id, ...rest.filter((text) => String(text) !== "")], "  "), value: id };
  });
  return io.prompt.select(new Wording(spec.arguments[0]?.description.replace(/:.*/, "") ?? "Which one"), choices);
}
