import type { OperationAnswer } from "../../../../api/client/types.js";
import { isSuccess } from "../../../../base/kernel/http-status.js";
import { UUID_FORM } from "../../../../base/kernel/ids.js";
import { namesOf } from "../../../../base/kernel/names.js";
import { pick } from "../../../../base/kernel/pick.js";
import { treesOf as branchesOf, type Branch as TreeBranch } from "../../../../service/features/timeline/tree.js";

/** The timeline of an object as it is drawn: causes and effects, spans of time, and failures. Pure. */

export type TimelineAnswer = OperationAnswer<"sandbox.timeline">;
export type Item = TimelineAnswer["items"][number];
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
export const GROUP_NAMES = namesOf(GROUPS);

export type Branch = TreeBranch<Item>;

export type Row =
  /** Before the first row of each day. */
  | { readonly kind: "day"; readonly at: string }
  /** Time without events. */
  | { readonly kind: "gap"; readonly milliseconds: number; readonly why: "real" | "advanced" }
  /** Changes of the clock in a row. */
  | { readonly kind: "clock"; readonly items: readonly Item[] }
  /** An item and its immediate effects. Its parent is an earlier item that made it due. */
  | { readonly kind: "tree"; readonly branch: Branch };

/** The maximum span of time without a note, in milliseconds. */
const UNNOTED_MS = 5_000;

/** Requests and moves have a row of their own in the timeline if they come later than their cause. */
const isStep = ({ kind, data }: Item) => kind === "request" || data.move !== undefined;

const instant = ({ at }: { readonly at: string }) => Date.parse(at);

/** True if an item reports a failure. */
export function isFailure({ kind, data }: Item): boolean {
  if (kind === "attempt") {
    const status = pick(data, "response.status");
    return !isSuccess(typeof status === "number" ? status : null);
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

/** Items as trees. A step that happened later than its cause has its own tree. */
export function treesOf(items: readonly Item[]): readonly Branch[] {
  return branchesOf(items, (item, parent) => isStep(item) && instant(item) - instant(parent) > UNNOTED_MS);
}

/** All items of a branch, itself first. */
export function itemsIn({ item, children }: Branch): readonly Item[] {
  return [item, ...children.flatMap(itemsIn)];
}

/** The rows of a timeline, oldest first, up to now. `dayOf` returns a day in the zone of the reader. */
export function rowsOf(
  { items, now }: { readonly items: readonly Item[]; readonly now: string },
  hidden: ReadonlySet<Group>,
  dayOf: (at: number) => string,
): readonly Row[] {
  const rows: Row[] = [];
  /** The spans over which the clock was moved. */
  const leaps = items
    .filter(({ kind, data }) => kind === "clock" && data.move === "advance")
    .map(({ data }) => ({ from: Date.parse(String(data.from)), to: Date.parse(String(data.to)) }));
  const seen: number[] = [];
  let day: string | null = null;
  /** Notes the time since the latest instant before this one, and its day. */
  const reach = (at: number) => {
    const last = seen.filter((one) => one <= at).reduce((one, other) => Math.max(one, other), -Infinity);
    const leap = leaps.find(({ from, to }) => from < at && to > last);
    const isShown = rows.at(-1)?.kind === "clock" && leap !== undefined;
    const milliseconds = at - last;
    if (milliseconds > UNNOTED_MS && last !== -Infinity && !isShown) {
      rows.push({ kind: "gap", milliseconds, why: leap === undefined ? "real" : "advanced" });
    }
    if (dayOf(at) !== day) rows.push({ kind: "day", at: new Date(at).toISOString() });
    day = dayOf(at);
  };
  for (const branch of treesOf(withoutHidden(items, hidden))) {
    reach(instant(branch.item));
    const before = rows.at(-1);
    if (branch.item.kind !== "clock") rows.push({ kind: "tree", branch });
    else if (before?.kind !== "clock") rows.push({ kind: "clock", items: [branch.item] });
    else rows[rows.length - 1] = { kind: "clock", items: [...before.items, branch.item] };
    seen.push(...itemsIn(branch).map(instant));
  }
  reach(Date.parse(now));
  return rows;
}

/** The status after the last step of a kind; null when no item has one. */
export function statusIn(items: readonly Item[], kind: ItemKind): string | null {
  const last = items.findLast((item) => item.kind === kind && typeof item.data.to === "string");
  return typeof last?.data.to === "string" ? last.data.to : null;
}

/** The ids of objects without prefixes, if the items name them: messages about these change the timeline. */
export function rawIdsIn({ subject, items }: Pick<TimelineAnswer, "subject" | "items">): ReadonlySet<string> {
  const uuid = new RegExp(UUID_FORM, "g");
  const texts = items.map(({ id, kind, data }) => (kind === "event" ? id + JSON.stringify(data) : id));
  return new Set([subject, ...texts].flatMap((text) => text.match(uuid) ?? []));
}

/** The effects of an item: later steps of their own, and the group of money, events and mails. */
export function partsOf({ children }: Branch): Pick<Node, "steps" | "burst"> {
  return { steps: children.filter(({ item }) => isStep(item)), burst: children.filter(({ item }) => !isStep(item)) };
}

/** A cause as it is drawn: the step, the request that led to it, and the effects of both. */
export interface Node {
  readonly head: Item;
  /** The request that led to the step, if there was one. */
  readonly request: Item | null;
  readonly burst: readonly Branch[];
  readonly steps: readonly Branch[];
}

/** A request is shown with the first step that it led to, or alone if there was none. */
export function nodeOf(branch: Branch): Node {
  const own = partsOf(branch);
  const [first, ...others] = own.steps;
  if (branch.item.kind !== "request" || first === undefined) return { head: branch.item, request: null, ...own };
  const inner = partsOf(first);
  return {
    head: first.item,
    request: branch.item,
    burst: [...inner.burst, ...own.burst],
    steps: [...inner.steps, ...others],
  };
}
