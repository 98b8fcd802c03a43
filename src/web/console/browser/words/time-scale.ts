import type { Upcoming } from "./due-groups.js";

/** The scale of the time bar: the nearer the instant, the more room it has. Retries come within seconds, deadlines within days. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The end of the bar. Later work is not on it. */
export const HORIZON_MS = 30 * DAY;

/** The distances that have a name on the bar, and between which Page Up and Page Down move. */
export const TICKS = [
  { ms: MINUTE, label: "1 min" },
  { ms: 10 * MINUTE, label: "10 min" },
  { ms: HOUR, label: "1 h" },
  { ms: 6 * HOUR, label: "6 h" },
  { ms: DAY, label: "1 d" },
  { ms: 7 * DAY, label: "7 d" },
  { ms: HORIZON_MS, label: "30 d" },
] as const;

const WHOLE = Math.log1p(HORIZON_MS / MINUTE);

/** The place of a distance from now: 0 is now, 1 the end of the bar. */
export function shareOf(ms: number): number {
  return Math.min(1, Math.log1p(Math.max(0, ms) / MINUTE) / WHOLE);
}

/** The distance at a place, in whole units of its size: nobody aims at 3 d 17 h 04 min. */
export function distanceAt(share: number): number {
  const ms = Math.expm1(Math.min(1, Math.max(0, share)) * WHOLE) * MINUTE;
  const unit = [DAY, HOUR, 10 * MINUTE, MINUTE, 10_000].find((one) => ms >= 6 * one) ?? 1_000;
  return Math.round(ms / unit) * unit;
}

/** What stands at one place of the bar. */
export interface Mark<Entry = Upcoming> {
  readonly share: number;
  /** The instant of its last entry: everything at the mark has run then. */
  readonly until: number;
  readonly entries: readonly Entry[];
}

/** The pixels that a mark with a number takes. */
const MARK_WIDTH = 26;

/**
 * The marks of the entries within the horizon, the nearest to now first, on a line of a width in pixels that leads to the future or
 * to the past. What would stand on another mark is a part of it.
 */
export function marksOf<Entry extends { readonly at: string }>(
  entries: readonly Entry[],
  now: number,
  width: number,
  way: "future" | "past" = "future",
): readonly Mark<Entry>[] {
  const marks: { share: number; until: number; entries: Entry[] }[] = [];
  const awayOf = ({ at }: Entry) => (Date.parse(at) - now) * (way === "future" ? 1 : -1);
  for (const entry of entries.toSorted((one, other) => awayOf(one) - awayOf(other))) {
    const away = awayOf(entry);
    if (away > HORIZON_MS) break;
    const last = marks.at(-1);
    const share = shareOf(away);
    const until = Date.parse(entry.at);
    if (last !== undefined && (share - last.share) * width < MARK_WIDTH) {
      last.until = until;
      last.entries.push(entry);
    } else marks.push({ share, until, entries: [entry] });
  }
  return marks;
}
