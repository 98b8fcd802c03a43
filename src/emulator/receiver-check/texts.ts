import { fill, type Message } from "../../base/kernel/message.js";
import { namesOf } from "../../base/kernel/names.js";
import english from "./texts.json" with { type: "json" };

/**
 * The sentences about each case of the check of a receiver, and the advice about its answers (src/base/kernel/message.ts):
 * texts.json.
 */

interface CaseTexts {
  /** A description of the deliveries, on one line. */
  readonly sends: string;
  /** The advice for a receiver that does not answer as expected. */
  readonly remedy: string;
  /** A limit of the case. */
  readonly passed?: string;
  /** The meaning of the answer when the case expects either. */
  readonly accepted?: string;
  readonly refused?: string;
}

/** All sentences in one language. */
export type ReceiverTexts = typeof english;

export const ENGLISH: ReceiverTexts = english;

export type CaseName = keyof ReceiverTexts["cases"];
export type HintCode = keyof ReceiverTexts["hints"];

/** The advice and the notes that each case has in words of its own. */
const OWN_CODES = ["remedy", "passed", "accepted", "refused"] as const;

export const ADVICE_CODES = [...namesOf(ENGLISH.advice), ...OWN_CODES] as const;
export type AdviceCode = (typeof ADVICE_CODES)[number];

/** The text of an advice for a case; null when the case has none of this code. */
export function adviceText(texts: ReceiverTexts, name: CaseName, { code, params }: Message<AdviceCode>): string | null {
  const own: CaseTexts = texts.cases[name];
  if (code === "remedy" || code === "passed" || code === "accepted" || code === "refused") return own[code] ?? null;
  return fill(texts.advice[code], { ...params, remedy: own.remedy });
}
