import { pick } from "../../../../base/kernel/pick.js";
import { type Item, isFailure } from "./model.js";

/** The endpoints that have an event of a timeline, and those that have not. Pure functions. */

/** One event and its deliveries: of each endpoint the one that arrived, else the newest. */
export interface SentEvent {
  /** Such as `charge.paid`. */
  readonly type: string;
  readonly deliveries: readonly Item[];
}

export const hasArrived = ({ data }: Item) => data.status === "DELIVERED";

/** A deleted endpoint gets no further attempts, and needs none. */
const isWanted = ({ data }: Item) => data.status !== "CANCELLED";

/** Canonical events first, and those of any change of status last: the first ones say what happened. */
function rankOf(type: string): number {
  if (type.endsWith(".status_changed")) return 2;
  return type.startsWith("payment.") || type.startsWith("withdrawal.") ? 1 : 0;
}

function byEndpoint(deliveries: readonly Item[]): readonly Item[] {
  const known = new Map<unknown, Item>();
  for (const delivery of deliveries) {
    const before = known.get(delivery.data.url);
    if (before === undefined || !hasArrived(before)) known.set(delivery.data.url, delivery);
  }
  return [...known.values()];
}

/** The events that have deliveries, in the order in which they happened. */
function sentEvents(items: readonly Item[]): readonly SentEvent[] {
  return items
    .filter(({ kind }) => kind === "event")
    .map(({ id, text }) => ({
      type: text,
      deliveries: byEndpoint(items.filter(({ kind, parent }) => kind === "delivery" && parent === id).filter(isWanted)),
    }))
    .filter(({ deliveries }) => deliveries.length > 0);
}

/** The event that says most plainly what a step led to, with its deliveries; null when nobody wanted any. */
export function plainestEvent(items: readonly Item[], step: string): SentEvent | null {
  const own = new Set(items.filter(({ kind, parent }) => kind === "event" && parent === step).map(({ text }) => text));
  const [first] = sentEvents(items)
    .filter(({ type }) => own.has(type))
    .toSorted((one, other) => rankOf(one.type) - rankOf(other.type));
  return first ?? null;
}

/** The last attempt of a delivery; undefined before the first one. */
export const lastAttempt = (items: readonly Item[], delivery: string): Item | undefined =>
  items.findLast(({ kind, parent }) => kind === "attempt" && parent === delivery);

/** The real milliseconds that a request or an attempt took; null when it is not known. */
export function tookMs({ data }: Item): number | null {
  return typeof data.duration_ms === "number" ? data.duration_ms : null;
}

/** The status of a request's or an attempt's answer; null without one. */
export function answeredStatus(item: Item): number | null {
  const status = item.kind === "attempt" ? pick(item.data, "response.status") : item.data.status;
  return typeof status === "number" ? status : null;
}

/** What is wrong with the webhooks of an object: one event, and the delivery to look at. */
export interface Alarm extends SentEvent {
  readonly arrived: number;
  readonly delivery: Item;
  readonly failure: Item;
  /** The instant of the next attempt; null when none is left. */
  readonly next: string | null;
  /** Further deliveries that failed, of other events or endpoints. */
  readonly others: number;
}

/** The one alarm of a timeline: the plainest event that an endpoint has not accepted; null when all went well. */
export function alarmOf({ items }: { readonly items: readonly Item[] }): Alarm | null {
  const failureOf = ({ id, data }: Item) => {
    const last = data.status === "DELIVERED" ? undefined : lastAttempt(items, id);
    return last !== undefined && isFailure(last) ? last : undefined;
  };
  const failing = sentEvents(items)
    .map((event) => ({ ...event, failed: event.deliveries.filter((one) => failureOf(one) !== undefined) }))
    .filter(({ failed }) => failed.length > 0)
    .toSorted((one, other) => rankOf(one.type) - rankOf(other.type));
  // The latest of the plainest: what happened before is older news.
  const plainest = failing.findLast(({ type }) => rankOf(type) === rankOf(failing[0]?.type ?? ""));
  if (plainest === undefined) return null;
  const { type, deliveries, failed } = plainest;
  const left = failed.find(({ data }) => typeof data.next_attempt_at === "string");
  const delivery = left ?? failed.at(-1);
  const failure = delivery === undefined ? undefined : failureOf(delivery);
  if (delivery === undefined || failure === undefined) return null;
  return {
    type,
    deliveries,
    arrived: deliveries.filter(hasArrived).length,
    delivery,
    failure,
    next: left === undefined ? null : String(left.data.next_attempt_at),
    others: failing.reduce((sum, one) => sum + one.failed.length, 0) - 1,
  };
}
