import { fill } from "../../base/kernel/message.js";
import { formatMoney } from "../../base/kernel/money.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Visit } from "./visit.js";

/** Amounts and instants as a payer reads them: instants in the language of the page, at the time of the payer's country. */

type WithAmount = Pick<TransactionRow, "amount" | "currency">;

/** In the notation of Brazil in every language, as the payer's bank shows it: `R$ 1.234,56`. */
export function amountText({ amount, currency }: WithAmount): string {
  return formatMoney(amount, currency);
}

/** The zone of the payer: its name for the browser, and its key in the texts. */
function zoneOf({ currency }: WithAmount) {
  return currency === "EUR"
    ? ({ timeZone: "Europe/Lisbon", name: "lisbon" } as const)
    : ({ timeZone: "America/Sao_Paulo", name: "brasilia" } as const);
}

function formatAt(at: number, row: WithAmount, { texts }: Visit, parts: Intl.DateTimeFormatOptions) {
  const { timeZone, name } = zoneOf(row);
  // Months by name: readers of English disagree on the order of day and month in numbers.
  return new Intl.DateTimeFormat(texts.time.locales[name], { ...parts, timeZone }).format(at);
}

const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "short" } as const;

function dayText(at: number, row: WithAmount, visit: Visit): string {
  return formatAt(at, row, visit, { ...DAY, year: "numeric" });
}

function withZone(text: string, row: WithAmount, { texts }: Visit): string {
  return `${text} (${texts.time.zones[zoneOf(row).name]})`;
}

export function instantText(at: number, row: WithAmount, visit: Visit): string {
  return withZone(formatAt(at, row, visit, { ...DAY, ...TIME, year: "numeric" }), row, visit);
}

/** The expiry of a payment: the time alone on the same day, else the day too. */
export function expiryText(at: number, now: number, row: WithAmount, visit: Visit): string {
  const { time } = visit.texts;
  const clock = formatAt(at, row, visit, TIME);
  const isToday = dayText(at, row, visit) === dayText(now, row, visit);
  const text = fill(isToday ? time.at : time.on, { day: formatAt(at, row, visit, DAY), time: clock });
  return withZone(text, row, visit);
}
