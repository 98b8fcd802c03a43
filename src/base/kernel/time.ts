import { DAY, HOUR } from "./duration.js";

/** Times are stored as milliseconds since the epoch and shown as ISO 8601 in UTC with milliseconds. */

/** The last instant the emulated clock may reach: 9999-12-31T23:59:59.999Z. */
export const MAX_INSTANT = 253_402_300_799_999;

/** The most that the emulated clock may be faster than real time. */
export const MAX_SPEED = 100_000;

/** The last instant that a Date can hold. */
export const LAST_OF_DATE = 8.64e15;

/** An instant as ISO 8601 in UTC. The clock never comes to one behind its end, which is shown as that end: RFC 3339 has no year 10000. */
export function iso(instant: number): string {
  return new Date(instant <= LAST_OF_DATE ? Math.min(instant, MAX_INSTANT) : instant).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

const DATE_FORM = String.raw`\d{4}-\d{2}-\d{2}`;
const TIME_FORM = String.raw`T\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})`;

export const DATE_TIME_PATTERN = `^${DATE_FORM}${TIME_FORM}$`;
export const INSTANT_PATTERN = `^${DATE_FORM}(?:${TIME_FORM})?$`;

const INSTANT = new RegExp(INSTANT_PATTERN);

/**
 * Milliseconds of an ISO 8601 date-time with an offset, or of a plain date (its midnight in UTC). Null for any other text,
 * and for a day that does not exist, such as 30 February.
 */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const [year = 0, month = 0, day = 0] = text.slice(0, "YYYY-MM-DD".length).split("-").map(Number);
  const calendar = new Date(Date.UTC(year, month - 1, day));
  return calendar.getUTCDate() === day && calendar.getUTCMonth() === month - 1 ? at : null;
}

/**
 * Writes instants by the clock of São Paulo. It is created at its first use, because loading the calendars takes a tenth of a
 * start.
 */
export function saoPauloFormat(language: string, parts: Intl.DateTimeFormatOptions): (at: number) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (at) => {
    format ??= new Intl.DateTimeFormat(language, { ...parts, timeZone: "America/Sao_Paulo" });
    return format.format(at);
  };
}

const saoPauloDate = saoPauloFormat("en-CA", { dateStyle: "short" });

// The offset of São Paulo is a whole number of hours, so each hour of UTC is within one day of São Paulo.
// The day of the last hour is remembered: formatting a date is slow, and most calls are for the same hour.
let knownHour = Number.NaN;
let knownDay = 0;

/** The calendar day of an instant in São Paulo, as days since 1970-01-01. The service counts days in São Paulo. */
export function saoPauloDay(at: number): number {
  const hour = Math.floor(at / HOUR);
  if (hour !== knownHour) {
    // A year before 1000 has no leading zeros, and Date would read it as another year.
    knownDay = Date.parse(saoPauloDate(hour * HOUR).padStart(10, "0")) / DAY;
    knownHour = hour;
  }
  return knownDay;
}

/** The first instant of a calendar day in São Paulo. */
export function saoPauloMidnight(day: number): number {
  const usual = day * DAY + 3 * HOUR;
  if (saoPauloDay(usual - HOUR) === day) return usual - HOUR;
  return saoPauloDay(usual) === day ? usual : usual + HOUR;
}

export function isoDate(day: number): string {
  return iso(day * DAY).slice(0, 10);
}
