import type { EventFacts } from "../../../base/kernel/event.js";
import { mergeParts } from "../../../base/kernel/merge-parts.js";
import { namesOf } from "../../../base/kernel/names.js";
import { EVENTS } from "../events.js";

/**
 * Every event name of the service (docs/service/webhooks.md#catalogue, docs/service/webhooks.md#what-a-change-reports).
 * Subscriptions, the catalogue route, the command line and docs/EVENTS.md all read this list.
 */
export const EVENT_CATALOGUE = mergeParts(EVENTS.map(({ events }) => events));

export type EventName = keyof typeof EVENT_CATALOGUE;

const FACTS: Readonly<Record<EventName, EventFacts>> = EVENT_CATALOGUE;

export function familyOf(name: EventName): EventFacts["family"] {
  return FACTS[name].family;
}

/** The canonical events come first. */
export const EVENT_NAMES = namesOf(EVENT_CATALOGUE).sort(
  (one, other) => Number(familyOf(one) === "legacy") - Number(familyOf(other) === "legacy"),
) as [EventName, ...EventName[]];

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(EVENT_CATALOGUE, text);
}

/** The event of the other family with the same report; null for an event that only one family has. */
export function otherFamily(type: EventName): EventName | null {
  return EVENT_NAMES.find((name) => name === FACTS[type].legacy || FACTS[name].legacy === type) ?? null;
}

/** The public id of the object of an event. */
export function subjectId(name: EventName, subject: string): string {
  const of = EVENTS.find(({ events }) => Object.hasOwn(events, name));
  return `${of?.prefix ?? ""}${subject}`;
}

/** Returns a subscription as the database stores it: `,name,name,`, so that `,name,` finds one name. */
export function packEvents(events: readonly EventName[]): string {
  return `,${[...new Set(events)].join(",")},`;
}

export function unpackEvents(packed: string): EventName[] {
  return packed.split(",").filter(isEventName);
}
