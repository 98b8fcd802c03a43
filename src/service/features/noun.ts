import type * as z from "zod";
import type { Columns } from "../../base/db/columns/rule.js";
import type { Db } from "../../base/db/driver.js";
import type { Subscribable } from "../../base/kernel/feed.js";
import type { Machine } from "../../base/kernel/machine.js";
import type { Clock, Log, RealTime } from "../../base/kernel/runtime.js";
import type { Jobs } from "./job.js";
import type { MoneyObjects } from "./money-objects.js";
import type { Operation } from "./operation.js";
import type { Searchable } from "./searchable.js";
import type { ServiceSettings } from "./service-settings.js";
import type { TimelinePart } from "./timeline-part.js";
import type { News, Stores } from "./tx.js";

/**
 * The parts of a noun of the service. `index.ts` of its folder lists them once, and features/index.ts lists the nouns.
 * Code that needs all stores, tables or operations reads that list.
 */

/** The facts of all nouns that a store may need. */
export interface BroughtByAll {
  /** The objects that the ledger checks. */
  readonly money: readonly MoneyObjects[];
}

type StoreFactories = { readonly [Name in keyof Stores]?: (db: Db, all: BroughtByAll) => Stores[Name] };

/** The parts of the service that background work may need. */
export interface BackgroundParts {
  readonly stores: Stores;
  readonly settings: ServiceSettings;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly feeds: { readonly news: Subscribable<News> };
}

/** Work that runs by itself, beside requests and due work. */
export interface BackgroundWork {
  start(): void;
  /** Looks for rows that wait for it, because the database has other contents now. */
  lookAgain(): void;
  stop(): Promise<void>;
}

type None = Readonly<Record<never, never>>;

/** Parts whose exact types nobody needs. */
interface Parts {
  /** The columns of its tables, each with the rule of its values. */
  readonly tables: Readonly<Record<string, Columns>>;
  /** The states of its objects, with the events that report each move. */
  readonly machines: readonly Machine<string, string, string>[];
  /** The search for its objects. */
  readonly search: readonly ((db: Db) => Searchable)[];
  /** The amounts that the ledger must hold for its objects. */
  readonly money: readonly MoneyObjects[];
  /** Its work that runs beside requests. */
  readonly background: readonly ((parts: BackgroundParts) => BackgroundWork)[];
}

/** Parts with their exact types, such as the ids of operations. */
interface ExactParts<Made, Operations, Objects, Later, Kind extends string> {
  /** Its statements, by their name in a unit of work. Each noun declares the types in `Stores` of tx.ts. */
  readonly stores: Made;
  /** Its operations under `/v1` and under `/_sandbox`, in the order in which documents and help list them. */
  readonly operations: Operations;
  /**
   * The schema of the object in each of its events, by the word in front of the names or by the whole name: `data.object` of a canonical
   * event, `data` of a legacy one.
   */
  readonly events: Objects;
  /** Its later work. */
  readonly jobs: Later;
  /** Its additions to the timeline of an object. */
  readonly timeline: readonly TimelinePart<Kind>[];
}

const NOTHING = {
  tables: {},
  stores: {},
  machines: [],
  operations: [],
  events: {},
  jobs: {},
  timeline: [],
  search: [],
  money: [],
  background: [],
};

/** Returns the parts of a noun. An omitted part is empty. */
export function noun<
  const Made extends StoreFactories = None,
  const Operations extends readonly Operation[] = [],
  const Objects extends Readonly<Record<string, z.ZodObject>> = None,
  const Later extends Partial<Jobs> = None,
  const Kind extends string = never,
>(
  parts: Partial<Parts & ExactParts<Made, Operations, Objects, Later, Kind>>,
): Parts & ExactParts<Made, Operations, Objects, Later, Kind> {
  return { ...NOTHING, ...parts } as Parts & ExactParts<Made, Operations, Objects, Later, Kind>;
}
