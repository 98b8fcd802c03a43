import { isAwaited } from "../../../base/db/awaited.js";
import { jsonObject, listOf, oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import {
  book,
  count,
  dueAt,
  flag,
  hex,
  instant,
  key,
  status,
  uuid,
  webhookUrl,
} from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, runner, valuesOf } from "../../../base/db/driver.js";
import { forgetBefore, rememberAnswers } from "../../../base/db/remember-answers.js";
import { canMove } from "../../../base/kernel/machine.js";
import { attemptStatements } from "./attempt-store.js";
import { EVENT_NAMES, type EventName } from "./catalogue.js";
import { listStatements } from "./lists.js";
import {
  type AttemptedStatus,
  DELIVERY_STATUSES,
  type DeliveryMove,
  deliveryMachine,
  ENDPOINT_STATUSES,
} from "./machine.js";

export const EVENT = {
  id: uuid,
  book_id: book,
  type: oneOf(EVENT_NAMES),
  /** Id of the event's object, without its prefix. */
  subject: uuid,
  /** JSON text: `data.object` of a canonical event, `data` of a legacy one. */
  data: jsonObject(),
  /** The `seq` in the history of the change that this row reports. */
  history_seq: key,
  created_at: instant,
};
export type EventRow = Row<typeof EVENT> & { readonly seq: number };

const NEW_ENDPOINT = {
  id: uuid,
  book_id: key,
  url: webhookUrl,
  /** `,name,name,`; a comma for the endpoint behind the webhook URL of a payment, which has no subscriptions. */
  events: listOf(["", ...EVENT_NAMES]),
  secret: hex(64),
  status: oneOf(ENDPOINT_STATUSES),
  /** `forward` is the one endpoint that `serve --forward-to` keeps. No route under /v1 shows or changes a `collector`. */
  origin: oneOf(["api", "forward", "collector"]),
  /** 1 for the endpoint behind a payment's webhookUrl: no route shows or changes it. */
  private: flag,
  created_at: instant,
  updated_at: instant,
};
export type NewEndpoint = Row<typeof NEW_ENDPOINT>;

export const ENDPOINT = {
  seq: key,
  ...NEW_ENDPOINT,
  /** The secret before the last rotation, by which `why` recognizes a receiver that still has it. */
  previous_secret: optional(hex(64)),
  deleted_at: optional(instant),
};
export type EndpointRow = Row<typeof ENDPOINT>;

const NEW_DELIVERY = {
  id: uuid,
  book_id: book,
  event_seq: key,
  /** As in the event. */
  event_type: EVENT.type,
  endpoint_seq: key,
  /** The address of a resend instead of the URL of its endpoint; it is sent in any state of the endpoint. */
  target_url: optional(webhookUrl),
  status: oneOf(DELIVERY_STATUSES),
  attempts: count,
  max_attempts: count,
  next_attempt_at: optional(dueAt),
  /** 1 while its endpoint is INACTIVE. */
  parked: flag,
  /** The `seq` of the resend in the history; null for the delivery that was created with its event. */
  history_seq: optional(key),
  created_at: instant,
  updated_at: instant,
};

export const DELIVERY = {
  seq: key,
  ...NEW_DELIVERY,
  last_status_code: optional(status),
  last_error: optional(words),
  last_response_body: optional(words),
  delivered_at: optional(instant),
};
export type DeliveryRow = Row<typeof DELIVERY>;

/** The present address of a delivery, and the values for its envelope. */
interface Sendable {
  readonly url: string;
  readonly event_id: string;
  readonly type: EventName;
  /** Id of the event's object, without its prefix. */
  readonly subject: string;
  readonly data: string;
  readonly event_created_at: number;
}

export interface DeliveryView extends DeliveryRow, Sendable {
  readonly endpoint_id: string;
  readonly endpoint_private: number;
}

type ClaimedColumn = "id" | "book_id" | "endpoint_seq" | "attempts" | "max_attempts" | "next_attempt_at" | "created_at";

