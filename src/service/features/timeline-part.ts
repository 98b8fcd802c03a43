import type { IdKind } from "../../base/kernel/ids.js";
import type { Message, Params } from "../../base/kernel/message.js";
import type { HistoryRow } from "./history/store.js";
import type { ItemCode } from "./service-texts.js";
import type { Stores } from "./tx.js";
import type { EventRow } from "./webhooks/store.js";

/** The history of the objects of a noun: the timeline calls each noun, and knows none by name. */

/** An object in a timeline. */
export interface TimelineObject {
  readonly noun: HistoryRow["noun"];
  /** Without its prefix. */
  readonly id: string;
  /** Every form of its id that a request may name. The items use the first one. */
  readonly publicIds: readonly [string, ...string[]];
  /** The raw id of its payment; null for a payment itself and for objects without one. */
  readonly payment: string | null;
  /** Details of a move: amount, deadline, actor, reason. */
  params(move: string, data: Params): Params;
  /** Events about its payment that name it, for a timeline without that payment. */
  eventsOfPayment?(): EventRow[];
}

/** An item that a noun adds to the timeline of objects besides its own moves. */
export interface NounItem<Kind extends string> extends Message<ItemCode> {
  readonly id: string;
  readonly kind: Kind;
  readonly at: number;
  /** The row of the history behind it. */
  readonly history: number;
  /** Its place among other items of its kind and row. */
  readonly order: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The objects of a noun that have timelines of their own, and whose moves are items. */
export interface MovedObjects {
  /** Their noun in the rows of the history. */
  readonly noun: HistoryRow["noun"];
  /** The kinds of their ids. */
  readonly ids: readonly [IdKind, ...IdKind[]];
  /** The kind of id by which the stream, and an item, names an object that is not in the timeline. */
  readonly elsewhere: IdKind;
  /** The kind of messages of the stream about a move; the noun by default. */
  readonly message?: string;
  /** Returns null for an id that no object of this book has. */
  find(stores: Stores, bookId: number, raw: string): TimelineObject | null;
  /** Returns the objects that belong to a payment. */
  ofPayment(stores: Stores, payment: string): TimelineObject[];
  /** Returns another text for a move than that of its name, or undefined. */
  codeOf?(move: string, to: string | null, data: Params): ItemCode | undefined;
}

export interface TimelinePart<Kind extends string> {
  /** The kind of its items. */
  readonly kind: Kind;
  readonly objects?: MovedObjects;
  items?(stores: Stores, objects: readonly TimelineObject[]): NounItem<Kind>[];
}
