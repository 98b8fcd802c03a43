import type { OperationAnswer } from "../../../../../api/client/types.js";

/** Numbers of the first page: days for a table, heights for bars, cases in their order. Pure functions. */

export type Metrics = OperationAnswer<"payments.metrics">;

export interface Day {
  /** `2026-11-22`, in São Paulo. */
  readonly date: string;
  readonly created: number;
  readonly paid: number;
  /** Gross volume in the smallest unit of the currency. */
  readonly volume: number;
}

/** The currency with the most volume; BRL when there is none. */
export function mainCurrency({ volumeByCurrency }: Pick<Metrics, "volumeByCurrency">): string {
  const [first] = volumeByCurrency.toSorted((one, other) => other.gross - one.gross);
  return first?.currency ?? "BRL";
}

/** The days, the oldest first, in one currency. */
export function daysOf({ daily }: Pick<Metrics, "daily">, currency: string): readonly Day[] {
  const days = daily.map(({ date, created, paid, volumeByCurrency }) => {
    const volume = volumeByCurrency.find((one) => one.currency === currency)?.gross ?? 0;
    return { date, created, paid, volume };
  });
  return days.toSorted((one, other) => (one.date < other.date ? -1 : 1));
}

/** Open cases by their deadline, the soonest first; those without one at the end. */
export function byDeadline<Case extends { readonly response_deadline: string | null }>(
  cases: readonly Case[],
): readonly Case[] {
  const until = ({ response_deadline: at }: Case) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
  return cases.toSorted((one, other) => (until(one) === until(other) ? 0 : until(one) - until(other)));
}
