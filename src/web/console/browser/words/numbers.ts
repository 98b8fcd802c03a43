import { duration } from "./time.js";

/** Numbers in the notation of a language. */

/** A share in per cent, with one decimal at most. */
export function percent(share: number, language: string): string {
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(share * 100)} %`;
}

/** A duration that people have chosen, exact below a minute; else its two largest units. */
export function exactDuration(ms: number, language: string): string {
  if (ms < 1_000 || ms >= 60_000) return duration(ms);
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: 3 }).format(ms / 1_000)} s`;
}
