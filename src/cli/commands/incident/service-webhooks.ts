import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import type { Row, Rows } from "./file.js";
import type { Delivery, Endpoint } from "./shapes.js";

/** Events and deliveries as `/v1` shows them, in the rows that an emulator would have. */

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

function historyRow({ noun, subject, move, to, at }: Change, place: number): Row {
  return {
    ...{ seq: place + 1, book_id: 1, noun, subject, move, from_status: null, to_status: to, data: null },
    ...{ cause: SERVICE, request: null, command: null, parent: null, trace: null, at },
  };
}

function endpointRow(id: string, one: Endpoint | undefined, place: number, created: number): Row {
  const events = `,${(one?.events ?? []).map((name) => `${name},`).join("")}`;
  return {
    ...{ seq: place + 1, id, book_id: 1, url: one?.url ?? NOWHERE, events, secret: "0".repeat(64), status: "INACTIVE" },
    ...{ origin: "api", private: 0, deleted_at: null },
    ...{ created_at: one?.created ?? created, updated_at: one?.updated ?? one?.created ?? created },
  };
}

/** The columns of the event that a delivery carries. A legacy body does not name it: each delivery has one of its own then. */
function eventOf({ id, type, event }: Delivery, raw: string) {
  const subject = rawId(String(event.data.id ?? ""), ID_PREFIX.medCase) ?? raw;
  return { id: event.id ?? id, book_id: 1, type, subject, data: JSON.stringify(event.data), created_at: event.created };
}

/** An attempt for each that was counted. Only the first and the last have an instant; the others stand between them. */
function attemptRows(one: Delivery, deliverySeq: number, url: string, first: number): Row[] {
  const { attempts: count, created: begin, lastStatus, lastError, lastBody } = one;
  const end = Math.max(begin, one.delivered ?? one.updated);
  return Array.from({ length: count }, (_none, place): Row => {
    const isLast = place === count - 1;
    const at = isLast && count > 1 ? end : Math.round(begin + ((end - begin) * place) / Math.max(1, count - 1));
    const status = isLast ? lastStatus : null;
    return {
      ...{ seq: first + place, delivery_seq: deliverySeq, attempt: place + 1, url, signature: "" },
      ...{ user_agent: "qa-pay", sent_at: at, chaos: null, status_code: status },
      ...{ headers: status === null ? null : "{}", body: status === null ? null : (lastBody ?? "") },
      error: isLast ? lastError : "the answer is not shown",
      ...{ duration_ms: 0, history_seq: 1, attempted_at: at },
    };
  });
}

function deliveryRow(one: Delivery, seq: number, eventSeq: number, endpointSeq: number): Row {
  return {
    ...{ seq, id: one.id, book_id: 1, event_seq: eventSeq, endpoint_seq: endpointSeq, target_url: null },
    ...{ status: one.status, attempts: one.attempts, max_attempts: one.maxAttempts, parked: 0 },
    ...{ next_attempt_at: one.next, last_status_code: one.lastStatus, last_error: one.lastError },
    ...{ last_response_body: one.lastBody, delivered_at: one.delivered, history_seq: null },
    ...{ created_at: one.created, updated_at: one.updated },
  };
}

interface ChargeWebhooks {
  readonly endpoints: readonly Endpoint[];
  readonly deliveries: readonly Delivery[];
  readonly changes: readonly Change[];
  readonly created: number;
}

/** `deliveries` are oldest first, and so are the changes, of which there is at least one. */
export function webhookRows(
  raw: string,
  { endpoints, deliveries, changes, created }: ChargeWebhooks,
): { readonly rows: Rows; readonly changes: readonly Change[] } {
  const events = new Map<string, Row>();
  const used = new Map<string, Row>();
  const rows: { deliveries: Row[]; attempts: Row[] } = { deliveries: [], attempts: [] };
  for (const one of deliveries) {
    const told = eventOf(one, raw);
    // The newest change before the event is what it reports, as far as that is shown.
    const before = changes.filter(({ at }) => at <= told.created_at).length;
    const event = events.get(told.id) ?? { seq: events.size + 1, ...told, history_seq: Math.max(1, before) };
    events.set(told.id, event);
    const named = one.endpoint ?? raw;
    const known = endpoints.find(({ id }) => id === named);
    const endpoint = used.get(named) ?? endpointRow(named, known, used.size, created);
    used.set(named, endpoint);
    const seq = rows.deliveries.length + 1;
    rows.deliveries.push(deliveryRow(one, seq, Number(event.seq), Number(endpoint.seq)));
    rows.attempts.push(...attemptRows(one, seq, String(endpoint.url), rows.attempts.length + 1));
  }
  const told = rows.deliveries.map(({ id, status, updated_at }, place): Change => {
    const text = `${deliveries[place]?.type}: delivery ${ID_PREFIX.delivery}${id} is ${status}`;
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
