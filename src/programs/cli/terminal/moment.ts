import { parseInstant } from "../../../base/kernel/time.js";
import { t } from "../../../base/kernel/wording.js";
import type { Bound } from "../../../service/openapi/fields.js";
import { wrongValue } from "./failure.js";

/** Instants as people write them: a day, or a time of day, means that of the place where the person is. */

export const INSTANT_FORMS = t`a day such as 2026-11-23, 23/11/2026, 23/11, today or yesterday, or a time such as 2026-11-23T18:00 or 2026-11-23T21:00:00Z`;

const WITHOUT_ZONE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/;

/** A day as Brazilians write it, with or without its year. */
const BRAZILIAN = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?(?=[T ]|$)/;
/** Days by their distance from the present one. */
const NAMED: Readonly<Record<string, number>> = { today: 0, hoje: 0, yesterday: -1, ontem: -1 };
const NAME = /^[a-z]+(?=[T ]|$)/i;
/** 29 February comes again after eight years at the latest, where a century without a leap day is between. */
const LONGEST_GAP = 8;

export interface MomentOptions {
  /** The time of this machine in milliseconds: what `today` is. */
  readonly now: number;
  readonly bound?: Bound | undefined;
  /** A text without a zone means UTC, and not the time here. */
  readonly utc?: boolean | undefined;
}

/** The instant of a day and a time, in UTC or here. Days are counted on, and a time that the clock leaps over comes after it. */
function at([year = 0, month = 1, day = 1]: readonly number[], time: readonly number[], utc: boolean): Date {
  const [hour = 0, minute = 0, second = 0, ms = 0] = time;
  const date = new Date(0);
  if (utc) {
    date.setUTCFullYear(year, month - 1, day);
    date.setUTCHours(hour, minute, second, ms);
  } else {
    date.setFullYear(year, month - 1, day);
    date.setHours(hour, minute, second, ms);
  }
  return date;
}

const two = (part: number) => String(part).padStart(2, "0");

function isoDay(year: number, month: number, day: number): string {
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** The day of this machine, in UTC or here, and so many days from it. */
function dayFrom(now: number, distance: number, utc: boolean): string {
  const date = new Date(now);
  const [year, month, day] = utc
    ? [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
    : [date.getFullYear(), date.getMonth(), date.getDate()];
  return new Date(Date.UTC(year, month, day + distance)).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The text with its day as ISO 8601 writes it. A day without its year is the last one that is not in the future. */
function withIsoDay(text: string, now: number, utc: boolean): string {
  const today = dayFrom(now, 0, utc);
  const [name = ""] = NAME.exec(text) ?? [];
  const distance = NAMED[name.toLowerCase()];
  if (distance !== undefined) return dayFrom(now, distance, utc) + text.slice(name.length);
  const [written = "", day, month, year] = BRAZILIAN.exec(text) ?? [];
  if (written === "") return text;
  const thisYear = Number(today.slice(0, 4));
  const years =
    year === undefined ? Array.from({ length: LONGEST_GAP + 1 }, (_, ago) => thisYear - ago) : [Number(year)];
  const found = years
    .map((one) => isoDay(one, Number(month), Number(day)))
    .find((one) => parseInstant(one) !== null && (year !== undefined || one <= today));
  return found === undefined ? text : found + text.slice(written.length);
}

/**
 * The ISO 8601 text of an instant for the service; null for a text that is none. A text with a zone stays as it is. A day
 * without a time is the whole day: its beginning, or its end where `bound` says so.
 */
export function instantText(
  text: string,
  { bound = { at: "start", exclusive: false }, utc = false, now }: MomentOptions,
): string | null {
  const written = withIsoDay(text.trim(), now, utc);
  const [, ...parts] = WITHOUT_ZONE.exec(written) ?? [];
  if (parts.length === 0) {
    // As tables show it: with a space in place of the T.
    const zoned = written.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T");
    return parseInstant(zoned) === null ? null : zoned;
  }
  const day = parts.slice(0, 3).map(Number);
  const [hour, minute = "0", second = "0", fraction = "0"] = parts.slice(3);
  if (parseInstant(written.slice(0, 10)) === null) return null;
  if (hour !== undefined) {
    const time = [Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, "0"))];
    const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
    return isTime ? at(day, time, utc).toISOString() : null;
  }
  const isStart = bound.at === "start";
  const [year = 0, month = 1, date = 1] = day;
  const first = at(isStart ? day : [year, month, date + 1], [], utc).getTime();
  // The first and the last moment belong to the day, so a bound that does not belong to its range stands outside.
  const inside = isStart ? 0 : -1;
  const outside = isStart ? -1 : 0;
  return new Date(first + (bound.exclusive ? outside : inside)).toISOString();
}

/** The first and the last millisecond of a day that a text names; null for a text that names none, or a time too. */
export function daySpan(
  text: string,
  { utc = false, now }: Omit<MomentOptions, "bound">,
): readonly [number, number] | null {
  const day = withIsoDay(text.trim(), now, utc);
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const edge = (at: Bound["at"]) => Date.parse(instantText(day, { bound: { at, exclusive: false }, utc, now }) ?? "");
  const [first, last] = [edge("start"), edge("end")];
  return Number.isNaN(first) ? null : [first, last];
}

/** An instant as ISO 8601 for the service. `name` is that of the flag. Throws Failure (exit 2) for a text that is none. */
export function readInstant(name: string, text: string, options: MomentOptions): string {
  const instant = instantText(text, options);
  if (instant !== null) return instant;
  throw wrongValue(name, INSTANT_FORMS, text);
}
