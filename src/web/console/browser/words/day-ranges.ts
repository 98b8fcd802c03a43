/** The usual ranges of days, by how many days before today they begin and end. */
const RANGES = {
  today: [0, 0],
  yesterday: [1, 1],
  last_7: [6, 0],
  last_30: [29, 0],
} as const;

export type DayRange = keyof typeof RANGES;

export const DAY_RANGES: readonly DayRange[] = ["today", "yesterday", "last_7", "last_30"];

/** A day in the zone of the reader, as addresses have it. */
function isoDay(at: number, daysBefore: number): string {
  const date = new Date(at);
  const day = new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore));
  return day.toISOString().slice(0, 10);
}

/** The first and the last day of a range, seen from an instant. */
export function daysOfRange(range: DayRange, at: number): readonly [from: string, to: string] {
  const [first, last] = RANGES[range];
  return [isoDay(at, first), isoDay(at, last)];
}

/** The name of the range that two days make; null for another one. */
export function rangeOfDays(from: string, to: string, at: number): DayRange | null {
  const isIt = (range: DayRange) => {
    const [first, last] = daysOfRange(range, at);
    return first === from && last === to;
  };
  return DAY_RANGES.find(isIt) ?? null;
}
