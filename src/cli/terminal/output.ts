import type { MedStatus } from "../../features/med/machine.js";
import type { PayoutStatus } from "../../features/payouts/machine.js";
import type { RefundStatus } from "../../features/refunds/machine.js";
import type { PaymentOutcome } from "../../features/transactions/actions.js";
import type { ChargeStatus, TransactionStatus } from "../../features/transactions/machine.js";
import type { DeliveryStatus } from "../../features/webhooks/machine.js";
import type { EndpointStatus } from "../../features/webhooks/store.js";
import type { CellFormat, CliColumn } from "../../kernel/contract.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { formatMoney } from "../../kernel/money.js";
import { pick } from "../../kernel/pick.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import type { Io } from "./io.js";
import { type Showable, say, TerminalText, visible, visibleLines } from "./terminal-text.js";

/** Prints answers for people. Loaded only when it is needed, because tables and colours slow down the start. */

type Style = (text: Showable) => TerminalText;

export interface Palette {
  readonly good: Style;
  readonly bad: Style;
  readonly wait: Style;
  readonly dim: Style;
  readonly strong: Style;
}

const PLAIN: Palette = { good: visible, bad: visible, wait: visible, dim: visible, strong: visible };

export async function palette(io: Io, colour: boolean): Promise<Palette> {
  if (!colour || !io.isTerminal || io.env.NO_COLOR) return PLAIN;
  const { default: chalk } = await import("chalk");
  const style = (paint: (text: string) => string): Style => {
    return (text) => TerminalText.ofProgram(paint(String(visible(text))));
  };
  return {
    good: style(chalk.green),
    bad: style(chalk.red),
    wait: style(chalk.yellow),
    dim: style(chalk.dim),
    strong: style(chalk.bold),
  };
}

type Status =
  | ChargeStatus
  | TransactionStatus
  | RefundStatus
  | PayoutStatus
  | MedStatus
  | DeliveryStatus
  | EndpointStatus
  // The outcomes of a simulated payment, and the verdicts of `webhooks test`.
  | PaymentOutcome
  | "passed"
  | "noted";

type Tone = "good" | "bad" | "wait";

const TONES: Readonly<Record<Status, Tone>> = {
  pending: "wait",
  processing: "wait",
  paid: "good",
  failed: "bad",
  expired: "bad",
  cancelled: "bad",
  refunded: "wait",
  disputed: "bad",
  PENDING: "wait",
  WAITING_PAYMENT: "wait",
  PROCESSING: "wait",
  PAID: "good",
  APPROVED: "good",
  REFUSED: "bad",
  CANCELLED: "bad",
  EXPIRED: "bad",
  REFUNDED: "wait",
  CHARGEBACK: "bad",
  DISPUTE: "bad",
  IN_PROGRESS: "wait",
  FAILED: "bad",
  open: "wait",
  appealed: "wait",
  accepted: "wait",
  rejected: "wait",
  closed: "wait",
  DELIVERED: "good",
  ACTIVE: "good",
  INACTIVE: "wait",
  returned: "bad",
  passed: "good",
  noted: "wait",
};

const MARKS: Readonly<Record<Tone, string>> = { good: "✓", bad: "✗", wait: "•" };

function isStatus(text: string): text is Status {
  return Object.hasOwn(TONES, text);
}

/**
 * Adds a marker to the word, so that good and bad states differ without colour too. A status that is not in the table
 * comes from a newer server.
 */
function status(text: string, paint: Palette): TerminalText {
  const tone = isStatus(text) ? TONES[text] : "wait";
  return paint[tone](`${MARKS[tone]} ${text}`);
}

/**
 * An instant as text, in local time, or in UTC with a Z at the end. Text that is not an instant is returned unchanged.
 */
export function timeText(text: string, utc = false): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  if (utc) return `${at.toISOString().slice(0, 19).replace("T", " ")}Z`;
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

const NOTHING = visible("");

/** Formats one field of an answer for a person; empty when the field is missing or null. */
export function cell(
  row: unknown,
  { path, or = [], format = "text" }: CliColumn,
  paint: Palette,
  utc = false,
): TerminalText {
  const value = [path, ...or].map((one) => pick(row, one)).find((one) => one !== undefined && one !== null);
  if (value === undefined) return NOTHING;
  const formats: Record<CellFormat, () => Showable> = {
    text: () => (typeof value === "object" ? JSON.stringify(value) : String(value)),
    charge: () => chargeOf(row, String(value)),
    money: () => formatMoney(Number(value), String(pick(row, "currency") ?? pick(row, "charge.currency") ?? "BRL")),
    time: () => timeText(String(value), utc),
    status: () => status(String(value), paint),
    volumes: () => volumes(value),
    entries: () => entries(value),
    list: () => (Array.isArray(value) ? value.join(", ") : String(value)),
  };
  return visible(formats[format]());
}

