import type { CellFormat, CliColumn } from "../kernel/contract.js";
import type { CommandSpec } from "./describe-commands.js";
import type { Io } from "./io.js";

/** What people see of an answer. Loaded only when a person is looking: tables and colours cost start-up time. */

type Style = (text: string) => string;

interface Palette {
  readonly good: Style;
  readonly bad: Style;
  readonly wait: Style;
  readonly dim: Style;
  readonly strong: Style;
}

const PLAIN: Palette = { good: (t) => t, bad: (t) => t, wait: (t) => t, dim: (t) => t, strong: (t) => t };

export async function palette(io: Io, colour: boolean): Promise<Palette> {
  if (!colour || !io.isTerminal || io.env.NO_COLOR) return PLAIN;
  const { default: chalk } = await import("chalk");
  return { good: chalk.green, bad: chalk.red, wait: chalk.yellow, dim: chalk.dim, strong: chalk.bold };
}

const GOOD = new Set(["paid", "DELIVERED", "ACTIVE", "approved"]);
const BAD = new Set(["failed", "expired", "cancelled", "disputed", "FAILED", "CANCELLED", "returned"]);

/** A marker beside the word, so that it reads without colour too. */
function status(text: string, paint: Palette): string {
  if (GOOD.has(text)) return paint.good(`✓ ${text}`);
  if (BAD.has(text)) return paint.bad(`✗ ${text}`);
  return paint.wait(`• ${text}`);
}

function pick(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (found, key) =>
        typeof found === "object" && found !== null ? (found as Record<string, unknown>)[key] : undefined,
      value,
    );
}

function money(amount: number, currency: string): string {
  try {
    const digits = new Intl.NumberFormat("pt-BR", { style: "currency", currency });
    const fraction = digits.resolvedOptions().maximumFractionDigits ?? 2;
    return digits.format(amount / 10 ** fraction).replace(/\u00a0/g, " ");
  } catch {
    return `${amount} ${currency}`;
  }
}

function localTime(text: string): string {
  const at = new Date(text);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function cell(row: unknown, { path, format = "text" }: CliColumn, paint: Palette): string {
  const value = pick(row, path);
  if (value === undefined || value === null) return "";
  const formats: Record<CellFormat, () => string> = {
    text: () => (typeof value === "object" ? JSON.stringify(value) : String(value)),
    money: () => money(Number(value), String(pick(row, "currency") ?? pick(row, "charge.currency") ?? "BRL")),
    time: () => localTime(String(value)),
    status: () => status(String(value), paint),
    list: () => (Array.isArray(value) ? value.join(", ") : String(value)),
  };
  return formats[format]();
}

/** A list as an aligned table, one object as aligned lines. */
export async function printAnswer(io: Io, spec: CommandSpec, answer: unknown, colour: boolean): Promise<void> {
  const paint = await palette(io, colour);
  if (spec.columns.length === 0 || answer === undefined) {
    io.out(`${paint.good("✓")} done\n`);
    return;
  }
  if (spec.rows !== undefined) {
    const rows = (spec.rows === "" ? answer : pick(answer, spec.rows)) as unknown[];
    await printTable(io, spec, rows, paint);
    const total = pick(answer, "total");
    const more = pick(answer, "has_more") === true || (typeof total === "number" && total > rows.length);
    if (more) io.err(`${rows.length} shown${typeof total === "number" ? ` of ${total}` : ", there are more"}.\n`);
    return;
  }
  const width = Math.max(...spec.columns.map(({ header }) => header.length));
  for (const column of spec.columns) {
    const text = cell(answer, column, paint);
    if (text !== "") io.out(`${paint.dim(column.header.padEnd(width))}  ${text}\n`);
  }
}

async function printTable(io: Io, spec: CommandSpec, rows: readonly unknown[], paint: Palette): Promise<void> {
  if (rows.length === 0) {
    io.err("Nothing to show.\n");
    return;
  }
  const { default: Table } = await import("cli-table3");
  const border = ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"];
  const none = [...border, "left", "left-mid", "mid", "mid-mid", "right", "right-mid"];
  const table = new Table({
    head: spec.columns.map(({ header }) => paint.strong(header)),
    chars: { ...Object.fromEntries(none.map((name) => [name, ""])), middle: "  " },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  for (const row of rows) table.push(spec.columns.map((column) => cell(row, column, paint)));
  const lines = table.toString().split("\n");
  io.out(`${lines.map((line) => line.trimEnd()).join("\n")}\n`);
}
