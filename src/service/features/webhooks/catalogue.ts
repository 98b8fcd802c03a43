import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { namesOf } from "../../../base/kernel/names.js";
import type { Family } from "../../../base/kernel/webhook-signature.js";

/**
 * Every event name of the service (docs/service/webhooks.md#catalogue, docs/service/webhooks.md#what-a-change-tells).
 * Subscriptions, the catalogue route, the command line and docs/EVENTS.md all read this list.
 */

interface CatalogueEntry {
  /** Which envelope and signature the event has. */
  readonly family: Family;
  readonly description: string;
}

export const EVENT_CATALOGUE = {
  "charge.created": { family: "canonical", description: "A charge was created and waits for its payer." },
  "charge.paid": { family: "canonical", description: "A charge was paid and its settlement confirmed." },
  "charge.failed": { family: "canonical", description: "A charge failed or was cancelled." },
  "charge.expired": { family: "canonical", description: "A charge ran out of time unpaid." },
  "payout.created": { family: "canonical", description: "A payout was requested." },
  "payout.paid": { family: "canonical", description: "A payout was settled." },
  "payout.failed": { family: "canonical", description: "A payout failed or was rejected." },
  "med_case.created": { family: "canonical", description: "A MED case was opened." },
  "med_case.updated": { family: "canonical", description: "A MED case changed status or evidence was asked for." },
  "med.resolved": {
    family: "canonical",
    description: "A MED case was decided: the outcome for the contested money is final.",
  },
  "payment.created": { family: "legacy", description: "A transaction was created." },
  "payment.completed": { family: "legacy", description: "A transaction became PAID or APPROVED." },
  "payment.failed": {
    family: "legacy",
    description: "A transaction became REFUSED, CANCELLED, EXPIRED, CHARGEBACK or DISPUTE.",
  },
  "payment.expired": { family: "legacy", description: "A transaction ran out of time unpaid." },
  "payment.refunded": { family: "legacy", description: "A refund of a transaction advanced." },
  "payment.status_changed": { family: "legacy", description: "A transaction changed status." },
  "withdrawal.created": { family: "legacy", description: "A withdrawal was requested." },
  "withdrawal.completed": { family: "legacy", description: "A withdrawal was settled." },
  "withdrawal.failed": { family: "legacy", description: "A withdrawal failed." },
  "withdrawal.status_changed": { family: "legacy", description: "A withdrawal completed or failed." },
} as const satisfies Record<string, CatalogueEntry>;

export type EventName = keyof typeof EVENT_CATALOGUE;

export const EVENT_NAMES = namesOf(EVENT_CATALOGUE);

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(EVENT_CATALOGUE, text);
}

export function familyOf(name: EventName): CatalogueEntry["family"] {
  return EVENT_CATALOGUE[name].family;
}

/** Most facts are told in both families of events, each with its own envelope. */
const PAIRS: readonly (readonly [canonical: EventName, legacy: EventName])[] = [
  ["charge.created", "payment.created"],
  ["charge.paid", "payment.completed"],
  ["charge.failed", "payment.failed"],
  ["charge.expired", "payment.expired"],
  ["payout.created", "withdrawal.created"],
  ["payout.paid", "withdrawal.completed"],
  ["payout.failed", "withdrawal.failed"],
];

/** The event of the other family that tells the same; null for an event that only one family has. */
export function otherFamily(type: EventName): EventName | null {
  const pair = PAIRS.find((one) => one.includes(type));
  return pair?.find((name) => familyOf(name) !== familyOf(type)) ?? null;
}

/** The public id of the object that an event is about. */
export function subjectId(name: EventName, subject: string): string {
  if (/^(payout|withdrawal)\./.test(name)) return ID_PREFIX.payout + subject;
  return (/^med/.test(name) ? ID_PREFIX.medCase : ID_PREFIX.charge) + subject;
}

/** Returns a subscription as the database stores it: `,name,name,`, so that `,name,` finds one name. */
export function packEvents(events: readonly EventName[]): string {
  return `,${[...new Set(events)].join(",")},`;
}

export function unpackEvents(packed: string): EventName[] {
  return packed.split(",").filter(isEventName);
}
