import * as z from "zod";
import { isSuccess } from "../../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { parseObject } from "../../../base/kernel/json.js";
import { type Message, textOf } from "../../../base/kernel/message.js";
import { namesOf } from "../../../base/kernel/names.js";
import { IsoInstant, TextParams } from "../../../base/kernel/schemas.js";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import type { HistoryRow } from "../history/store.js";
import type { LoggedRequest } from "../requests/logged-request.js";
import { CAUSE_TEXTS, type CauseCode, ITEM_TEXTS, type ItemCode } from "../service-texts.js";
import { TIMELINE_PARTS } from "../timeline-objects.js";
import { toLoggedAttempt } from "../webhooks/resource.js";
import { causeMessage, clientMessage, idElsewhere, isItem, kindOf, moveMessage, requestMessage } from "./messages.js";
import type { Objects, TimelineSources } from "./sources.js";

/** The kinds of items of every object, and those of the nouns. */
const ITEM_KINDS = [
  ...(["request", "journal", "event", "delivery", "attempt", "clock"] as const),
  ...TIMELINE_PARTS.map(({ kind }) => kind),
];

export const TimelineItem = z
  .object({
    id: z.string(),
    at: IsoInstant,
    kind: z.enum(ITEM_KINDS),
    code: z.enum(namesOf(ITEM_TEXTS)).describe("Which sentence the text is"),
    params: TextParams,
    text: z.string().describe("What happened, in words"),
    cause: z.string().describe("The request, due work, page or command behind it"),
    cause_code: z.enum(namesOf(CAUSE_TEXTS)).describe("What the cause is"),
    cause_params: TextParams,
    parent: z.string().nullable().describe("The id of the item that it came from"),
    // Null for the id of a request that has left the log; a change of the clock has no object.
    data: z
      .record(z.string(), z.unknown())
      .describe("Particulars; they differ by kind. `id` is the id of the object that the item is about"),
  })
  .meta({ id: "TimelineItem" });
export type TimelineItem = z.input<typeof TimelineItem>;

/** The order of the items of one row of the history: first its cause, last the items before the next row. */
const RANK = { request: -1, move: 0, journal: 1, event: 2, delivery: 3, noun: 4, attempt: 5, aside: 6 } as const;

/** The place of an item: the row of the history, the rank, and the order among equals. */
type ItemPlace = readonly [seq: number, rank: number, order: number];

interface Placed {
  readonly place: ItemPlace;
  readonly item: TimelineItem;
}

const requestId = (number: number) => `request-${number}`;
const moveId = (seq: number) => `move-${seq}`;
const attemptId = (delivery: string, number: number) => `${delivery}#${number}`;

function jsonOf(text: string | null): Readonly<Record<string, unknown>> {
  return text === null ? {} : parseObject(text);
}

/** The events, oldest first, each item with its cause and the item behind it. */
export function buildTimeline(sources: TimelineSources): TimelineItem[] {
  const rows = new Map(sources.history.map((row) => [row.seq, row]));
  const items = [
    ...requestItems(sources),
    ...moveItems(sources, rows),
    ...journalItems(sources, rows),
    ...eventItems(sources, rows),
    ...deliveryItems(sources, rows),
    ...nounItems(sources, rows),
  ];
  return items.sort(byPlace).map(({ item }) => item);
}

