import { type AttemptError, attemptErrorOf, toStoredError } from "../../base/kernel/attempt-errors.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { reasonOf } from "../../base/kernel/reason.js";
import type { AttemptRow } from "../features/webhooks/attempt-store.js";
import { type ChaosKind, changeBody, type Sending } from "../features/webhooks/chaos.js";
import { buildHeaders, envelope, signature } from "../features/webhooks/envelope.js";
import type { ClaimedDelivery } from "../features/webhooks/store.js";
import type { AttemptResult, Verdict } from "./schedule.js";

/** Why an attempt failed; null for an answer that is 2xx. */
function errorOf(result: AttemptResult): AttemptError | null {
  if (isSuccess(result.statusCode)) return null;
  return result.error ?? { code: "answered", params: { status: result.statusCode } };
}

/** Why an attempt failed, for people and as stored, with the receiver's answer. All are null for an answer that is 2xx. */
export function failureOf(result: AttemptResult) {
  const error = errorOf(result);
  const responseBody = error === null ? null : result.responseBody;
  return { error: attemptErrorOf(error).error, stored: toStoredError(error), responseBody };
}

/**
 * An attempt that has ended, for live views, with the status of the delivery after it. An attempt with the chaos `duplicate`
 * sends an arrived delivery again and changes nothing.
 */
export type Attempt = ReturnType<typeof toAttempt>;

/** Returns an attempt for live views, with the answer as far as it is kept. */
export function toAttempt(
  delivery: ClaimedDelivery,
  { attempt, status, nextAttemptAt }: Verdict & { readonly attempt: number },
  result: AttemptResult,
  chaos: readonly ChaosKind[],
) {
  const { error, responseBody } = failureOf(result);
  const { statusCode, durationMs } = result;
  return {
    bookId: delivery.book_id,
    deliveryId: ID_PREFIX.delivery + delivery.id,
    eventId: ID_PREFIX.event + delivery.event_id,
    type: delivery.type as string,
    url: delivery.url,
    attempt,
    maxAttempts: delivery.max_attempts,
    statusCode,
    error,
    responseBody,
    durationMs,
    status,
    nextAttemptAt,
    chaos,
  };
}

/** The request of an attempt. `sentAt` is in emulated milliseconds. */
export type AttemptRequest = Omit<ReturnType<typeof buildAttempt>, "headers"> & {
  readonly headers: Readonly<Record<string, string>>;
};

interface AttemptContext {
  readonly sentAt: number;
  readonly userAgent: string;
  readonly traceparent: string | null;
}

/** Builds the request of an attempt. */
export function buildAttempt(
  delivery: ClaimedDelivery,
  sending: Sending,
  { sentAt, userAgent, traceparent }: AttemptContext,
) {
  const { headers: own, ...request } = requestOf(delivery, sending, userAgent);
  const headers = traceparent === null ? own : { ...own, traceparent };
  return { delivery, ...request, headers, userAgent, sentAt, chaos: sending.chaos };
}

type Sendable = Pick<ClaimedDelivery, "id" | "url" | "event_id" | "type" | "data" | "event_created_at">;

/** Returns the body of a delivery and its headers. */
export function requestOf(
  { id, url, event_id, type, data, event_created_at }: Sendable,
  { secret, signedAt, chaos }: Pick<Sending, "secret" | "signedAt"> & { readonly chaos: readonly string[] },
  userAgent: string,
) {
  const body = changeBody(envelope({ id: event_id, type, data, created_at: event_created_at }), chaos);
  const signed = signature(type, secret, body, signedAt);
  const headers = buildHeaders({ url, signature: signed, userAgent, deliveryId: ID_PREFIX.delivery + id, type }, body);
  return { url, headers, body, signature: signed };
}

/** Returns an attempt that failed before it sent anything: no request can be built from its stored data. */
export function failedBeforeSending(
  delivery: ClaimedDelivery,
  sentAt: number,
  userAgent: string,
  reason: unknown,
): { readonly request: AttemptRequest; readonly result: AttemptResult } {
  const why = reasonOf(reason);
  const request = { delivery, url: delivery.url, headers: {}, body: "", signature: "", userAgent, sentAt, chaos: [] };
  const nothing = { statusCode: null, timedOut: false, responseBody: null, responseHeaders: {}, retryAfterMs: null };
  return { request, result: { ...nothing, error: `the request could not be built: ${why}`, durationMs: 0 } };
}

/** Bytes of an answer that are stored with its attempt. */
const ATTEMPT_BODY_BYTES = 4_096;

/** Returns the beginning of a text, at most `max` bytes in UTF-8. No character is cut in two. */
function cutToBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = max;
  // Bytes of the form 10xxxxxx continue a character that began in an earlier byte.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

interface AttemptEnd {
  readonly attempt: number;
  /** True when chaos sends the delivery a second time. */
  readonly isRepeated: boolean;
  readonly endedAt: number;
}

/** Returns the row of an attempt that has ended. The body of the answer is cut to ATTEMPT_BODY_BYTES. */
export function attemptRow(
  request: AttemptRequest,
  result: AttemptResult,
  { attempt, isRepeated, endedAt }: AttemptEnd,
): AttemptRow {
  const { statusCode, responseHeaders, responseBody } = result;
  const chaos: readonly ChaosKind[] = isRepeated ? [...request.chaos, "duplicate"] : request.chaos;
  return {
    delivery_seq: request.delivery.seq,
    attempt,
    url: request.url,
    signature: request.signature,
    user_agent: request.userAgent,
    sent_at: request.sentAt,
    chaos: chaos.length === 0 ? null : `,${chaos.join(",")},`,
    status_code: statusCode,
    headers: statusCode === null ? null : JSON.stringify(responseHeaders),
    body: statusCode === null ? null : cutToBytes(responseBody ?? "", ATTEMPT_BODY_BYTES),
    error: failureOf(result).stored,
    duration_ms: result.durationMs,
    attempted_at: endedAt,
  };
}
