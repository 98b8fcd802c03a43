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