/** The facts of a claimed delivery that an attempt needs, with the present secret. */
export interface ClaimedDelivery extends Sendable, Pick<DeliveryRow, "seq" | ClaimedColumn> {
  readonly secret: string;
  /** The id of the collector that receives it instead of a receiver, or null. */
  readonly collector: string | null;
}

const VIEWED = "FROM deliveries d JOIN endpoints p ON p.seq = d.endpoint_seq JOIN events e ON e.seq = d.event_seq";
const PLACE_AND_EVENT =
  "COALESCE(d.target_url, p.url) AS url, e.id AS event_id, e.type, e.subject, e.data, e.created_at AS event_created_at";
const COLUMNS = `d.*, ${PLACE_AND_EVENT}, p.id AS endpoint_id, p.private OR p.origin = 'collector' AS endpoint_private`;
const VIEW = `${COLUMNS} ${VIEWED}`;

export type DueAttempt = Pick<
  DeliveryView,
  "seq" | "book_id" | "attempts" | "next_attempt_at" | "url" | "type" | "subject"
>;
const ATTEMPT_DUE =
  "d.seq, d.book_id, d.attempts, d.next_attempt_at, COALESCE(d.target_url, p.url) AS url, e.type, e.subject";

/** The deliveries that are not done. SQLite uses the partial index only for a condition in exactly these words. */
const OPEN = "status IN ('PENDING', 'PROCESSING')";

export type WebhookStore = ReturnType<typeof webhookStore>;

function endpointStatements(db: Db) {
  const active = rememberAnswers<number, readonly { readonly seq: number; readonly events: string }[]>(
    lister(
      db,
      `SELECT seq, events FROM endpoints
        WHERE book_id = ? AND private = 0 AND status = 'ACTIVE' AND deleted_at IS NULL ORDER BY seq`,
    ),
  );
  const changer = (sql: string) => forgetBefore(active.forget, runner(db, sql));
  return {
    forget: active.forget,
    subscribers(bookId: number, type: EventName): readonly number[] {
      const wanting = (active.of(bookId) ?? []).filter(({ events }) => events.includes(`,${type},`));
      return wanting.map(({ seq }) => seq);
    },
    insertEndpoint: forgetBefore(active.forget, inserter(db, "endpoints", NEW_ENDPOINT)),
    endpoint: getter<EndpointRow>(
      db,
      "SELECT * FROM endpoints WHERE book_id = ? AND id = ? AND deleted_at IS NULL AND private = 0 AND origin <> 'collector'",
    ),
    collector: getter<EndpointRow>(
      db,
      "SELECT * FROM endpoints WHERE book_id = ? AND id = ? AND deleted_at IS NULL AND origin = 'collector'",
    ),
    countCollectors: getter<{ count: number }>(
      db,
      "SELECT COUNT(*) AS count FROM endpoints WHERE book_id = ? AND deleted_at IS NULL AND origin = 'collector'",
    ),
    endpointOfDelivery: getter<EndpointRow>(
      db,
      "SELECT * FROM endpoints WHERE book_id = ? AND id = ? AND deleted_at IS NULL",
    ),
    privateEndpoint: getter<EndpointRow>(db, "SELECT * FROM endpoints WHERE book_id = ? AND url = ? AND private = 1"),
    endpoints: lister<EndpointRow>(
      db,
      `SELECT * FROM endpoints WHERE book_id = ? AND deleted_at IS NULL AND private = 0 AND origin <> 'collector'
        ORDER BY seq DESC`,
    ),
    forwardEndpoint: getter<EndpointRow>(
      db,
      "SELECT * FROM endpoints WHERE book_id = ? AND origin = 'forward' AND deleted_at IS NULL AND private = 0",
    ),
    changeEndpoint: changer("UPDATE endpoints SET url = ?, events = ?, status = ?, updated_at = ? WHERE seq = ?"),
    changeSecret: runner(db, "UPDATE endpoints SET previous_secret = secret, secret = ?, updated_at = ? WHERE seq = ?"),
    /** Changes the secret of the endpoints that sign with the secret of their account. */
    changeAccountSecret: runner(
      db,
      `UPDATE endpoints SET previous_secret = secret, secret = ?, updated_at = ?
        WHERE secret <> ? AND book_id IN (SELECT id FROM books WHERE account_id = ?) AND (private = 1 OR origin = 'forward')`,
    ),
    deleteEndpointsOf: changer("DELETE FROM endpoints WHERE book_id IN (SELECT id FROM books WHERE account_id = ?)"),
    deleteAllButForward: changer("DELETE FROM endpoints WHERE origin <> 'forward'"),
    removeEndpoint: changer(
      "UPDATE endpoints SET deleted_at = ?, status = 'INACTIVE', previous_secret = NULL, updated_at = ? WHERE seq = ?",
    ),
  };
}

