/** In milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: MINUTE, h: HOUR, d: DAY };
const PATTERN = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** Milliseconds of `500ms`, `10s`, `5m`, `1h` or `1d`; null when the text is no duration. */
export function parseDuration(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const ms = Number(match[1]) * (UNITS[match[2] ?? ""] ?? Number.NaN);
  return Number.isSafeInteger(Math.round(ms)) ? Math.round(ms) : null;
}

/** The units of a duration that is written, the largest first. */
const WRITTEN = [
  ["d", DAY],
  ["h", HOUR],
  ["m", MINUTE],
  ["s", 1_000],
] as const;

/** A duration as flags take it: the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const [unit, size] = WRITTEN.find(([, one]) => ms !== 0 && ms % one === 0) ?? ["ms", 1];
  return ms === 0 ? "0" : `${ms / size}${unit}`;
}

/** How long something took, for people: `840 ms`, `12 s`. */
export function tookText(ms: number): string {
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}
