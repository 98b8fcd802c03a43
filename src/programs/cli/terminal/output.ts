import type { OperationSpec } from "../../../api/client/describe-operations.js";
import type { CellFormat, CliColumn } from "../../../base/kernel/contract.js";
import { chargeIdOf, ID_PREFIX, withPrefix } from "../../../base/kernel/ids.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { pick } from "../../../base/kernel/pick.js";
import { maskTaxId } from "../../../base/kernel/tax-id.js";
import { t, Wording } from "../../../base/kernel/wording.js";
import type { Io } from "./io.js";
import { translated, translation } from "./language.js";
import { type HostFlags, hostFlags } from "./program-command.js";
import { joinTexts, type Showable, say, TerminalText, textOf, visible, visibleLines } from "./terminal-text.js";

/** Prints answers for people. Loaded only when it is needed, because tables and colours slow down the start. */

type Style = (text: Showable) => TerminalText;

export type Palette = Readonly<Record<"good" | "bad" | "wait" | "dim" | "strong", Style>>;

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

/** Every other status is one that something follows, or comes from a newer server. */
const GOOD = /^(?:paid|approved|delivered|active|passed)$/i;
const BAD = /^(?:failed|expired|cancelled|disputed?|refused|chargeback|returned)$/i;

/** Adds a marker to the word, so that good and bad states differ without colour too. */
function status(text: string, paint: Palette): TerminalText {
  const word = translation()?.states[text] ?? text;
  if (GOOD.test(text)) return paint.good(`✓ ${word}`);
  return BAD.test(text) ? paint.bad(`✗ ${word}`) : paint.wait(`• ${word}`);
}

/** The head of a column in the language of the person. */
export function headingOf({ header, path }: Pick<CliColumn, "header" | "path">): string {
  const headings = translation()?.headings;
  return headings?.[`${header} (${path})`] ?? headings?.[header] ?? header;
}

/**
 * An instant as text, in local time, or in UTC with a Z at the end. Text that is not an instant is returned unchanged.
 */
export function timeText(text: string, utc = false): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const two = (n: number) => String(n).padStart(2, "0");
  const local = [
    at.getFullYear(),
    two(at.getMonth() + 1),
    two(at.getDate()),
    two(at.getHours()),
    two(at.getMinutes()),
    two(at.getSeconds()),
  ];
  const [year = "", month = "", day = "", hour = "", minute = "", second = ""] = utc
    ? at.toISOString().split(/\D/)
    : local;
  const written = textOf(t`${year}-${month}-${day} ${hour}:${minute}:${second}`);
  return utc ? `${written}Z` : written;
}

/** The zone of the times here around an instant, such as `UTC-3`. */
export const zoneText = (instant: string) => zoneOf(new Date(instant), false);

/** The same with its zone, for the only time of a screen. */
export function zonedTime(text: string, utc = false): string {
  const at = new Date(text);
  return utc || Number.isNaN(at.getTime()) ? timeText(text, utc) : `${timeText(text)} (${zoneOf(at, false)})`;
}

/** A sentence of the service, which has its times in UTC, with the times here. */
export function withTimesHere(text: string, utc = false): string {
  const written = (at: string) => (utc ? `${timeText(at, utc).slice(0, -1)} UTC` : timeText(at));
  return text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g, (_, day, time) => written(`${day}T${time}Z`));
}

const NOTHING = visible("");

/** Fields whose values are words of the service. */
const HAVE_WORDS: ReadonlySet<string> = new Set(["strategy", "paidWith", "paymentMethods"]);

/** The value of a field in the language of the person, where that has a word for it. */
function wordOf(path: string, value: unknown): string {
  const texts = translation();
  if (texts !== null && typeof value === "boolean") return textOf(value ? t`Yes` : t`No`);
  const text = String(value);
  const words = path === "money_outcome" ? texts?.outcomes : texts?.states;
  const hasWord = path === "money_outcome" || HAVE_WORDS.has(path);
  // The host may answer any text.
  return hasWord && Object.hasOwn(words ?? {}, text) ? (words?.[text] ?? text) : text;
}

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
    document: () => maskTaxId(String(value)),
    text: () => (typeof value === "object" ? JSON.stringify(value) : wordOf(path, value)),
    charge: () => chargeOf(row, String(value)),
    payment: () => withPrefix(ID_PREFIX.transaction, String(value)),
    money: () => formatMoney(Number(value), String(pick(row, "currency") ?? pick(row, "charge.currency") ?? "BRL")),
    time: () => timeText(String(value), utc),
    status: () => status(String(value), paint),
    volumes: () => volumes(value),
    entries: () => entries(value),
    list: () =>
      Array.isArray(value)
        ? joinTexts(
            value.map((one) => (one instanceof Wording ? one : wordOf(path, one))),
            ", ",
          )
        : String(value),
  };
  return visible(formats[format]());
}

