import type { OperationAnswer } from "../../../client/types.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { isJsonObject } from "../../../kernel/json.js";
import type { Row, Rows } from "./file.js";

/** Events and deliveries as `/v1` shows them, in the rows that an emulator would have. */

/** What a host of any version answers has these types at best. Every value is checked when the rows are made into a database. */
export type Delivery = OperationAnswer<"webhooks.deliveries">["data"][number];
type Endpoint = OperationAnswer<"webhooks.endpoints.list">["data"][number];

/** Something that happened, as a row of the history and as a sentence. */
export interface Change {
  readonly noun: string;
  readonly subject: string;
  readonly move: string;
  readonly to: string | null;
  readonly at: number;
  readonly text: string;
}

const SERVICE = "service";
/** Where the address of an endpoint is not shown: no such host can be. */
const NOWHERE = "https://not-shown.invalid/";

/** The milliseconds of an instant in an answer; null for none. */
export const instant = (text: string | null | undefined): number | null => (text ? Date.parse(text) : null);

function historyRow({ noun, subject, move, to, at }: Change, place: number): Row {
  return {
    ...{ seq: place + 1, book_id: 1, noun, subject, move, from_status: null, to_status: to, data: null },
    ...{ cause: SERVICE, request: null, command: null, parent: null, trace: null, at },
  };
}

function endpointRow(id: string, one: Endpoint | undefined, place: number, created: number): Row {
  const events = Array.isArray(one?.events) ? `,${one.events.join()},` : ",";
  return {
    ...{ seq: place + 1, id, book_id: 1, url: one?.url ?? NOWHERE, events, secret: "0".repeat(64), status: "INACTIVE" },
    ...{ origin: "api", private: 0, deleted_at: null },
    ...{ created_at: instant(one?.createdAt) ?? created, updated_at: instant(one?.updatedAt) ?? created },
  };
}

/** The UUID, the bytes and the instant of the event that a delivery carries. A legacy body does not name its event. */
function eventIn({ id, payload, createdAt }: Delivery, raw: string) {
  const data = isJsonObject(payload.data) ? payload.data : {};
  const isCanonical = "object" in data && payload.object === "event";
  const object = isCanonical && isJsonObject(data.object) ? data.object : data;
  return {
    id: (isCanonical ? rawId(String(payload.id), ID_PREFIX.event) : rawId(id, ID_PREFIX.delivery)) ?? "",
    subject: (isCanonical && rawId(String(object.id ?? ""), ID_PREFIX.medCase)) || raw,
    data: JSON.stringify(object),
    created_at: instant(isCanonical ? String(payload.created_at) : createdAt) ?? 0,
  };
}

/** An attempt for each that was counted. Only the first and the last have an instant; the others stand between them. */
function attemptRows(one: Delivery, deliverySeq: number, url: string, first: number): Row[] {
  const begin = instant(one.createdAt) ?? 0;
  const end = instant(one.deliveredAt ?? one.updatedAt) ?? begin;
  const count: number = Math.min(Number(one.attempts) || 0, 1_000);
  return Array.from({ length: count }, (_none, place): Row => {
    const isLast = place === count - 1;
    const at = isLast && count > 1 ? end : Math.round(begin + ((end - begin) * place) / Math.max(1, count - 1));
    const status: number | null = isLast ? one.lastStatusCode : null;
    const error: string | null = isLast ? one.lastError : "the answer is not shown";
    return {
      ...{
        seq: first + place,
        delivery_seq: deliverySeq,
        attempt: place + 1,
        url,
        signature: "",
        user_agent: "qa-pay",
      },
      ...{ sent_at: at, chaos: null, status_code: status, headers: status === null ? null : "{}" },
      body: status === null ? null : (one.lastResponseBody ?? ""),
      ...{ error, duration_ms: 0, history_seq: 1, attempted_at: at },
    };
  });
}

function deliveryRow(one: Delivery, seq: number, eventSeq: number, endpointSeq: number): Row {
  return {
    ...{ seq, id: rawId(one.id, ID_PREFIX.delivery) ?? "", book_id: 1, event_seq: eventSeq, endpoint_seq: endpointSeq },
    ...{ target_url: null, status: one.status, attempts: one.attempts, max_attempts: one.maxAttempts, parked: 0 },
    ...{ next_attempt_at: instant(one.nextRetryAt), last_status_code: one.lastStatusCode, last_error: one.lastError },
    ...{ last_response_body: one.lastResponseBody ?? null, delivered_at: instant(one.deliveredAt), history_seq: null },
    ...{ created_at: instant(one.createdAt), updated_at: instant(one.updatedAt) },
  };
}

/** `deliveries` are oldest first, and so are the changes, of which there is at least one. */
export function webhookRows(
  raw: string,
  endpoints: readonly Endpoint[],
  deliveries: readonly Delivery[],
  changes: readonly Change[],
  created: number,
): { readonly rows: Rows; readonly changes: readonly Change[] } {
  const events = new Map<string, Row>();
  const used = new Map<string, Row>();
  const rows: { deliveries: Row[]; attempts: Row[] } = { deliveries: [], attempts: [] };
  for (const one of deliveries) {
    const { id, ...about } = eventIn(one, raw);
    // The newest change before the event is what it reports, as far as that is shown.
    const before = changes.filter(({ at }) => at <= about.created_at).length;
    const event = events.get(id) ?? {
      ...{ seq: events.size + 1, id, book_id: 1, type: one.eventType, ...about, history_seq: Math.max(1, before) },
    };
    events.set(id, event);
    const named = rawId(one.endpointId ?? "", ID_PREFIX.endpoint) ?? raw;
    const known = endpoints.find((endpoint) => endpoint.id === ID_PREFIX.endpoint + named);
    const endpoint = used.get(named) ?? endpointRow(named, known, used.size, created);
    used.set(named, endpoint);
    const seq = rows.deliveries.length + 1;
    rows.deliveries.push(deliveryRow(one, seq, Number(event.seq), Number(endpoint.seq)));
    rows.attempts.push(...attemptRows(one, seq, String(endpoint.url), rows.attempts.length + 1));
  }
  const told = rows.deliveries.map(({ id, status, updated_at }, place): Change => {
    const text = `${deliveries[place]?.eventType}: delivery ${ID_PREFIX.delivery}${id} is ${status}`;
    return { noun: "delivery", subject: String(id), move: "told", to: null, at: Number(updated_at), text };
  });
  return {
    rows: {
      history: changes.map(historyRow),
      ...{ events: [...events.values()], endpoints: [...used.values()] },
      ...{ deliveries: rows.deliveries, delivery_attempts: rows.attempts },
    },
    changes: told,
  };
}
