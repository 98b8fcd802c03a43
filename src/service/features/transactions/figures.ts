import { isoDate } from "../../../base/kernel/time.js";
import type { PaymentMethod } from "./catalogue.js";
import type { DayFigures, Figures, StatusFigures } from "./figure-store.js";
import { PUBLIC_STATUS } from "./machine.js";

/** Statistics by day (docs/service/payments.md#statistics). A transaction counts on the day of its creation. */

const MAX_POINTS = 366;

function isPaid(row: StatusFigures): row is StatusFigures & { readonly method: PaymentMethod } {
  return row.method !== "";
}

function sum<Field extends string>(rows: readonly Readonly<Record<Field, number>>[], field: Field): number {
  return rows.reduce((total, row) => total + row[field], 0);
}

function groupBy<Row, Key>(rows: readonly Row[], by: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = by(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Returns the days on which something was paid, by currency, in alphabetical order of the currencies. */
function paidByCurrency(days: readonly DayFigures[]): [string, DayFigures[]][] {
  const paid = days.filter((row) => row.paid > 0);
  return [...groupBy(paid, ({ currency }) => currency)].sort(([one], [other]) => (one < other ? -1 : 1));
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns a volume for every currency of the window, 0 where there was none, so that a chart has no gaps. */
function volumes(day: readonly DayFigures[], currencies: readonly string[]): Record<string, number> {
  const known = new Map(day.map(({ currency, gross }) => [currency, gross]));
  return Object.fromEntries(currencies.map((currency) => [currency, known.get(currency) ?? 0]));
}

/** Returns the statistics of a window of days, numbered since 1970. Volumes are in the smallest unit, the rate in per cent. */
export function statsOf({ days, statuses }: Figures, first: number, today: number) {
  const paid = statuses.filter(isPaid);
  const byCurrency = paidByCurrency(days);
  const currencies = byCurrency.length === 0 ? ["BRL"] : byCurrency.map(([currency]) => currency);
  const byDay = groupBy(days, ({ day }) => day);
  const total = sum(statuses, "count");
  const paidCount = sum(paid, "count");
  return {
    totalTransactions: total,
    paidTransactions: paidCount,
    todayTransactions: sum(byDay.get(today) ?? [], "created"),
    successRate: total === 0 ? 0 : Math.round((100 * paidCount) / total),
    volumeByCurrency: byCurrency.map(([currency, group]) => ({
      currency,
      volume: sum(group, "gross"),
      count: sum(group, "paid"),
    })),
    todayVolumeByCurrency: volumes(byDay.get(today) ?? [], currencies),
    dailyVolume: range(Math.max(first, today - MAX_POINTS + 1), today).map((day) => ({
      date: isoDate(day),
      currencies: volumes(byDay.get(day) ?? [], currencies),
    })),
    methodBreakdown: [...groupBy(paid, ({ method }) => method)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([method, group]) => ({
        method,
        volume: sum(group, "gross"),
        count: sum(group, "count"),
      })),
  };
}

function volumeOf(currency: string, rows: readonly DayFigures[]) {
  const gross = sum(rows, "gross");
  const fees = sum(rows, "fees");
  return { currency, gross, net: gross - fees, fees, refunded: sum(rows, "refunded") };
}

/** Returns the value below which `share` of a distribution lies; null when the distribution is empty. */
function quantile(times: readonly { seconds: number; count: number }[], share: number): number | null {
  const total = times.reduce((count, time) => count + time.count, 0);
  let seen = 0;
  for (const { seconds, count } of times) {
    seen += count;
    if (seen >= total * share) return seconds;
  }
  return null;
}

/** Returns the metrics of a window of days, numbered since 1970. Volumes are in the smallest unit, times in seconds. */
export function metricsOf(
  { days, statuses }: Figures,
  times: readonly { seconds: number; count: number }[],
  first: number,
  today: number,
) {
  const byStatus = groupBy(statuses, ({ status }) => PUBLIC_STATUS[status]);
  const count = (status: Parameters<typeof byStatus.get>[0]) => sum(byStatus.get(status) ?? [], "count");
  const created = sum(statuses, "count");
  const paid = sum(days, "paid");
  const byDay = groupBy(days, ({ day }) => day);
  return {
    funnel: {
      created,
      pending: count("pending") + count("processing"),
      paid,
      expired: count("expired"),
      failed: count("failed"),
      cancelled: count("cancelled"),
      refunded: count("refunded"),
      disputed: count("disputed"),
      conversion: created === 0 ? 0 : Math.round((1_000 * paid) / created) / 10,
    },
    secondsToPay: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    volumeByCurrency: paidByCurrency(days).map(([currency, group]) => volumeOf(currency, group)),
    daily: range(first, today).map((day) => {
      const group = byDay.get(day) ?? [];
      return {
        date: isoDate(day),
        created: sum(group, "created"),
        paid: sum(group, "paid"),
        volumeByCurrency: group.filter((row) => row.paid > 0).map((row) => volumeOf(row.currency, [row])),
      };
    }),
  };
}
