import type { OperationAnswer } from "../../../client/types.js";

/** The timeline of an object as it is drawn: what came from what, where time passed, and where something failed. Pure. */

export type Story = OperationAnswer<"sandbox.timeline">;
export type Item = Story["items"][number];
export type ItemKind = Item["kind"];

/** The filters of a timeline, with the kinds of items that each one shows. */
export const GROUPS = {
  requests: ["request"],
  state: ["transition", "refund", "payout"],
  money: ["journal"],
  events: ["event"],
  deliveries: ["delivery", "attempt"],
  mail: ["email"],
  med: ["med_case"],
  clock: ["clock"],
} as const satisfies Record<string, readonly ItemKind[]>;
export type Group = keyof typeof GROUPS;
export const GROUP_NAMES = Object.keys(GROUPS) as Group[];

/** An item with what came from it. */
export interface Branch {
  readonly item: Item;
  readonly children: readonly Branch[];
  /** Whether the item, or anything that came from it, failed. */
  readonly isFailed: boolean;
}

export type Row =
  /** The first row of another day. */
  | { readonly kind: "day"; readonly at: string }
  /** Time in which nothing happened. */
  | { readonly kind: "gap"; readonly milliseconds: number; readonly why: "real" | "advanced" }
  /** Changes of the clock in a row. */
  | { readonly kind: "clock"; readonly items: readonly Item[] }
  /** An item and what came from it at once. `because` is an earlier item that made it due. */
  | { readonly kind: "tree"; readonly branch: Branch; readonly because: Item | null };

/** Time that passes without a note, in milliseconds. */
const UNNOTED_MS = 5_000;

/** Kinds that stand by themselves in the line of time when they come later than their cause. */
const STEPS: ReadonlySet<string> = new Set(["request", "transition", "refund", "payout", "med_case", "clock"]);

function isStep({ kind }: Item): boolean {
  return STEPS.has(kind);
}

const instant = ({ at }: { readonly at: string }) => Date.parse(at);

/** The status of the answer of an attempt; null when there was none. */
export function answerOf({ data }: Item): number | null {
  const answer = data.response as { readonly status?: number } | null | undefined;
  return answer?.status ?? null;
}

/** Whether an item reports that something did not work. */
export function isFailure(item: Item): boolean {
  const { kind, data } = item;
  if (kind === "attempt") {
    const status = answerOf(item);
    return status === null || status < 200 || status >= 300;
  }
  if (kind === "request") return typeof data.status === "number" && (data.status === 0 || data.status >= 400);
  if (kind === "delivery") return data.status === "FAILED";
  return (kind === "refund" && data.to === "FAILED") || (kind === "payout" && data.to === "failed");
}

function withoutHidden(items: readonly Item[], hidden: ReadonlySet<Group>): readonly Item[] {
  const kinds = new Set<string>([...hidden].flatMap((group) => GROUPS[group]));
  if (kinds.size === 0) return items;
  const byId = new Map(items.map((item) => [item.id, item]));
  const shownParent = (id: string | null): string | null => {
    const parent = id === null ? undefined : byId.get(id);
    if (parent === undefined) return null;
    return kinds.has(parent.kind) ? shownParent(parent.parent) : parent.id;
  };
  return items.filter(({ kind }) => !kinds.has(kind)).map((item) => ({ ...item, parent: shownParent(item.parent) }));
}

/** Whether an item stands by itself: it has no cause among the items, or happened later than its cause. */
function isRoot(item: Item, parent: Item | undefined): boolean {
  return parent === undefined || (isStep(item) && instant(item) - instant(parent) > UNNOTED_MS);
}

/** Items as trees, in the order of the items. */
export function treesOf(items: readonly Item[]): readonly { readonly branch: Branch; readonly because: Item | null }[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const below = new Map<string, Item[]>();
  const roots: { item: Item; because: Item | null }[] = [];
  for (const item of items) {
    const parent = item.parent === null ? undefined : byId.get(item.parent);
    if (parent === undefined || isRoot(item, parent)) roots.push({ item, because: parent ?? null });
    else below.set(parent.id, [...(below.get(parent.id) ?? []), item]);
  }
  const branchOf = (item: Item): Branch => {
    const children = (below.get(item.id) ?? []).map(branchOf);
    return { item, children, isFailed: isFailure(item) || children.some(({ isFailed }) => isFailed) };
  };
  return roots.map(({ item, because }) => ({ branch: branchOf(item), because }));
}

/** All items of a branch, itself first. */
export function itemsIn({ item, children }: Branch): readonly Item[] {
  return [item, ...children.flatMap(itemsIn)];
}

type Interval = readonly [from: number, to: number];

