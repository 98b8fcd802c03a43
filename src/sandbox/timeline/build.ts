import type { HistoryRow } from "../../features/history/store.js";
import { toLoggedAttempt } from "../../features/webhooks/wire.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { iso } from "../../kernel/time.js";
import type { Story } from "./story.js";
import { causeText, clientText, entriesText, isItem, textOf } from "./words.js";

/** One thing in a timeline. */
export interface TimelineItem {
  readonly id: string;
  readonly at: string;
  readonly kind: ItemKind;
  /** A sentence without a full stop. */
  readonly text: string;
  /** The request, due work, page or command behind it. */
  readonly cause: string;
  /** The item that caused this one; null for a request, a change of the clock, and a cause outside of the story. */
  readonly parent: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export const ITEM_KINDS = [
  "request",
  "transition",
  "journal",
  "event",
  "delivery",
  "attempt",
  "refund",
  "payout",
  "med_case",
  "email",
  "clock",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The order of the items of one row of the history: first its cause, last the items before the next row. */
const RANK = { request: -1, move: 0, journal: 1, event: 2, delivery: 3, email: 4, attempt: 5, aside: 6 } as const;

/** The place of an item: the row of the history, the rank, and the order among equals. */
type Place = readonly [seq: number, rank: number, order: number];

interface Placed {
  readonly place: Place;
  readonly item: TimelineItem;
}

const requestId = (number: number) => `request-${number}`;
const moveId = (seq: number) => `move-${seq}`;
const attemptId = (delivery: string, number: number) => `${delivery}#${number}`;

const KIND_OF = {
  transaction: "transition",
  refund: "refund",
  payout: "payout",
  med_case: "med_case",
  delivery: "delivery",
  clock: "clock",
} as const satisfies Record<HistoryRow["noun"], ItemKind>;

function jsonOf(text: string | null): Readonly<Record<string, unknown>> {
  return text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/**
 * Makes the timeline of a story: what happened, oldest first, each item with its cause and the item that it came from.
 */
export function buildTimeline(story: Story): TimelineItem[] {
  const rows = new Map(story.history.map((row) => [row.seq, row]));
  const placed = [
    ...requestItems(story),
    ...moveItems(story, rows),
    ...journalItems(story, rows),
    ...eventItems(story, rows),
    ...deliveryItems(story, rows),
    ...emailItems(story, rows),
  ];
  return placed.sort(byPlace).map(({ item }) => item);
}

function byPlace({ place: one }: Placed, { place: other }: Placed): number {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

type Rows = ReadonlyMap<number, HistoryRow>;

/** The item that shows a row of the history: the row itself, or else what it came from. */
function itemOf(seq: number, rows: Rows): string | null {
  const row = rows.get(seq);
  if (row === undefined) return null;
  return isItem(row) ? moveId(seq) : parentOf(row, rows);
}

function parentOf({ request, parent }: HistoryRow, rows: Rows): string | null {
  if (request !== null) return requestId(request);
  return parent === null ? null : itemOf(parent, rows);
}

/** The requests behind rows of the history, known to the log or not, and the logged ones that changed nothing. */
function requestItems({ history, requests }: Story): Placed[] {
  const logged = new Map(requests.map((one) => [one.shown.number, one]));
  const first = new Map<number, HistoryRow>();
  for (const row of history) if (row.request !== null && !first.has(row.request)) first.set(row.request, row);
  const behind = [...first].map(([number, row]): Placed => {
    const shown = logged.get(number)?.shown;
    const [, ...route] = row.cause.split(" ");
    const item = {
      ...{ id: requestId(number), at: iso(row.at), kind: "request" as const, parent: null },
      text: shown === undefined ? route.join(" ") : requestText(shown),
      cause: row.command === null ? clientOf(shown) : clientText(row.command),
      data: shown === undefined ? { number, logged: false } : requestData(shown),
    };
    return { place: [row.seq, RANK.request, number], item };
  });
  const aside = requests
    .filter(({ shown }) => !first.has(shown.number))
    .map(({ shown, historySeq }): Placed => {
      const { number, at } = shown;
      const about = { id: requestId(number), at, kind: "request" as const, parent: null };
      const item = { ...about, text: requestText(shown), cause: clientOf(shown), data: requestData(shown) };
      return { place: [historySeq, RANK.aside, number], item };
    });
  return [...behind, ...aside];
}

type Shown = Story["requests"][number]["shown"];

/** The program or the person behind a request, as far as the log knows it. */
function clientOf(shown: Shown | undefined): string {
  return shown?.caller?.replace(/^command: /, "command ") ?? "a client";
}

function requestText({ method, path, status, idempotency, error }: Shown): string {
  const outcome = status === 0 ? "the answer was cut off" : String(status);
  const why = error === null ? "" : ` ${error.code}`;
  const again = idempotency === "replayed" ? ", the first answer again" : "";
  return `${method} ${path} → ${outcome}${why}${again}`;
}

function requestData({ request_body: _sent, response_body: _answered, ...about }: Shown): TimelineItem["data"] {
  return { ...about, logged: true };
}

function moveItems(story: Story, rows: Rows): Placed[] {
  const shown = [...story.history.filter(isItem), ...story.clock];
  return shown.map((row): Placed => {
    const { seq, noun, move, from_status: from, to_status: to } = row;
    const item = {
      ...{ id: moveId(seq), at: iso(row.at), kind: KIND_OF[noun] },
      text: textOf(row, story),
      cause: causeText(row),
      parent: noun === "clock" ? null : parentOf(row, rows),
      data: noun === "clock" ? { move, ...jsonOf(row.data) } : { move, from, to, ...jsonOf(row.data) },
    };
    return { place: [seq, RANK.move, 0], item };
  });
}

/** The cause and the parent of every item that a row of the history caused. */
function causedBy(seq: number, rows: Rows): Pick<TimelineItem, "cause" | "parent"> {
  const row = rows.get(seq);
  return { cause: row === undefined ? "the service itself" : causeText(row), parent: itemOf(seq, rows) };
}

function journalItems({ journals }: Story, rows: Rows): Placed[] {
  return journals.map(({ id, kind, created_at, history_seq, entries }): Placed => {
    const moved = entries.map(({ currency, bucket, amount }) => ({ currency, bucket, amount }));
    const about = { id: `journal-${id}`, at: iso(created_at), kind: "journal" as const };
    const text = `money (${kind.replaceAll("_", " ")}): ${entriesText(moved)}`;
    const item = { ...about, text, ...causedBy(history_seq, rows), data: { kind, entries: moved } };
    return { place: [history_seq, RANK.journal, id], item };
  });
}

function eventItems({ events }: Story, rows: Rows): Placed[] {
  return events.map(({ seq, id, type, data, created_at, history_seq }): Placed => {
    const about = { id: ID_PREFIX.event + id, at: iso(created_at), kind: "event" as const };
    const item = { ...about, text: type, ...causedBy(history_seq, rows), data: { type, object: jsonOf(data) } };
    return { place: [history_seq, RANK.event, seq], item };
  });
}

function isAnswered(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The most characters of an answer in the text of an attempt. The data of the item has the whole stored answer. */
const SHOWN_ANSWER = 100;

function start(text: string): string {
  return text.length > SHOWN_ANSWER ? `${text.slice(0, SHOWN_ANSWER)}…` : text;
}

function deliveryItems({ deliveries, events }: Story, rows: Rows): Placed[] {
  const causes = new Map(events.map(({ seq, history_seq }) => [seq, history_seq]));
  return deliveries.flatMap((delivery): Placed[] => {
    const { seq, type, url, status, attempts, event_seq, event_id, next_attempt_at, attempts_log } = delivery;
    const id = ID_PREFIX.delivery + delivery.id;
    const caused = delivery.history_seq ?? causes.get(event_seq) ?? 0;
    const { cause, parent } = causedBy(caused, rows);
    const word = delivery.history_seq === null ? "" : ", again";
    const item: TimelineItem = {
      ...{ id, at: iso(delivery.created_at), kind: "delivery", cause },
      text: `${type} to ${url}${word}: ${status}`,
      parent: delivery.history_seq === null ? ID_PREFIX.event + event_id : parent,
      data: {
        ...{ type, url, status, attempts, event: ID_PREFIX.event + event_id },
        next_attempt_at: next_attempt_at === null ? null : iso(next_attempt_at),
      },
    };
    const tries = attempts_log.map((row, index): Placed => {
      const logged = toLoggedAttempt(delivery, row);
      const { status_code, error, duration_ms } = row;
      const outcome = status_code === null ? (error ?? "no answer") : String(status_code);
      const answer = isAnswered(status_code) || !logged.response?.body ? "" : `: ${start(logged.response.body)}`;
      const chaos = logged.chaos.length === 0 ? "" : `, chaos: ${logged.chaos.join(", ")}`;
      const tried: TimelineItem = {
        ...{ id: attemptId(id, row.attempt), at: iso(row.attempted_at), kind: "attempt", parent: id },
        text: `attempt ${row.attempt}: ${outcome} in ${duration_ms} ms${answer}${chaos}`,
        ...{ cause: "due work delivery.attempt", data: logged },
      };
      return { place: [row.history_seq, RANK.attempt, row.seq ?? index], item: tried };
    });
    return [{ place: [caused, RANK.delivery, seq], item }, ...tries];
  });
}

function emailItems({ emails }: Story, rows: Rows): Placed[] {
  return emails.map(({ seq, id, kind, recipient, subject, created_at, history_seq }): Placed => {
    const about = { id: ID_PREFIX.email + id, at: iso(created_at), kind: "email" as const };
    const text = `e-mail to ${recipient}: ${subject}`;
    const item = { ...about, text, ...causedBy(history_seq, rows), data: { kind, to: recipient, subject } };
    return { place: [history_seq, RANK.email, seq], item };
  });
}