function deliveryStatements(db: Db) {
  return {
    insertDelivery: inserter(db, "deliveries", NEW_DELIVERY),
    /** Moves the instant of a first attempt that has not begun: pass `seq` and `id`. */
    moveFirstAttempt: runner(
      db,
      "UPDATE deliveries SET next_attempt_at = ? WHERE seq = ? AND id = ? AND status = 'PENDING' AND attempts = 0",
    ),
    parkDeliveries: runner(
      db,
      "UPDATE deliveries SET parked = ? WHERE endpoint_seq = ? AND target_url IS NULL AND status = 'PENDING'",
    ),
    deliveriesOf: lister<DeliveryView>(db, `SELECT ${VIEW} WHERE d.event_seq = ? ORDER BY d.seq`),
    /** For a JSON list of the `seq` of events: to each address the delivery that arrived, else the newest. */
    outcomesOf: lister<DeliveryView>(
      db,
      // The other columns are those of the row with the maximum.
      `SELECT ${COLUMNS}, MAX(((d.status = 'DELIVERED') << 52) + d.seq) ${VIEWED}
        WHERE d.event_seq IN (SELECT value FROM json_each(?)) AND d.status <> 'CANCELLED' GROUP BY d.event_seq, COALESCE(d.target_url, p.url)`,
    ),
    delivery: getter<DeliveryView>(db, `SELECT ${VIEW} WHERE d.book_id = ? AND d.id = ?`),
  };
}

const IS_AWAITED = isAwaited("COALESCE(d.history_seq, e.history_seq)");

function awaitedStatements(db: Db) {
  return {
    /** Returns a row when an attempt is due at an instant that was not added after a place in the history. */
    awaitedAttempt: getter<{ seq: number }>(
      db,
      `SELECT d.seq FROM deliveries d INDEXED BY deliveries_due CROSS JOIN events e ON e.seq = d.event_seq
         CROSS JOIN endpoints p ON p.seq = d.endpoint_seq
        WHERE d.status = 'PENDING' AND d.parked = 0 AND d.next_attempt_at <= ? AND ${IS_AWAITED} LIMIT 1`,
    ),
    /** Returns the delivery when it was not added after a place in the history. */
    awaitedDelivery: getter<{ seq: number }>(
      db,
      `SELECT d.seq FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.seq = ? AND ${IS_AWAITED}`,
    ),
  };
}

