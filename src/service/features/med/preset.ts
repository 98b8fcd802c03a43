import { DAY } from "../../../base/kernel/duration.js";

/**
 * The form of a bank's reports since the money of a Pix is traced through further accounts ("MED 2.0", Resolução BCB
 * 493; docs/guides/med-2026.md). Times are in milliseconds.
 */

export const MED_PRESETS = ["med2"] as const;
export type MedPreset = (typeof MED_PRESETS)[number];

/** Of the seven days of the receiver's bank, providers leave the merchant five. */
export const MED2_ANSWER_MS = 5 * DAY;
/** The time of the report about the rest: after the seven days of the first report. */
export const SECOND_REPORT_MS = 8 * DAY;

const FIRST_REASON = "A part of the money was traced to this account";
const SECOND_REASON = "The tracing continued: the rest of the money is contested";

/** The first report claims a half, rounded up to the centavo. */
export function firstReport(contestable: number) {
  return { amount: Math.ceil(contestable / 2), reason: FIRST_REASON, method: "scam" } as const;
}

export const SECOND_REPORT = { reason: SECOND_REASON, method: "scam" } as const;
