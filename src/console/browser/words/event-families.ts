import { type EventName, familyOf } from "../../../features/webhooks/catalogue.js";

/** The two families of events: most facts are told in both, each with its own envelope. */

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

interface Told {
  readonly type: EventName;
  readonly subject: string;
  readonly created_at: string;
}

/** The event among the given ones that tells the same as this one, in the other format. */
export function counterpart<Event extends Told>(event: Told, events: readonly Event[]): Event | null {
  const other = otherFamily(event.type);
  const fits = ({ type, subject, created_at }: Told) =>
    type === other && subject === event.subject && created_at === event.created_at;
  return events.find(fits) ?? null;
}