function dueStatements(db: Db) {
  return {
    newestDelivery: getter<{ seq: number | null }>(db, "SELECT MAX(seq) AS seq FROM deliveries"),
    nextDelivery: getter<{ due_at: number | null }>(
      db,
      // Rows that another program left without event or endpoint are never sent, and nobody waits for them.
      `SELECT d.next_attempt_at AS due_at FROM deliveries d INDEXED BY deliveries_due CROSS JOIN events e ON e.seq = d.event_seq
         CROSS JOIN endpoints p ON p.seq = d.endpoint_seq WHERE d.status = 'PENDING' AND d.parked = 0 ORDER BY d.next_attempt_at LIMIT 1`,
    ),
    /** The instant of the first attempt after an instant. */
    nextDeliveryAfter: getter<{ due_at: number | null }>(
      db,
      "SELECT MIN(next_attempt_at) AS due_at FROM deliveries WHERE status = 'PENDING' AND parked = 0 AND next_attempt_at > ?",
    ),
    /** Endpoints with deliveries that are not done, the oldest first: SQLite looks into the index once for each. */
    endpointsWaiting: lister<{ endpoint_seq: number }>(
      db,
      `WITH RECURSIVE waiting (endpoint_seq) AS (
         SELECT MIN(endpoint_seq) FROM deliveries WHERE ${OPEN}
         UNION ALL
         SELECT (SELECT MIN(d.endpoint_seq) FROM deliveries d WHERE d.${OPEN} AND d.endpoint_seq > w.endpoint_seq)
           FROM waiting w WHERE w.endpoint_seq IS NOT NULL)
       SELECT endpoint_seq FROM waiting WHERE endpoint_seq IS NOT NULL`,
    ),
    dueOf: lister<{ seq: number; endpoint_seq: number; next_attempt_at: number }>(
      db,
      `SELECT seq, endpoint_seq, next_attempt_at FROM deliveries
        WHERE ${OPEN} AND status = 'PENDING' AND parked = 0 AND endpoint_seq = ? AND next_attempt_at <= ?
        ORDER BY next_attempt_at, seq LIMIT ?`,
    ),
    /** Next attempts of a book after (instant, seq) and due at `until` or before, the soonest first. */
    attemptsDue: lister<DueAttempt>(
      db,
      `SELECT ${ATTEMPT_DUE} FROM deliveries d INDEXED BY deliveries_due
         JOIN endpoints p ON p.seq = d.endpoint_seq JOIN events e ON e.seq = d.event_seq
        WHERE d.status = 'PENDING' AND d.parked = 0 AND d.book_id = ?
          AND (d.next_attempt_at, d.seq) > (?, ?) AND d.next_attempt_at <= ?
        ORDER BY d.next_attempt_at, d.seq LIMIT ?`,
    ),
    /**
     * The same for the events about the objects of a JSON list of ids, which is the first value. The order of the join
     * and the plus keep SQLite from reading all waiting rows.
     */
    attemptsDueAbout: lister<DueAttempt>(
      db,
      `SELECT ${ATTEMPT_DUE} FROM events e CROSS JOIN deliveries d ON d.event_seq = e.seq JOIN endpoints p ON p.seq = d.endpoint_seq
        WHERE e.subject IN (SELECT value FROM json_each(?))
          AND d.status = 'PENDING' AND d.parked = 0 AND +d.book_id = ?
          AND (d.next_attempt_at, d.seq) > (?, ?) AND d.next_attempt_at <= ?
        ORDER BY d.next_attempt_at, d.seq LIMIT ?`,
    ),
    claimable: getter<ClaimedDelivery>(
      db,
      // Few columns: creating the row takes more time than finding it.
      `SELECT d.seq, d.id, d.book_id, d.endpoint_seq, d.attempts, d.max_attempts, d.next_attempt_at, d.created_at,
              ${PLACE_AND_EVENT}, p.secret, IIF(p.origin = 'collector' AND d.target_url IS NULL, p.id, NULL) AS collector
         ${VIEWED} WHERE d.seq = ? AND d.status = 'PENDING' AND d.parked = 0`,
    ),
  };
}

function to(move: DeliveryMove): string {
  return `status = '${deliveryMachine.transitions[move].to}'`;
}

/** SQL for the states from which the delivery machine allows all of these moves. */
function from(...moves: readonly DeliveryMove[]): string {
  const states = DELIVERY_STATUSES.filter((state) => moves.every((move) => canMove(deliveryMachine, state, move)));
  const list = states.map((state) => `'${state}'`).join(", ");
  return states.length === 1 ? `status = ${list}` : `status IN (${list})`;
}

