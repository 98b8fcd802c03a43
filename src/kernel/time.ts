/** Times are stored as milliseconds since the epoch and shown as ISO 8601 in UTC with milliseconds. */

/** The last instant the emulated clock may reach: 9999-12-31T23:59:59.999Z. */
export const MAX_INSTANT = 253_402_300_799_999;

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** The last instant that a Date can hold. */
const LAST_OF_DATE = 8.64e15;

const twoDigits = (count: number) => `${count < 10 ? "0" : ""}${count}`;

// The date of the last instant is remembered: a charge has four instants, most of them on one day, and `Date` takes three
// times as long for its text.
let knownDate = Number.NaN;
let dateText = "";

export function iso(at: number): string {
  // Date cuts a fraction off, and refuses what it cannot hold.
  if (!Number.isInteger(at) || Math.abs(at) > LAST_OF_DATE) return new Date(at).toISOString();
  const date = Math.floor(at / DAY);
  if (date !== knownDate) {
    dateText = new Date(date * DAY).toISOString().slice(0, -"00:00:00.000Z".length);
    knownDate = date;
  }
  const ms = at - date * DAY;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  const part = ms % 1_000;
  return `${dateText}${time}.${part < 100 ? "0" : ""}${twoDigits(part)}Z`;
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Milliseconds of an ISO 8601 date-time with an offset, or of a plain date (its midnight in UTC). Null for any other text,
 * and for a day that does not exist, such as 30 February.
 */
export function parseInstant(text: string): number | null {
  const match = ISO_INSTANT.exec(text);
  if (match === null) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const [, year, month, day] = match;
  const calendar = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return calendar.getUTCDate() === Number(day) && calendar.getUTCMonth() === Number(month) - 1 ? at : null;
}

/**
 * Writes instants by the clock of São Paulo. The format is made at its first use: Node loads its calendars then, which takes a
 * tenth of a start.
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

/** `YYYY-MM-DD` of days since 1970-01-01. */
export function isoDate(day: number): string {
  return iso(day * DAY).slice(0, 10);
}