/** The id of the charge behind a listed payment; empty for a payment that Pix cannot pay, which is no charge. */
function chargeOf(row: unknown, id: string): string {
  const methods = pick(row, "paymentMethods");
  return Array.isArray(methods) && methods.includes("PIX") ? chargeIdOf(id) : "";
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

/** Reports to a person that something is done; a program reads the exit code. */
export async function printDone(
  io: Io,
  text: Showable,
  flags: PrintFlags & { readonly json?: boolean },
): Promise<void> {
  if (flags.quiet || flags.json) return;
  io.out(say`${(await palette(io, flags.color !== false)).good("✓")} ${text}\n`);
}

interface PrintFlags extends HostFlags {
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly utc?: boolean;
}

/** Prints a single object as one line for each field. */
export async function printAnswer(io: Io, spec: OperationSpec, answer: unknown, flags: PrintFlags): Promise<void> {
  if (spec.columns.length === 0 || answer === undefined) return printDone(io, t`done`, flags);
  const paint = await palette(io, flags.color !== false);
  const width = Math.max(...spec.columns.map((column) => headingOf(column).length));
  let isZoned = flags.utc === true;
  for (const column of spec.columns) {
    const text = cell(answer, column, paint, flags.utc);
    if (String(text) === "") continue;
    // The first time names the zone of all.
    const at = column.format === "time" && !isZoned ? new Date(String(pick(answer, column.path))) : null;
    const zone = at === null || Number.isNaN(at.getTime()) ? "" : ` (${zoneOf(at, false)})`;
    isZoned ||= zone !== "";
    io.out(say`${paint.dim(headingOf(column).padEnd(width))}  ${text}${zone}\n`);
  }
  const below = spec.below === undefined ? undefined : pick(answer, spec.below.rows);
  if (spec.below !== undefined && Array.isArray(below) && below.length > 0) {
    io.out(say`\n`);
    await printTable(io, spec.below.columns, below, { paint, utc: flags.utc, isZoned: flags.utc || !isZoned });
  }
  if (flags.quiet || spec.next === undefined) return;
  const filled = (path: string) => String(visible(String(pick(answer, path))));
  const commands = translated(spec.next).replace(/\{([\w.]+)\}/g, (_match, path: string) => filled(path));
  // Each ends in a command.
  io.err(visibleLines(`${commands.replace(/(?= {2}|$)(?<! )/g, () => hostFlags(flags))}\n`));
}

/**
 * The zone of times around an instant: UTC, or how far the time here is from it. Where the clock is changed within the year,
 * these are two offsets. Names of zones are not used: Node loads them for longer than most commands run.
 */
function zoneOf(at: Date, utc: boolean): string {
  const days = [new Date(at.getFullYear(), 0, 1), new Date(at.getFullYear(), 6, 1), at];
  const offsets = utc ? [0] : [...new Set(days.map((day) => -day.getTimezoneOffset()))].sort((a, b) => a - b);
  if (offsets.every((offset) => offset === 0)) return "UTC";
  const written = offsets.map((offset) => {
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
    return `${offset < 0 ? "-" : "+"}${hours}${minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`}`;
  });
  return `UTC${written.join("/")}`;
}

/** The columns, with the zone in the head of the first times that are always shown. */
function withZone(columns: readonly CliColumn[], rows: readonly unknown[], utc: boolean): readonly CliColumn[] {
  const times = columns.filter(({ format }) => format === "time");
  const first = times.find(({ ifWide }) => !ifWide) ?? times[0];
  const instants = rows.map((row) => new Date(String(first === undefined ? "" : pick(row, first.path))));
  const at = instants.find((instant) => !Number.isNaN(instant.getTime()));
  if (at === undefined) return columns;
  return columns.map((column) =>
    column === first ? { ...column, header: `${column.header} (${zoneOf(at, utc)})` } : column,
  );
}

const MAY_BE_SHORT: ReadonlySet<CellFormat> = new Set(["text", "list"]);

interface TableOptions {
  readonly paint: Palette;
  readonly utc?: boolean | undefined;
  /** False where the zone of the times was named above the table. */
  readonly isZoned?: boolean | undefined;
  readonly onLeftOut?: ((leftOut: readonly string[]) => void) | undefined;
}

/**
 * Returns a function that prints rows as a table, page after page under one head. On a screen, long texts are shortened
 * to its width, and columns that may be missing are left out; in a file or a pipe the table is complete. `onLeftOut` gets the
 * heads of the columns that were left out.
 */
export async function tablePrinter(
  io: Io,
  columns: readonly CliColumn[],
  { paint, utc = false, isZoned = true, onLeftOut = () => undefined }: TableOptions,
): Promise<(rows: readonly unknown[]) => void> {
  const { fitColumns, growingTable, textCell } = await import("./table.js");
  const room = io.isScreen && io.columns > 0 ? io.columns : Number.POSITIVE_INFINITY;
  const styles = {
    strong: (text: string) => String(paint.strong(text)),
    dim: (text: string) => String(paint.dim(text)),
  };
  const cellsOf = (rows: readonly unknown[], columns: readonly CliColumn[]) =>
    rows.map((row) =>
      columns.map((column) => {
        const text = String(cell(row, column, paint, utc));
        const isShortened = MAY_BE_SHORT.has(column.format ?? "text") && column.isWhole !== true;
        return isShortened ? textCell(text) : { text, canBeShort: false, isWhole: column.isWhole === true };
      }),
    );
  let fitting: readonly CliColumn[] | undefined;
  let draw: ReturnType<typeof growingTable> | undefined;
  return (rows) => {
    if (rows.length === 0) return;
    if (fitting === undefined) {
      const named = columns.map((column) => ({ ...column, header: headingOf(column) }));
      const headed = isZoned ? withZone(named, rows, utc) : named;
      fitting = fitColumns(headed, cellsOf(rows, headed), room);
      const kept = new Set(fitting);
      const leftOut = headed.filter((column) => !kept.has(column));
      if (leftOut.length > 0) onLeftOut(leftOut.map(({ header }) => header));
    }
    draw ??= growingTable(
      fitting.map(({ header }) => header),
      room,
      styles,
    );
    io.out(TerminalText.ofProgram(draw(cellsOf(rows, fitting))));
  };
}

/** Prints rows as one table. */
export async function printTable(
  io: Io,
  columns: readonly CliColumn[],
  rows: readonly unknown[],
  options: Pick<TableOptions, "paint" | "utc" | "isZoned">,
): Promise<void> {
  (await tablePrinter(io, columns, options))(rows);
}
