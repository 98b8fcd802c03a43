import type { OperationAnswer } from "../../../../api/client/types.js";
import { jsonIn } from "../../../../base/kernel/json.js";
import { fill } from "../../../../base/kernel/message.js";
import { pick } from "../../../../base/kernel/pick.js";
import { type Branch, treesOf } from "../../../../service/features/timeline/tree.js";
import { type OperationCall, type OwnPart, showAnswer } from "../../operation/show.js";
import { type Palette, palette, timeText, withTimesHere, zonedTime } from "../../terminal/output.js";
import { joinTexts, jsonText, type Showable, say, type TerminalText, visible } from "../../terminal/terminal-text.js";
import { lineBreaks } from "../../terminal/wrap.js";

/** Draws the timeline of an object as a tree: each item stands below the item that it came from. */

type Timeline = OperationAnswer<"sandbox.timeline">;
type Item = Timeline["items"][number];

function isTimeline(value: unknown): value is Timeline {
  return Array.isArray(pick(value, "items")) && Array.isArray(pick(value, "due"));
}

function timelineIn(text: string): Timeline {
  const value = jsonIn(text);
  if (!isTimeline(value)) throw new TypeError("the answer is no timeline");
  return value;
}

const POLL_MS = 500;
/** The narrowest room for a text. On a narrower terminal, lines are longer than the terminal is wide. */
const LEAST_ROOM = 24;

type Node = Branch<Item>;

/** How the only attempt of a delivery arrived, behind the text of the delivery. */
const ARRIVED = "{status} in {ms} ms[, chaos: {chaos:list}]";

/** Joins an event with its only delivery, and a delivery with its only attempt when that arrived, into one line. */
function foldNode({ item: own, parent, children }: Node): Node {
  const node = { item: own, parent, children: children.map(foldNode) };
  const [only, ...more] = node.children;
  if (only === undefined || more.length > 0) return node;
  const { item } = only;
  if (node.item.kind === "event" && item.kind === "delivery") return { ...only, parent: node.parent };
  if (node.item.kind !== "delivery" || item.kind !== "attempt" || node.item.data.status !== "DELIVERED") return node;
  const text = `${own.text}, ${fill(ARRIVED, item.params)}`;
  return { item: { ...own, text }, parent, children: [] };
}

/** The colour of a line: it marks the moves of objects, and shows the outcome of a request, a delivery or an attempt. */
function styleOf({ kind, data }: Item, paint: Palette): (text: Showable) => TerminalText {
  const status = kind === "attempt" ? pick(data, "response.status") : data.status;
  const isSuccess = typeof status === "number" && status > 0 && status < (kind === "attempt" ? 300 : 400);
  if (data.move !== undefined) return kind === "clock" ? paint.wait : paint.strong;
  if (kind === "attempt" || (kind === "request" && status !== undefined)) return isSuccess ? paint.good : paint.bad;
  if (kind === "delivery") {
    if (data.status === "FAILED" || data.status === "CANCELLED") return paint.bad;
    return data.status === "DELIVERED" ? paint.good : paint.wait;
  }
  return visible;
}

interface Drawing {
  readonly paint: Palette;
  readonly utc: boolean;
  /** In columns; infinite when the output is no screen. */
  readonly width: number;
}

async function drawingOf({ io, flags }: OperationCall): Promise<Drawing> {
  const paint = await palette(io, flags.color !== false);
  const width = io.isScreen && io.columns > 0 ? io.columns : Number.POSITIVE_INFINITY;
  return { paint, utc: flags.utc === true, width };
}

/** The cause of an item. Null when the lines above already show it. */
function causeOf({ item, parent }: Node): string | null {
  if (parent === null) return item.cause;
  const isKnown = parent.kind === "request" || item.kind === "attempt" || item.cause === parent.cause;
  return isKnown ? null : item.cause;
}

/** A time without its year, which stands at the beginning or behind the month. */
const timeWithoutYear = (at: string, utc: boolean) => timeText(at, utc).replace(/^\d{4}-|\/\d{4}(?= )/, "");

