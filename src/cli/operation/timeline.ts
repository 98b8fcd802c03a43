import { pick } from "../../kernel/pick.js";
import type { Io } from "../terminal/io.js";
import { type Palette, palette, timeText } from "../terminal/output.js";
import { joined, jsonText, type Showable, say, type TerminalText, visible } from "../terminal/terminal-text.js";
import { lineBreaks } from "../terminal/wrap.js";
import type { GlobalFlags } from "../tree/flags.js";
import type { ReadLimits } from "./wait.js";

/** Draws the timeline of an object as a tree: each item stands below the item that it came from. */

interface Item {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly text: string;
  readonly cause: string;
  readonly parent: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Due {
  readonly at: string;
  readonly text: string;
}

interface Timeline {
  readonly subject: string;
  readonly now: string;
  readonly frozen: boolean;
  readonly items: readonly Item[];
  readonly due: readonly Due[];
}

const POLL_MS = 500;
/** The narrowest room for a text. On a narrower terminal, lines are longer than the terminal is wide. */
const LEAST_ROOM = 24;

interface Node {
  readonly item: Item;
  readonly parent: Item | null;
  readonly children: readonly Node[];
}

/** The items as trees. An item whose parent is not in the list is the root of a tree. */
function treesOf(items: readonly Item[]): Node[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const children = new Map<string | null, Item[]>();
  for (const item of items) {
    const parent = item.parent !== null && byId.has(item.parent) ? item.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), item]);
  }
  const nodeOf =
    (parent: Item | null) =>
    (item: Item): Node => ({
      item,
      parent,
      children: (children.get(item.id) ?? []).map(nodeOf(item)).map(folded),
    });
  return (children.get(null) ?? []).map(nodeOf(null)).map(folded);
}

/** Joins an event with its only delivery, and a delivery with its only attempt when that arrived, into one line. */
function folded(node: Node): Node {
  const [only, ...more] = node.children;
  if (only === undefined || more.length > 0) return node;
  const { item } = only;
  if (node.item.kind === "event" && item.kind === "delivery") return { ...only, parent: node.parent };
  if (node.item.kind !== "delivery" || item.kind !== "attempt" || !node.item.text.endsWith("DELIVERED")) return node;
  const arrived = item.text.replace(/^attempt 1: /, "");
  return { ...node, item: { ...node.item, text: `${node.item.text}, ${arrived}` }, children: [] };
}

/** The colour of a line: it shows the outcome of a request, a delivery or an attempt. */
function styleOf({ kind, text, data }: Item, paint: Palette): (text: Showable) => TerminalText {
  const status = kind === "attempt" ? pick(data, "response.status") : data.status;
  const isSuccess = typeof status === "number" && status > 0 && status < (kind === "attempt" ? 300 : 400);
  if (kind === "transition" || kind === "refund" || kind === "payout" || kind === "med_case") return paint.strong;
  if (kind === "attempt" || (kind === "request" && status !== undefined)) return isSuccess ? paint.good : paint.bad;
  if (kind === "delivery") {
    if (/: (FAILED|CANCELLED)/.test(text)) return paint.bad;
    return /: DELIVERED/.test(text) ? paint.good : paint.wait;
  }
  return kind === "clock" ? paint.wait : visible;
}

interface Drawing {
  readonly paint: Palette;
  readonly utc: boolean;
  /** The width of the terminal in columns; infinite when the output is no screen. */
  readonly width: number;
}

/** The cause of an item. Null when the lines above already show it. */
function causeOf({ item, parent }: Node): string | null {
  if (parent === null) return item.cause;
  const isKnown = parent.kind === "request" || item.kind === "attempt" || item.cause === parent.cause;
  return isKnown ? null : item.cause;
}

