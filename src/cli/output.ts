import type { CellFormat, CliColumn } from "../kernel/contract.js";
import { formatMoney } from "../kernel/money.js";
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

const GOOD = new Set(["paid", "DELIVERED", "ACTIVE", "approved", "PAID", "APPROVED"]);
const BAD = new Set([
  ...["failed", "expired", "cancelled", "disputed", "returned"],
  ...["FAILED", "CANCELLED", "REFUSED", "EXPIRED", "CHARGEBACK", "DISPUTE"],
]);

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

function localTime(text: string): string {
  const at = new Date(text);
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** What others wrote must not steer the terminal it is shown on. */
function harmless(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}

function cell(row: unknown, { path, format = "text" }: CliColumn, paint: Palette): string {
  const value = pick(row, path);
  if (value === undefined || value === null) return "";
  const formats: Record<CellFormat, () => string> = {
    text: () => harmless(typeof value === "object" ? JSON.stringify(value) : String(value)),
    money: () => formatMoney(Number(value), String(pick(row, "currency") ?? pick(row, "charge.currency") ?? "BRL")),
    time: () => localTime(String(value)),
    status: () => status(String(value), paint),
    volumes: () => volumes(value),
    list: () => harmless(Array.isArray(value) ? value.join(", ") : String(value)),
  };
  return formats[format]();
}

/** Sums by currency, as a record or as a list of them, or by whatever else the list is by. */
function volumes(value: object): string {
  const entries = Array.isArray(value)
    ? value.map((item: Record<string, unknown>) => {
        const amount = Number(item.volume ?? item.gross);
        return item.method === undefined ? formatMoney(amount, String(item.currency)) : `${item.method} ×${item.count}`;
      })
    : Object.entries(value).map(([currency, amount]) => formatMoney(Number(amount), currency));
  return harmless(entries.join(", "));
}

/** The flag that shows what comes after a page, or null when that was all. */
function nextPage(spec: CommandSpec, answer: unknown, count: number): string | null {
  const cursor = pick(answer, "next_cursor");
  const cursorFlag = spec.flags.find(({ name }) => name === "after" || name === "starting-after");
  if (typeof cursor === "string" && cursorFlag !== undefined) return `--${cursorFlag.name} ${cursor}`;
  const [page, limit] = [pick(answer, "page"), pick(answer, "limit")];
  if (typeof page === "number" && typeof limit === "number") {
    return page * limit < Number(pick(answer, "total")) ? `--page ${page + 1}` : null;
  }
  const [total, offset] = [pick(answer, "total"), pick(answer, "offset")];
  if (typeof total !== "number" || typeof offset !== "number" || offset + count >= total) return null;
  return `--offset ${offset + count}`;
}

interface PrintFlags {
  readonly color?: boolean;
  readonly quiet?: boolean;
}

/** A list as an aligned table, one object as aligned lines. */
export async function printAnswer(io: Io, spec: CommandSpec, answer: unknown, flags: PrintFlags): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  if (spec.columns.length === 0 || answer === undefined) {
    if (!flags.quiet) io.out(`${paint.good("✓")} done\n`);
    return;
  }
  if (spec.rows !== undefined) {
    const rows = (spec.rows === "" ? answer : pick(answer, spec.rows)) as unknown[];
    if (rows.length > 0) await printTable(io, spec, rows, paint);
    const next = nextPage(spec, answer, rows.length);
    if (flags.quiet) return;
    if (rows.length === 0) io.err("Nothing to show.\n");
    if (next !== null) io.err(`${rows.length} shown; for the next ones add ${next}\n`);
    return;
  }
  const width = Math.max(...spec.columns.map(({ header }) => header.length));
  for (const column of spec.columns) {
    const text = cell(answer, column, paint);
    if (text !== "") io.out(`${paint.dim(column.header.padEnd(width))}  ${text}\n`);
  }
  if (spec.next === undefined || flags.quiet) return;
  io.err(`${spec.next.replace(/\{([\w.]+)\}/g, (_match, path: string) => harmless(String(pick(answer, path))))}\n`);
}

async function printTable(io: Io, spec: CommandSpec, rows: readonly unknown[], paint: Palette): Promise<void> {
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