/** The lines of one item: when it happened, the branches of the tree, the text and its cause. */
function itemLines(node: Node, branch: string, below: string, drawing: Drawing): TerminalText[] {
  const { paint, utc, width } = drawing;
  const { item } = node;
  const time = timeWithoutYear(item.at, utc);
  const cause = causeOf(node);
  const reported = withTimesHere(item.text, utc);
  const text = String(visible(cause === null ? reported : `${reported} — ${cause}`));
  const style = styleOf(item, paint);
  const room = Math.max(LEAST_ROOM, width - time.length - 2 - Math.max(branch.length, below.length));
  return lineBreaks(text, room, true).map((line, index) => {
    const [left, tree] = index === 0 ? [time, branch] : [" ".repeat(time.length), below];
    return say`${paint.dim(left)}  ${paint.dim(tree)}${style(line)}`;
  });
}

type BranchPosition = "root" | "middle" | "last";

const BRANCH: Readonly<Record<BranchPosition, readonly [first: string, next: string]>> = {
  root: ["", ""],
  middle: ["├ ", "│ "],
  last: ["└ ", "  "],
};

/** Draws a tree. `lead` stands in front of its branch. */
function treeLines(node: Node, lead: string, place: BranchPosition, drawing: Drawing): TerminalText[] {
  const [first, next] = BRANCH[place];
  const last = node.children.length - 1;
  const below = `${lead}${next}`;
  return [
    ...itemLines(node, lead + first, last < 0 ? `${below}  ` : `${below}│ `, drawing),
    ...node.children.flatMap((child, index) => treeLines(child, below, index === last ? "last" : "middle", drawing)),
  ];
}

/** The line for the current time, and below it the work that is due later. */
function nowLines({ now, frozen, due }: Timeline, drawing: Drawing): TerminalText[] {
  const { paint, utc, width } = drawing;
  const state = frozen ? ", the clock stands still" : "";
  const lines = [paint.dim(`── now ${zonedTime(now, utc)}${state} ──`)];
  for (const { at, text } of due) {
    const time = timeWithoutYear(at, utc);
    const room = Math.max(LEAST_ROOM, width - time.length - 2);
    lineBreaks(String(visible(withTimesHere(text, utc))), room, true).forEach((line, index) => {
      lines.push(say`${paint.dim(index === 0 ? time : " ".repeat(time.length))}  ${line}`);
    });
  }
  return lines;
}

function linesOf(items: readonly Item[], drawing: Drawing): TerminalText[] {
  return treesOf(items).flatMap((root) => treeLines(foldNode(root), "", "root", drawing));
}

/** Draws all items, the current time, and what is due later. */
export function drawTimeline(timeline: Timeline, drawing: Drawing): TerminalText {
  return say`${joinTexts([...linesOf(timeline.items, drawing), ...nowLines(timeline, drawing)], "\n")}\n`;
}

/** Prints the items, and then each new one, until Ctrl-C. With `--json` every item is one line. */
async function follow(call: OperationCall, first: Timeline, drawing: Drawing): Promise<void> {
  const { io, flags } = call;
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  const seen = new Set<string>();
  let timeline = first;
  for (let isFirst = true; !stop.signal.aborted; isFirst = false) {
    const fresh = timeline.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    if (flags.json) for (const item of fresh) io.out(jsonText(item));
    else if (isFirst || fresh.length > 0) io.out(say`${joinTexts(linesOf(fresh, drawing), "\n")}\n`);
    await io.pause(POLL_MS, stop.signal);
    if (stop.signal.aborted) return;
    // A read that fails is repeated.
    const next = await call.send({ signal: stop.signal }).catch(() => null);
    if (next !== null) timeline = timelineIn(next);
  }
}

const FLAGS = { "--follow": "continue with new events, until Ctrl-C" } as const;

export const own: OwnPart<typeof FLAGS> = {
  flags: FLAGS,
  async show(call, text, { follow: goesOn }) {
    const { io, flags } = call;
    const timeline = timelineIn(text);
    const drawing = await drawingOf(call);
    if (goesOn) return follow(call, timeline, drawing);
    if (flags.json) return showAnswer(call, text);
    io.out(drawTimeline(timeline, drawing));
  },
};
