import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { HistoryRow } from "../../service/features/history/store.js";
import type { StoryRows } from "../../service/features/timeline/story.js";
import type { StoredAttempt } from "../../service/features/webhooks/attempt-store.js";
import type { DeliveryRow, EventRow } from "../../service/features/webhooks/store.js";
import { createHiddenEndpoint, type endpointIn, type ShownDelivery } from "./shapes.js";

/** Events and deliveries as `/v1` shows them, in the rows that an emulator would have. */

/** Something that happened, as a row of the history and as a sentence. */
export interface Change extends Pick<HistoryRow, "noun" | "subject" | "move" | "at"> {
  readonly to: string | null;
  readonly text: string;
}

const SERVICE = "service";

function historyRow({ noun, subject, move, to, at }: Change, place: number): HistoryRow {
  return {
    seq: place + 1,
    book_id: 1,
    noun,
    subject,
    move,
    from_status: null,
    to_status: to,
    data: null,
    cause: SERVICE,
    request: null,
    command: null,
    parent: null,
    trace: null,
    at,
  };
}

/** An attempt for each that was counted. Only the first and the last have an instant; the others stand between them. */
function attemptRows(one: DeliveryRow, url: string, first: number): StoredAttempt[] {
  const { attempts: count, created_at: begin, last_status_code: lastStatus } = one;
  const end = Math.max(begin, one.delivered_at ?? one.updated_at);
  return Array.from({ length: count }, (_none, place) => {
    const isLast = place === count - 1;
    const at = isLast && count > 1 ? end : Math.round(begin + ((end - begin) * place) / Math.max(1, count - 1));
    const status = isLast ? lastStatus : null;
    return {
      seq: first + place,
      delivery_seq: one.seq,
      attempt: place + 1,
      url,
      signature: "",
      user_agent: "qa-pay",
      sent_at: at,
      chaos: null,
      status_code: status,
      headers: status === null ? null : "{}",
      body: status === null ? null : (one.last_response_body ?? ""),
      error: isLast ? one.last_error : "the answer is not shown",
      duration_ms: 0,
      history_seq: 1,
      attempted_at: at,
    };
  });
}

type Endpoint = NonNullable<ReturnType<typeof endpointIn>>;

interface ChargeWebhooks {
  readonly endpoints: readonly Endpoint[];
  readonly shown: readonly ShownDelivery[];
  readonly changes: readonly Change[];
  readonly created: number;
}

/** Both lists are oldest first. There is at least one change. */
export function webhookRows(
  raw: string,
  { endpoints, shown, changes, created }: ChargeWebhooks,
): { readonly rows: StoryRows; readonly changes: readonly Change[] } {
  const events = new Map<string, EventRow>();
  const used = new Map<string, Endpoint>();
  const deliveries: DeliveryRow[] = [];
  const attempts: StoredAttempt[] = [];
  const reports: Change[] = [];
  for (const one of shown) {
    // An event reports the newest change before it, as far as the host shows that.
    const before = changes.filter(({ at }) => at <= one.event.created_at).length;
    const known = events.get(one.event.id);
    const event = known ?? { ...one.event, seq: events.size + 1, history_seq: Math.max(1, before) };
    events.set(event.id, event);
    const named = one.endpoint ?? raw;
    const shown = endpoints.find(({ id }) => id === named) ?? createHiddenEndpoint(named, created);
    const endpoint = used.get(named) ?? { ...shown, seq: used.size + 1 };
    used.set(named, endpoint);
    const places = { seq: deliveries.length + 1, event_seq: event.seq, endpoint_seq: endpoint.seq };
    const delivery = { ...one.delivery, ...places };
    deliveries.push(delivery);
    attempts.push(...attemptRows(delivery, endpoint.url, attempts.length + 1));
    const text = `${one.event.type}: delivery ${ID_PREFIX.delivery}${delivery.id} is ${delivery.status}`;
    reports.push({ noun: "delivery", subject: delivery.id, move: "told", to: null, at: delivery.updated_at, text });
  }
  return {
    rows: {
      history: changes.map(historyRow),
      events: [...events.values()],
      endpoints: [...used.values()],
      deliveries,
      delivery_attempts: attempts,
    },
    changes: reports,
  };
}
