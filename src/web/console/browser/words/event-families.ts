import { type EventName, otherFamily } from "../../../../service/features/webhooks/catalogue.js";

interface Told {
  readonly type: EventName;
  readonly subject: string;
  readonly created_at: string;
}

/** The same event in the other format, among the given ones. */
export function counterpart<Event extends Told>(event: Told, events: readonly Event[]): Event | null {
  const other = otherFamily(event.type);
  const fits = ({ type, subject, created_at }: Told) =>
    type === other && subject === event.subject && created_at === event.created_at;
  return events.find(fits) ?? null;
}