/** SQL that is true for a delivery that waits for its endpoint to become ACTIVE. */
const PARKED =
  "(target_url IS NULL AND (SELECT status = 'INACTIVE' FROM endpoints p WHERE p.seq = deliveries.endpoint_seq))";

/** SQL that is true for a delivery to an endpoint that was deleted. */
const ABANDONED =
  "(target_url IS NULL AND (SELECT deleted_at IS NOT NULL FROM endpoints p WHERE p.seq = deliveries.endpoint_seq))";

const SETTLED = [
  "status",
  "attempts",
  "next_attempt_at",
  "last_status_code",
  "last_error",
  "last_response_body",
  "delivered_at",
  "updated_at",
] as const;

/** A delivery after an attempt. `seq` and `id` identify it: a later one may have its `seq`. */
interface SettledDelivery extends Pick<DeliveryRow, (typeof SETTLED)[number] | "seq" | "id"> {
  readonly status: AttemptedStatus;
}

/** Every change of a delivery's status is one of these statements. */
function moveStatements(db: Db) {
  const settleStatement = (parked: string) =>
    runner(
      db,
      `UPDATE deliveries SET ${SETTLED.map((name) => `${name} = ?`).join(", ")}${parked}
        WHERE seq = ? AND id = ? AND ${from("deliver", "retry", "give_up", "abandon")}`,
    );
  const settleAtLast = settleStatement("");
  // Only a delivery that waits for another attempt waits for its endpoint, too.
  const settleForNow = settleStatement(`, parked = ${PARKED}`);
  return {
    claim: runner(db, `UPDATE deliveries SET ${to("claim")}, updated_at = ? WHERE seq = ? AND ${from("claim")}`),
    /** Ends an attempt, unless the delivery was cancelled or removed meanwhile. Returns the number of changed rows. */
    settleAttempt(settled: SettledDelivery): number {
      const settle = settled.status === deliveryMachine.transitions.retry.to ? settleForNow : settleAtLast;
      return settle(...valuesOf(settled, [...SETTLED, "seq", "id"]));
    },
    cancelDeliveries: runner(
      db,
      `UPDATE deliveries SET ${to("cancel")}, next_attempt_at = NULL, updated_at = ?
        WHERE endpoint_seq = ? AND target_url IS NULL AND ${from("cancel")}`,
    ),
    /** Returns a row for a delivery whose endpoint was deleted. */
    abandoned: getter<object>(db, `SELECT 1 FROM deliveries WHERE seq = ? AND ${ABANDONED}`),
    /** After a crash: attempts that never reported back are due again, once their endpoint is ACTIVE, unless it was deleted. */
    recoverClaimed: runner(
      db,
      `UPDATE deliveries SET status = IIF(${ABANDONED}, '${deliveryMachine.transitions.abandon.to}', '${deliveryMachine.transitions.recover.to}'),
              next_attempt_at = IIF(${ABANDONED}, NULL, next_attempt_at), parked = ${PARKED} AND NOT ${ABANDONED}
        WHERE ${from("recover", "abandon")}`,
    ),
  };
}

/** Returns the statements about endpoints, events, deliveries and attempts. */
export function webhookStore(db: Db) {
  return {
    ...endpointStatements(db),
    ...deliveryStatements(db),
    ...dueStatements(db),
    ...awaitedStatements(db),
    ...moveStatements(db),
    ...attemptStatements(db),
    ...listStatements<EventRow, DeliveryView>(db, VIEW),
    insertEvent: inserter(db, "events", EVENT),
    event: getter<EventRow>(db, "SELECT * FROM events WHERE seq = ?"),
    lastEvent: getter<EventRow>(db, "SELECT * FROM events WHERE subject = ? AND type = ? ORDER BY seq DESC LIMIT 1"),
    eventsOf: lister<EventRow>(db, "SELECT * FROM events WHERE subject = ? ORDER BY seq"),
    eventById: getter<EventRow>(db, "SELECT * FROM events WHERE book_id = ? AND id = ?"),
  };
}
