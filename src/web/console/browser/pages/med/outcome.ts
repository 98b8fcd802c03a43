import type { MedStatus, MoneyOutcome } from "../../../../../service/features/med/machine.js";
import type { Tone } from "../../words/codes.js";

/**
 * The colour of a case shows who won: green for the merchant, red for the payer, amber while the merchant must answer,
 * blue while the bank decides. The status alone is not enough: a closed case may have been won or lost.
 */
export function toneOf(medCase: { readonly status: MedStatus; readonly money_outcome: MoneyOutcome | null }): Tone {
  if (medCase.money_outcome === "refunded_to_merchant") return "good";
  if (medCase.status === "open") return "warn";
  return medCase.status === "appealed" ? "wait" : "bad";
}