function byPlace({ place: one }: Placed, { place: other }: Placed): number {
  const index = one.findIndex((part, at) => part !== other[at]);
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

type Rows = ReadonlyMap<number, HistoryRow>;

/** The item that shows a row of the history: the row itself, or else its origin. */
function itemOf(seq: number, rows: Rows): string | null {
  const row = rows.get(seq);
  if (row === undefined) return null;
  return isItem(row) ? moveId(seq) : parentOf(row, rows);
}

function parentOf({ request, parent }: HistoryRow, rows: Rows): string | null {
  if (request !== null) return requestId(request);
  return parent === null ? null : itemOf(parent, rows);
}

type About = Pick<TimelineItem, "id" | "kind" | "parent" | "data"> & Message<ItemCode> & { readonly at: number };

/** An item with its place: its message and its cause with their texts. */
function toPlaced(
  place: ItemPlace,
  { id, at, kind, code, params, parent, data }: About,
  cause: Message<CauseCode>,
): Placed {
  const text = textOf(ITEM_TEXTS, { code, params });
  const causeTexts = { cause: textOf(CAUSE_TEXTS, cause), cause_code: cause.code, cause_params: cause.params };
  return { place, item: { id, at: iso(at), kind, code, params, text, ...causeTexts, parent, data } };
}

/** The requests behind rows of the history, known to the log or not, and the logged ones that changed nothing. */
function requestItems({ history, requests }: TimelineSources): Placed[] {
  const logged = new Map(requests.map((one) => [one.logged.number, one]));
  const first = new Map<number, HistoryRow>();
  for (const row of history) if (row.request !== null && !first.has(row.request)) first.set(row.request, row);
  const behind = [...first].map(([number, row]): Placed => {
    const request = logged.get(number)?.logged;
    const [, ...route] = row.cause.split(" ");
    const data = request === undefined ? { id: null, number, logged: false } : requestData(request);
    const message: Message<ItemCode> =
      request === undefined
        ? { code: "request.not_logged", params: { route: route.join(" ") } }
        : requestMessage(request);
    const about = { id: requestId(number), at: row.at, kind: "request", parent: null, data, ...message } as const;
    return toPlaced([row.seq, RANK.request, number], about, clientMessage(request, row.command));
  });
  const aside = requests
    .filter(({ logged }) => !first.has(logged.number))
    .map(({ logged, historySeq }): Placed => {
      const about = { id: requestId(logged.number), at: Date.parse(logged.at), kind: "request", parent: null } as const;
      const item = { ...about, data: requestData(logged), ...requestMessage(logged) };
      return toPlaced([historySeq, RANK.aside, logged.number], item, clientMessage(logged, null));
    });
  return [...behind, ...aside];
}

function requestData({ request_body: _sent, response_body: _answered, ...about }: LoggedRequest): TimelineItem["data"] {
  return { ...about, logged: true };
}

/** The public id of the object in a row of the history; null for a change of the clock. */
function subjectOf(row: HistoryRow, objects: Objects): string | null {
  if (row.noun === "clock") return null;
  return objects.find(({ id }) => id === row.subject)?.publicIds[0] ?? idElsewhere(row);
}

function moveItems({ history, clock, objects }: TimelineSources, rows: Rows): Placed[] {
  return [...history, ...clock].flatMap((row): Placed[] => {
    const message = moveMessage(row, objects);
    if (message === null) return [];
    const { seq, noun, move, from_status: from, to_status: to } = row;
    const about = {
      ...message,
      id: moveId(seq),
      at: row.at,
      kind: kindOf(row),
      parent: noun === "clock" ? null : parentOf(row, rows),
      data:
        noun === "clock"
          ? { move, ...jsonOf(row.data) }
          : { id: subjectOf(row, objects), move, from, to, ...jsonOf(row.data) },
    };
    return [toPlaced([seq, RANK.move, 0], about, causeMessage(row))];
  });
}

function journalItems({ journals }: TimelineSources, rows: Rows): Placed[] {
  return journals.map(({ id, kind, created_at, history_seq, entries: posted }): Placed => {
    const entries = posted.map(({ currency, bucket, amount }) => ({ currency, bucket, amount }));
    const about = {
      id: `journal-${id}`,
      at: created_at,
      kind: "journal",
      code: `journal.${kind}`,
      params: { entries },
      parent: itemOf(history_seq, rows),
      data: { id: String(id), kind, entries },
    } as const;
    return toPlaced([history_seq, RANK.journal, id], about, causeMessage(rows.get(history_seq)));
  });
}

function eventItems({ events }: TimelineSources, rows: Rows): Placed[] {
  return events.map((event): Placed => {
    const { seq, type, history_seq } = event;
    const id = ID_PREFIX.event + event.id;
    const about = {
      ...({ id, at: event.created_at, kind: "event", code: "event", params: { type } } as const),
      parent: itemOf(history_seq, rows),
      data: { id, type, object: jsonOf(event.data) },
    };
    return toPlaced([history_seq, RANK.event, seq], about, causeMessage(rows.get(history_seq)));
  });
}

/** The maximum of characters of an answer in the text of an attempt. The item's data has the whole answer. */
const SHOWN_ANSWER = 100;

function start(text: string): string {
  return text.length > SHOWN_ANSWER ? `${text.slice(0, SHOWN_ANSWER)}…` : text;
}

function deliveryItems({ deliveries, events }: TimelineSources, rows: Rows): Placed[] {
  const causes = new Map(events.map(({ seq, history_seq }) => [seq, history_seq]));
  return deliveries.flatMap((delivery): Placed[] => {
    const { seq, type, url, status, attempts, next_attempt_at, history_seq } = delivery;
    const id = ID_PREFIX.delivery + delivery.id;
    const event = ID_PREFIX.event + delivery.event_id;
    const caused = history_seq ?? causes.get(delivery.event_seq) ?? 0;
    const about = {
      id,
      at: delivery.created_at,
      kind: "delivery",
      code: history_seq === null ? "delivery.first" : "delivery.again",
      params: { type, url, status },
      parent: history_seq === null ? event : itemOf(caused, rows),
      data: { id, type, url, status, attempts, event, next_attempt_at: isoOrNull(next_attempt_at) },
    } as const;
    return [toPlaced([caused, RANK.delivery, seq], about, causeMessage(rows.get(caused))), ...attemptItems(delivery)];
  });
}

function attemptItems(delivery: TimelineSources["deliveries"][number]): Placed[] {
  const id = ID_PREFIX.delivery + delivery.id;
  return delivery.attempts_log.map((row, index): Placed => {
    const logged = toLoggedAttempt(delivery, row);
    const params = { number: row.attempt, ms: row.duration_ms, chaos: logged.chaos };
    const { response, error } = logged;
    const message: Message<ItemCode> =
      response === null
        ? { code: "attempt.unanswered", params: { ...params, error: error ?? "no answer" } }
        : { code: "attempt.answered", params: { ...params, ...answerParams(response) } };
    const about = { id: attemptId(id, row.attempt), at: row.attempted_at, kind: "attempt", parent: id } as const;
    const cause = { code: "work", params: { kind: "delivery.attempt" } } as const;
    const place: ItemPlace = [row.history_seq, RANK.attempt, row.seq ?? index];
    return toPlaced(place, { ...about, data: { id, ...logged }, ...message }, cause);
  });
}

/** The status of an answer, and the beginning of its body when it is a refusal. */
function answerParams({ status, body }: { readonly status: number; readonly body: string }) {
  return isSuccess(status) ? { status } : { status, answer: start(body) };
}

function nounItems({ items }: TimelineSources, rows: Rows): Placed[] {
  return items.map(({ history, order, ...about }): Placed => {
    return toPlaced(
      [history, RANK.noun, order],
      { ...about, parent: itemOf(history, rows) },
      causeMessage(rows.get(history)),
    );
  });
}