/** The instants between which the clock was moved. */
function leaps(items: readonly Item[]): readonly Interval[] {
  return items
    .filter(({ kind, data }) => kind === "clock" && data.move === "advance")
    .map(({ data }) => [Date.parse(String(data.from)), Date.parse(String(data.to))] as const);
}

interface Drawing {
  readonly rows: Row[];
  /** The latest instant so far. */
  last: number | null;
  day: string | null;
}

/** The calendar day of an instant, in the zone of the reader. */
export type DayOf = (at: number) => string;

function addGap(drawing: Drawing, at: number, moved: readonly Interval[]): void {
  const { rows, last } = drawing;
  if (last === null || at - last <= UNNOTED_MS) return;
  const leap = moved.find(([from, to]) => from < at && to > last);
  const isTold = rows.at(-1)?.kind === "clock" && leap !== undefined;
  if (!isTold) rows.push({ kind: "gap", milliseconds: at - last, why: leap === undefined ? "real" : "advanced" });
}

function addDay(drawing: Drawing, at: number, dayOf: DayOf): void {
  const day = dayOf(at);
  if (day === drawing.day) return;
  if (drawing.day !== null) drawing.rows.push({ kind: "day", at: new Date(at).toISOString() });
  drawing.day = day;
}

/** The latest instant of the items that happened until `at`. */
function latest(seen: readonly number[], at: number): number | null {
  return seen.reduce<number | null>((found, one) => (one <= at && one > (found ?? -Infinity) ? one : found), null);
}

/** The rows of a timeline, oldest first, from its items and the instant that is now. */
export function rowsOf(
  { items, now }: { readonly items: readonly Item[]; readonly now: string },
  hidden: ReadonlySet<Group>,
  dayOf: DayOf,
): readonly Row[] {
  const moved = leaps(items);
  const drawing: Drawing = { rows: [], last: null, day: null };
  const seen: number[] = [];
  for (const { branch, because } of treesOf(withoutHidden(items, hidden))) {
    const at = instant(branch.item);
    drawing.last = latest(seen, at);
    addGap(drawing, at, moved);
    addDay(drawing, at, dayOf);
    const before = drawing.rows.at(-1);
    if (branch.item.kind !== "clock") drawing.rows.push({ kind: "tree", branch, because });
    else if (before?.kind !== "clock") drawing.rows.push({ kind: "clock", items: [branch.item] });
    else drawing.rows[drawing.rows.length - 1] = { kind: "clock", items: [...before.items, branch.item] };
    seen.push(...itemsIn(branch).map(instant));
  }
  drawing.last = latest(seen, Date.parse(now));
  addGap(drawing, Date.parse(now), moved);
  addDay(drawing, Date.parse(now), dayOf);
  return drawing.rows;
}

/** The status that the last step of a kind led to; null when no item tells one. */
export function statusIn(items: readonly Item[], kind: ItemKind): string | null {
  const last = items.findLast((item) => item.kind === kind && typeof item.data.to === "string");
  return typeof last?.data.to === "string" ? last.data.to : null;
}

/** The ids of objects without their prefixes, as far as the items name them: messages about these change the timeline. */
export function rawIdsIn({
  subject,
  items,
}: {
  readonly subject: string;
  readonly items: readonly Item[];
}): ReadonlySet<string> {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const texts = [subject, ...items.map(({ id }) => id), ...items.filter(({ kind }) => kind === "event").map(dataText)];
  return new Set(texts.flatMap((text) => text.match(uuid) ?? []));
}

const dataText = ({ data }: Item) => JSON.stringify(data);

/** A burst in one line: what a move sent and moved besides itself. */
export interface Burst {
  readonly events: readonly string[];
  readonly deliveries: number;
  readonly arrived: number;
  /** Attempts without a good answer. */
  readonly failedAttempts: number;
  readonly journals: readonly Item[];
  readonly mails: number;
}

export function burstOf(branches: readonly Branch[]): Burst {
  const items = branches.flatMap(itemsIn);
  const deliveries = items.filter(({ kind }) => kind === "delivery");
  return {
    events: items.filter(({ kind }) => kind === "event").map(({ text }) => text),
    deliveries: deliveries.length,
    arrived: deliveries.filter(({ data }) => data.status === "DELIVERED").length,
    failedAttempts: items.filter((item) => item.kind === "attempt" && isFailure(item)).length,
    journals: items.filter(({ kind }) => kind === "journal"),
    mails: items.filter(({ kind }) => kind === "email").length,
  };
}

/** What came from an item: later steps of their own, and the burst of money, events and mails. */
export function partsOf({ children }: Branch): {
  readonly steps: readonly Branch[];
  readonly burst: readonly Branch[];
} {
  return { steps: children.filter(({ item }) => isStep(item)), burst: children.filter(({ item }) => !isStep(item)) };
}
