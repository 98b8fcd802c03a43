import type { EventsOf } from "../../../base/kernel/event.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Machine } from "../../../base/kernel/machine.js";

/** The life of a MED case (docs/service/med.md#decisions, docs/decisions/023-med-cases.md). */

export const MED_STATUSES = ["open", "appealed", "accepted", "rejected", "closed"] as const;
export type MedStatus = (typeof MED_STATUSES)[number];

export const MED_TYPES = ["med", "chargeback", "dispute", "fraud"] as const;
export type MedType = (typeof MED_TYPES)[number];

export const MED_METHODS = ["scam", "unauthorized", "coercion", "invasion", "other"] as const;
export type MedMethod = (typeof MED_METHODS)[number];

export const MONEY_OUTCOMES = ["refunded_to_merchant", "closed_without_refund", "lost"] as const;
export type MoneyOutcome = (typeof MONEY_OUTCOMES)[number];

export const EVIDENCE_UPLOADERS = ["merchant", "partner", "platform"] as const;

/** The events of MED cases. */
export const medEvents = {
  prefix: ID_PREFIX.medCase,
  events: {
    "med_case.created": { family: "canonical", description: "A MED case was opened." },
    "med_case.updated": { family: "canonical", description: "A MED case changed status or evidence was requested." },
    "med.resolved": {
      family: "canonical",
      description: "A MED case was decided: the outcome for the contested money is final.",
    },
  },
} as const satisfies EventsOf;
export type MedEvent = keyof typeof medEvents.events;

const UPDATED = ["med_case.updated"] as const;
const RESOLVED = ["med_case.updated", "med.resolved"] as const;
const UNDECIDED = ["open", "appealed"] as const;

const machine = {
  name: "med_case",
  states: MED_STATUSES,
  initial: { state: "open", emits: ["med_case.created"] },
  transitions: {
    appeal: { from: ["open"], to: "appealed", emits: UPDATED, source: "POST appeal" },
    accept: { from: ["open"], to: "accepted", emits: RESOLVED, source: "POST accept" },
    uphold: { from: ["appealed"], to: "rejected", emits: RESOLVED, source: "decision, MED upheld" },
    uphold_unanswered: { from: ["open"], to: "closed", emits: RESOLVED, source: "decision before an answer" },
    decide_for_merchant: { from: UNDECIDED, to: "closed", emits: RESOLVED, source: "decision, merchant's favour" },
    close_without_refund: { from: UNDECIDED, to: "closed", emits: RESOLVED, source: "decision, closed" },
    withdraw: { from: UNDECIDED, to: "closed", emits: RESOLVED, source: "payer withdraws" },
  },
} as const satisfies Machine<MedStatus, string, MedEvent>;

export type MedMove = keyof typeof machine.transitions;
export const medMachine: Machine<MedStatus, MedMove, MedEvent> = machine;

/** The destination of the contested money for each move; null for a move that is not final. */
export const OUTCOME_OF: Readonly<Record<MedMove, MoneyOutcome | null>> = {
  appeal: null,
  accept: "lost",
  uphold: "lost",
  uphold_unanswered: "closed_without_refund",
  decide_for_merchant: "refunded_to_merchant",
  close_without_refund: "closed_without_refund",
  withdraw: "refunded_to_merchant",
};

/** True if the case is not decided yet: the merchant or the bank can still act. */
export function isUndecided(status: MedStatus): boolean {
  return status === "open" || status === "appealed";
}
