import { isoDate } from "../../kernel/time.js";
import type { PaymentMethod } from "./catalogue.js";
import { PUBLIC_STATUS } from "./machine.js";
import type { DayFigures } from "./store.js";

/** Statistics from the sums of each day (contract, section 4.8). A transaction counts on the day it was created. */

/** Days that are shown one by one, at most. */
const MAX_POINTS = 366;

function isPaid(row: DayFigures): row is DayFigures & { readonly method: PaymentMethod } {
  return row.method !== "";
}

function sum(rows: readonly DayFigures[], field: "count" | "gross" | "fees" | "refunded"): number {
  return rows.reduce((total, row) => total + row[field], 0);
}

function grouped<Row, Key>(rows: readonly Row[], by: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = by(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** A volume for every currency of the window, so that a chart has no holes. */
function volumes(rows: readonly DayFigures[], currencies: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      sum(
        rows.filter((row) => row.currency === currency),
        "gross",
      ),
    ]),
  );
}

export function statsOf(rows: readonly DayFigures[], first: number, today: number) {
  const paid = rows.filter(isPaid);
  const byCurrency = grouped(paid, ({ currency }) => currency);
  const currencies = byCurrency.size === 0 ? ["BRL"] : [...byCurrency.keys()].sort();
  const paidByDay = grouped(paid, ({ day }) => day);
  const total = sum(rows, "count");
  const paidCount = sum(paid, "count");
  return {
    totalTransactions: total,
    paidTransactions: paidCount,
    todayTransactions: sum(
      rows.filter(({ day }) => day === today),
      "count",
    ),
    successRate: total === 0 ? 0 : Math.round((100 * paidCount) / total),
    volumeByCurrency: [...byCurrency].sort().map(([currency, group]) => ({
      currency,
      volume: sum(group, "gross"),
      count: sum(group, "count"),
    })),
    todayVolumeByCurrency: volumes(paidByDay.get(today) ?? [], currencies),
    dailyVolume: range(Math.max(first, today - MAX_POINTS + 1), today).map((day) => ({
      date: isoDate(day),
      currencies: volumes(paidByDay.get(day) ?? [], currencies),
    })),
    methodBreakdown: [...grouped(paid, ({ method }) => method)].sort().map(([method, group]) => ({
      method,
      volume: sum(group, "gross"),
      count: sum(group, "count"),
    })),
  };
}

function volumesByCurrency(rows: readonly DayFigures[]) {
  return [...grouped(rows.filter(isPaid), ({ currency }) => currency)].sort().map(([currency, group]) => {
    const gross = sum(group, "gross");
    const fees = sum(group, "fees");
    return { currency, gross, net: gross - fees, fees, refunded: sum(group, "refunded") };
  });
}

/** The value below which `share` of a distribution lies; null when it is empty. */
function quantile(times: readonly { seconds: number; count: number }[], share: number): number | null {
  const total = times.reduce((count, time) => count + time.count, 0);
  let seen = 0;
  for (const { seconds, count } of times) {
    seen += count;
    if (seen >= total * share) return seconds;
  }
  return null;
}

export function metricsOf(
  rows: readonly DayFigures[],
  times: readonly { seconds: number; count: number }[],
  first: number,
  today: number,
) {
  const byStatus = grouped(rows, ({ status }) => PUBLIC_STATUS[status]);
  const count = (status: Parameters<typeof byStatus.get>[0]) => sum(byStatus.get(status) ?? [], "count");
  const created = sum(rows, "count");
  const paid = sum(rows.filter(isPaid), "count");
  const byDay = grouped(rows, ({ day }) => day);
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
    volumeByCurrency: volumesByCurrency(rows),
    daily: range(first, today).map((day) => {
      const group = byDay.get(day) ?? [];
      return {
        date: isoDate(day),
        created: sum(group, "count"),
        paid: sum(group.filter(isPaid), "count"),
        volumeByCurrency: volumesByCurrency(group),
      };
    }),
  };
}
