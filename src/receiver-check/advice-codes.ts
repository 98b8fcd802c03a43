/** What an advice or a note is about, for programs that say it in another language. */
export const ADVICE_CODES = [
  // Of a failed case. `failed` and `failed_to_refuse` are a 5xx, followed by the remedy of the case.
  "late",
  "no_answer",
  "redirect",
  "rate_limit",
  "remedy",
  "failed",
  "failed_to_refuse",
  // Notes on an answer that is not wrong.
  "passed",
  "accepted",
  "refused",
  "mixed",
] as const;
export type AdviceCode = (typeof ADVICE_CODES)[number];