/** The lines of one item: when it happened, the branches of the tree, the text and its cause. */
function itemLines(node: Node, branch: string, below: string, drawing: Drawing): TerminalText[] {
  const { paint, utc, width } = drawing;
  const { item } = node;
  // The year is left out.
  const time = timeText(item.at, utc).slice(5);
  const cause = causeOf(node);
  const text = String(visible(cause === null ? item.text : `${item.text} — ${cause}`));
  const style = styleOf(item, paint);
  const room = Math.max(LEAST_ROOM, width - time.length - 2 - Math.max(branch.length, below.length));
  return lineBreaks(text, room).map((line, index) => {
    const [left, tree] = index === 0 ? [time, branch] : [" ".repeat(time.length), below];
    return say`${paint.dim(left)}  ${paint.dim(tree)}${style(line)}`;
  });
}

type Place = "root" | "middle" | "last";

const BRANCH: Readonly<Record<Place, readonly [first: string, next: string]>> = {
  root: ["", ""],
  middle: ["├ ", "│ "],
  last: ["└ ", "  "],
};

/** Draws a tree. `lead` stands in front of its branch. */
function treeLines(node: Node, lead: string, place: Place, drawing: Drawing): TerminalText[] {
  const [first, next] = BRANCH[place];
  const last = node.children.length - 1;
  const below = `${lead}${next}`;
  return [
    ...itemLines(node, lead + first, last < 0 ? `${below}  ` : `${below}│ `, drawing),
    ...node.children.flatMap((child, index) => treeLines(child, below, index === last ? "last" : "middle", drawing)),
  ];
}

async function drawingOf(io: Io, flags: GlobalFlags): Promise<Drawing> {
  const paint = await palette(io, flags.color !== false);
  const width = io.isScreen && io.columns > 0 ? io.columns : Number.POSITIVE_INFINITY;
  return { paint, utc: flags.utc === true, width };
}

/** The line for the current time, and below it the work that is due later. */
function nowLines({ now, frozen, due }: Timeline, drawing: Drawing): TerminalText[] {
  const { paint, utc, width } = drawing;
  const state = frozen ? ", the clock stands still" : "";
  const lines = [paint.dim(`── now ${timeText(now, utc)}${state} ──`)];
  for (const { at, text } of due) {
    const time = timeText(at, utc).slice(5);
    const room = Math.max(LEAST_ROOM, width - time.length - 2);
    lineBreaks(String(visible(text)), room).forEach((line, index) => {
      lines.push(say`${paint.dim(index === 0 ? time : " ".repeat(time.length))}  ${line}`);
    });
  }
  return lines;
}

/** Prints a timeline with what is due below it. */
export async function printTimeline(io: Io, answer: unknown, flags: GlobalFlags): Promise<void> {
  const timeline = answer as Timeline;
  const drawing = await drawingOf(io, flags);
  const lines = treesOf(timeline.items).flatMap((root) => treeLines(root, "", "root", drawing));
  io.out(say`${joined([...lines, ...nowLines(timeline, drawing)], "\n")}\n`);
}

/**
 * Prints a timeline, and then each new item, until Ctrl-C. With `--json` every item is one line.
 *
 * @throws Failure of the first read; a later read that fails is repeated.
 */
export async function followTimeline(
  io: Io,
  read: (limits: ReadLimits) => Promise<string>,
  flags: GlobalFlags,
): Promise<void> {
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const drawing = await drawingOf(io, flags);
  const seen = new Set<string>();
  let timeline = JSON.parse(await read({ signal: stop.signal })) as Timeline;
  for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
    const fresh = timeline.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (flags.json) for (const item of fresh) io.out(jsonText(item));
    else if (isFirst || fresh.length > 0) {
      const lines = treesOf(fresh).flatMap((root) => treeLines(root, "", "root", drawing));
      io.out(say`${joined(lines, "\n")}\n`);
    }
    await io.pause(POLL_MS, stop.signal);
    if (stop.signal.aborted) return;
    const next = await read({ signal: stop.signal }).catch(() => null);
    if (next !== null) timeline = JSON.parse(next) as Timeline;
  }
}
