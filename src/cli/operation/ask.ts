import { formatBrl, parseAmount } from "../../kernel/money.js";
import type { Target } from "../target/target.js";
import type { Io } from "../terminal/io.js";
import { cell, palette } from "../terminal/output.js";
import { joined, say } from "../terminal/terminal-text.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import { findOperation } from "../tree/find-operation.js";
import type { GlobalFlags } from "../tree/flags.js";
import { exchange } from "./exchange.js";
import { rowsOf } from "./next-page.js";
import { prepare } from "./prepare.js";

/** Asks a person at a terminal for missing values, instead of refusing the command. */

const RECENT = 20;

async function askForAmount(io: Io, question: string): Promise<string> {
  const text = await io.prompt.input(`${question} (R$ 19,90 with a comma, or 1990 in centavos)`, (given) => {
    const amount = parseAmount(given);
    if (amount === null) return "Write R$ 19,90 with a comma, or the centavos alone: 1990.";
    return amount > 0 || "It must be more than nothing.";
  });
  const amount = parseAmount(text) ?? 0;
  io.err(say`That is ${formatBrl(amount)} (${amount} centavos).\n`);
  return String(amount);
}

/** Asks for the flags in `asks`, one by one. Returns the answers by the flags' names, without the empty ones. */
export async function askForFlags(io: Io, { asks = {}, flags }: OperationSpec): Promise<Record<string, string>> {
  const given: Record<string, string> = {};
  for (const { name, field } of flags) {
    const question = asks[field];
    if (question === undefined) continue;
    const answer =
      field === "amount"
        ? await askForAmount(io, question)
        : (await io.prompt.input(`${question} (may be empty)`)).trim();
    if (answer !== "") given[name] = answer;
  }
  return given;
}

/**
 * Lets the person pick one of the latest objects and returns its id. Returns null when there is no list command for
 * these objects, or when the list is empty. Throws Failure when the list cannot be read.
 */
export async function pickId(
  io: Io,
  spec: OperationSpec,
  target: () => Promise<Target>,
  flags: GlobalFlags,
): Promise<string | null> {
  if (spec.picksFrom === undefined) return null;
  const { list: command, method, prefix } = spec.picksFrom;
  const list = findOperation(command);
  const limit = list.flags.some(({ name }) => name === "limit") ? { limit: String(RECENT) } : {};
  const { request } = await prepare(list, await target(), [], limit, io);
  const answer: unknown = JSON.parse(await exchange(list, await target(), request));
  const rows = (rowsOf(list, answer) as Record<string, unknown>[]).filter(
    ({ paymentMethods: methods }) => method === undefined || (Array.isArray(methods) && methods.includes(method)),
  );
  if (rows.length === 0) return null;
  const paint = await palette(io, flags.color !== false);
  const choices = rows.map((row) => {
    const own = String(row.id ?? row.name);
    const id = prefix === undefined ? own : prefix + own.replace(/^[a-z]+_/, "");
    const rest = list.columns.slice(1).map((column) => cell(row, column, paint, flags.utc));
    return { name: joined([id, ...rest.filter((text) => String(text) !== "")], "  "), value: id };
  });
  return io.prompt.select(spec.arguments[0]?.description.replace(/:.*/, "") ?? "Which one", choices);
}
