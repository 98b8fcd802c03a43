import type { TransactionRow } from "../features/transactions/store.js";
import { formatMoney } from "../kernel/money.js";
import type { Visit } from "./visit.js";

/** Amounts and instants as a payer reads them: instants in the language of the page, at the time of the payer's country. */

type WithAmount = Pick<TransactionRow, "amount" | "currency">;

/** In the notation of Brazil in every language, as the payer's bank shows it: `R$ 1.234,56`. */
export function amountText({ amount, currency }: WithAmount): string {
  return formatMoney(amount, currency);
}

function formatAt(at: number, { currency }: WithAmount, { language }: Visit, parts: Intl.DateTimeFormatOptions) {
  const [timeZone, portuguese] =
    currency === "EUR" ? (["Europe/Lisbon", "pt-PT"] as const) : (["America/Sao_Paulo", "pt-BR"] as const);
  // Months by name: readers of English disagree on the order of day and month in numbers.
  return new Intl.DateTimeFormat(language === "en" ? "en-GB" : portuguese, { ...parts, timeZone }).format(at);
}

const TIME = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "short" } as const;

function dayText(at: number, row: WithAmount, visit: Visit): string {
  return formatAt(at, row, visit, { ...DAY, year: "numeric" });
}

export function instantText(at: number, row: WithAmount, visit: Visit): string {
  return formatAt(at, row, visit, { ...DAY, ...TIME, year: "numeric" });
}

/** When a payment expires: the time alone on the same day, else the day too. */
export function expiryText(at: number, now: number, row: WithAmount, visit: Visit): string {
  const { time } = visit.texts;
  const clock = formatAt(at, row, visit, TIME);
  const isToday = dayText(at, row, visit) === dayText(now, row, visit);
  return isToday ? time.at(clock) : time.on(formatAt(at, row, visit, DAY), clock);
}
