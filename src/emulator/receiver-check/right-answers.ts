import type { CaseName } from "./texts.js";

/** The right answer to each case of the check of a receiver. */

/** `accept` is a 2xx, `refuse` is a 4xx, `either` allows both. */
export const RIGHT_ANSWERS = { accept: "2xx", refuse: "4xx", either: "2xx or 4xx" } as const;
export type Expectation = keyof typeof RIGHT_ANSWERS;

const REFUSED: readonly CaseName[] = [
  "wrong-signature",
  "other-body",
  "wrong-secret",
  "no-signature",
  "malformed-signature",
  "legacy-on-canonical",
  "stale-timestamp",
];
const OPEN: readonly CaseName[] = ["future-timestamp", "old-secret"];

/** All other cases are genuine. */
export function expectationOf(name: CaseName): Expectation {
  if (REFUSED.includes(name)) return "refuse";
  return OPEN.includes(name) ? "either" : "accept";
}
