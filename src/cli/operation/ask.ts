import { formatBrl } from "../../kernel/money.js";
import type { Target } from "../target/target.js";
import type { Io } from "../terminal/io.js";
import { cell, palette, pick } from "../terminal/output.js";
import { joined, say } from "../terminal/terminal-text.js";
import { commandNouns, commandsOf } from "../tree/command-tree.js";
import { isOperation } from "../tree/define-command.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import type { GlobalFlags } from "../tree/flags.js";
import { exchange } from "./exchange.js";
import { prepare } from "./prepare.js";

/** What a person at a terminal is asked for instead of being told that it is missing. */

const RECENT = 20;

/**
 * Centavos of what a person wrote: `R$ 19,90`, `19,90`, `R$ 20`, `R$ 1.234,56`, or digits alone, which are centavos. Null
 * for what could be meant both ways, such as `19.90`.
 */
export function parseAmount(text: string): number | null {
  const [, sign, reais, cents] = /^(R\$)?\s*(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{2}))?$/i.exec(text.trim()) ?? [];
  if (reais === undefined) return null;
  if (sign === undefined && cents === undefined) return reais.includes(".") ? null : Number(reais);
  return Number(reais.replaceAll(".", "") + (cents ?? "00"));
}

/** The flags of `charges create`, asked one by one; what is left empty is not given. */
export async function askForCharge(io: Io): Promise<Record<string, string>> {
  const amountText = await io.prompt.input("Amount (R$ 19,90 with a comma, or 1990 in centavos)", (text) => {
    const amount = parseAmount(text);
    if (amount === null) return "Write R$ 19,90 with a comma, or the centavos alone: 1990.";
    return amount > 0 || "It must be more than nothing.";
  });
  const amount = parseAmount(amountText) ?? 0;
  io.err(say`That is ${formatBrl(amount)} (${amount} centavos).\n`);
  const description = (await io.prompt.input("Description (may be empty)")).trim();
  const name = (await io.prompt.input("Name of the customer (may be empty)")).trim();
  return {
    amount: String(amount),
    ...(description === "" ? {} : { description }),
    ...(name === "" ? {} : { "customer-name": name }),
  };
}

/**
 * The list that an id can be picked from: the one at the path in front of it. Charges have none that is always served, so
 * they come out of the payments.
 */
function listFor({ path }: OperationSpec): OperationSpec | null {
  const base = path.slice(0, path.indexOf("/{")).replace("/_sandbox/med-cases", "/v1/med/cases");
  const from = /^\/(v1|_sandbox)\/charges$/.test(base) ? "/v1/payments" : base;
  const isList = (spec: OperationSpec) => spec.method === "GET" && spec.path === from && spec.rows !== undefined;
  const all = commandNouns.flatMap(({ noun }) => commandsOf(noun)).filter(isOperation);
  return all.find((spec) => isList(spec) && spec.preview === undefined) ?? null;
}

/**
 * Lets the person pick one of the latest objects; null when there is no list of them, or nothing in it. Throws Failure
 * as a list does.
 */
export async function pickId(
  io: Io,
  spec: OperationSpec,
  target: () => Promise<Target>,
  flags: GlobalFlags,
): Promise<string | null> {
  const list = listFor(spec);
  if (list === null) return null;
  const limit = list.flags.some(({ name }) => name === "limit") ? { limit: String(RECENT) } : {};
  const { request } = await prepare(list, await target(), [], limit, () => io.random());
  const answer: unknown = JSON.parse(await exchange(list, await target(), request));
  const isCharge = spec.path.includes("/charges/");
  const rows = (pick(answer, list.rows ?? "") as Record<string, unknown>[]).filter(
    ({ paymentMethods }) => !isCharge || (Array.isArray(paymentMethods) && paymentMethods.includes("PIX")),
  );
  if (rows.length === 0) return null;
  const paint = await palette(io, flags.color !== false);
  const choices = rows.map((row) => {
    const id = isCharge ? `ch_${String(row.id).replace(/^tx_/, "")}` : String(row.id ?? row.name);
    const rest = list.columns.slice(1).map((column) => cell(row, column, paint, flags.utc));
    return { name: joined([id, ...rest.filter((text) => String(text) !== "")], "  "), value: id };
  });
  return io.prompt.select(spec.arguments[0]?.description.replace(/:.*/, "") ?? "Which one", choices);
}
