import { ID_PREFIX, type IdKind, rawId } from "../../base/kernel/ids.js";
import { NOUNS } from "./index.js";
import type { MovedObjects, TimelineObject, TimelinePart } from "./timeline-part.js";
import type { Stores } from "./tx.js";

/** Objects that have timelines, whatever their noun. */

export type NounKind = (typeof NOUNS)[number]["timeline"][number]["kind"];

export const TIMELINE_PARTS = NOUNS.flatMap(({ timeline }): readonly TimelinePart<NounKind>[] => timeline);

const OBJECTS = TIMELINE_PARTS.flatMap(({ objects }) => objects ?? []);

/** The parts by the noun of their rows in the history. The clock and deliveries have none. */
export const MOVED = new Map(
  TIMELINE_PARTS.flatMap((part) => (part.objects ? [[part.objects.noun, part] as const] : [])),
);

/** The kinds of ids that `findObject` knows. */
export const TIMELINE_IDS = OBJECTS.flatMap(({ ids }) => ids) as [IdKind, ...IdKind[]];

/** Finds the object of an id, with or without its prefix, and the kind of that id. Null for an id of no such object. */
export function findObject(
  stores: Stores,
  bookId: number,
  id: string,
): { readonly subject: string; readonly object: TimelineObject } | null {
  const find = ({ ids, find }: MovedObjects) => {
    const prefixes = ids.map((kind) => ID_PREFIX[kind]);
    const raw = rawId(id, ...prefixes, "");
    const object = raw === null ? null : find(stores, bookId, raw);
    const prefix = prefixes.find((one) => id.startsWith(one)) ?? prefixes[0] ?? "";
    return object === null ? [] : [{ subject: prefix + object.id, object }];
  };
  return OBJECTS.flatMap(find)[0] ?? null;
}

/** Returns an object and those that belong to it: the refunds and cases of a payment. */
export function withOwn(stores: Stores, object: TimelineObject): readonly TimelineObject[] {
  return [object, ...OBJECTS.flatMap(({ ofPayment }) => ofPayment(stores, object.id))];
}
