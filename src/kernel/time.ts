/** Times are kept as milliseconds since the epoch and shown as ISO 8601 UTC with milliseconds. */

/** The last instant the emulated clock may reach: 9999-12-31T23:59:59.999Z. */
export const MAX_INSTANT = 253_402_300_799_999;

export function iso(at: number): string {
  return new Date(at).toISOString();
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Milliseconds of an ISO 8601 date-time with an offset, or of a plain date (its midnight in UTC). Null for anything
 * else, a day that does not exist (30 February) included.
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

const DAY = 86_400_000;
const HOUR = 3_600_000;
const SAO_PAULO = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Sao_Paulo", dateStyle: "short" });

// Offsets of São Paulo are whole hours, so an hour of UTC lies within one of its days.
let knownHour = Number.NaN;
let knownDay = 0;

/** The calendar day in São Paulo of an instant, as days since 1970-01-01. The service counts days there. */
export function saoPauloDay(at: number): number {
  const hour = Math.floor(at / HOUR);
  if (hour !== knownHour) {
    // Years before 1000 come without leading zeros, and would be taken for others.
    knownDay = Date.parse(SAO_PAULO.format(hour * HOUR).padStart(10, "0")) / DAY;
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
