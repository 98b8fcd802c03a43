/**
 * The pause that a header Retry-After asks for, in milliseconds: a number of seconds, or a date. `now` is in milliseconds
 * since the Unix epoch. Null when there is no header, or when it is neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(until - now, 0);
}