/** The id of the charge behind a listed payment; empty for a payment that Pix cannot pay, which is no charge. */
function chargeOf(row: unknown, id: string): string {
  const methods = pick(row, "paymentMethods");
  return Array.isArray(methods) && methods.includes("PIX") ? id.replace(/^(tx_)?/, ID_PREFIX.charge) : "";
}

/** Formats sums by currency (a record or a list), or the counts of a list by payment method. */
function volumes(value: object): string {
  const entries = Array.isArray(value)
    ? value.map((item: Record<string, unknown>) => {
        const amount = Number(item.volume ?? item.gross);
        return item.method === undefined ? formatMoney(amount, String(item.currency)) : `${item.method} ×${item.count}`;
      })
    : Object.entries(value).map(([currency, amount]) => formatMoney(Number(amount), currency));
  return entries.join(", ");
}

/** Formats the entries of a journal: `available +19,60` in the notation of money. */
function entries(value: object): string {
  if (!Array.isArray(value)) return "";
  return value
    .map(({ bucket, amount, currency }: Record<string, unknown>) => {
      const sign = Number(amount) > 0 ? "+" : "";
      return `${bucket} ${sign}${formatMoney(Number(amount), String(currency))}`;
    })
    .join(", ");
}

interface PrintFlags {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly utc?: boolean;
}

/** Prints a single object as one line for each field. */
export async function printAnswer(io: Io, spec: OperationSpec, answer: unknown, flags: PrintFlags): Promise<void> {
  const paint = await palette(io, flags.color !== false);
  if (spec.columns.length === 0 || answer === undefined) {
    if (!flags.quiet) io.out(say`${paint.good("✓")} done\n`);
    return;
  }
  const width = Math.max(...spec.columns.map(({ header }) => header.length));
  for (const column of spec.columns) {
    const text = cell(answer, column, paint, flags.utc);
    if (String(text) !== "") io.out(say`${paint.dim(column.header.padEnd(width))}  ${text}\n`);
  }
  const below = spec.below === undefined ? undefined : pick(answer, spec.below.rows);
  if (spec.below !== undefined && Array.isArray(below) && below.length > 0) {
    io.out(say`\n`);
    await printTable(io, spec.below.columns, below, paint, flags.utc);
  }
  if (flags.quiet) return;
  const { explains, next } = spec;
  const explanation =
    explains !== undefined && pick(answer, explains.path) === explains.value ? explains.text : undefined;
  const filled = (path: string) => String(visible(String(pick(answer, path))));
  for (const text of [explanation, next]) {
    if (text === undefined) continue;
    io.err(visibleLines(`${text.replace(/\{([\w.]+)\}/g, (_match, path: string) => filled(path))}\n`));
  }
}

const MAY_BE_SHORT: ReadonlySet<CellFormat> = new Set(["text", "list"]);

/**
 * Returns a function that prints rows as a table, page after page under one head. On a screen, long texts are shortened
 * to its width, and columns that may be missing are left out; in a file or a pipe the table is complete. `tell` gets the
 * heads of the columns that were left out.
 */
export async function tablePrinter(
  io: Io,
  columns: readonly CliColumn[],
  paint: Palette,
  utc = false,
  tell: (leftOut: readonly string[]) => void = () => undefined,
): Promise<(rows: readonly unknown[]) => void> {
  const { fittingColumns, growingTable, textCell } = await import("./table.js");
  const room = io.isScreen && io.columns > 0 ? io.columns : Number.POSITIVE_INFINITY;
  const styles = {
    strong: (text: string) => String(paint.strong(text)),
    dim: (text: string) => String(paint.dim(text)),
  };
  const cellsOf = (rows: readonly unknown[], shown: readonly CliColumn[]) =>
    rows.map((row) =>
      shown.map((column) => {
        const text = String(cell(row, column, paint, utc));
        return MAY_BE_SHORT.has(column.format ?? "text") ? textCell(text) : { text, canBeShort: false };
      }),
    );
  let shown: readonly CliColumn[] | undefined;
  let draw: ReturnType<typeof growingTable> | undefined;
  return (rows) => {
    if (rows.length === 0) return;
    if (shown === undefined) {
      shown = fittingColumns(columns, cellsOf(rows, columns), room);
      const kept = new Set(shown);
      const leftOut = columns.filter((column) => !kept.has(column));
      if (leftOut.length > 0) tell(leftOut.map(({ header }) => header));
    }
    draw ??= growingTable(
      shown.map(({ header }) => header),
      room,
      styles,
    );
    io.out(TerminalText.ofProgram(draw(cellsOf(rows, shown))));
  };
}

/** Prints rows as one table. */
export async function printTable(
  io: Io,
  columns: readonly CliColumn[],
  rows: readonly unknown[],
  paint: Palette,
  utc = false,
): Promise<void> {
  (await tablePrinter(io, columns, paint, utc))(rows);
}
