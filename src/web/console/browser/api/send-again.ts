import { asSent, inputOf, type SentRequest } from "../../../../api/client/request-text.js";
import { isJsonObject } from "../../../../base/kernel/json.js";
import { allRoutes } from "../facts/all-routes.js";
import { connection } from "../state/connection.js";
import { recorded } from "../state/recorder.js";
import { keptStep } from "../words/done.js";
import { withBodyKey } from "../words/request-lines.js";
import { API, call, ownHeaders } from "./call.js";

/** Sends a request of the log again, through the session of the browser. */

export interface AnswerAgain {
  readonly status: number;
  /** True if the answer is the stored one of the first request with the same idempotency key. */
  readonly isReplayed: boolean;
  readonly body: unknown;
  /** The number of the new request in the log; null for a read, which the console sends without a log entry. */
  readonly number: number | null;
}

async function numberOf(request: string | null): Promise<number | null> {
  if (request === null) return null;
  const { data } = await call("sandbox.requests", { query: { request, limit: 1 } });
  return data[0]?.number ?? null;
}

/** `key` replaces the idempotency key of the request. */
export async function sendAgain(entry: SentRequest, key: string | null): Promise<AnswerAgain> {
  const called = inputOf(entry, allRoutes);
  const { "idempotency-key": known } = asSent(entry, allRoutes).headers;
  const inHeader = known === undefined ? undefined : (key ?? known);
  const body = key === null ? entry.request_body : withBodyKey(called?.route, entry.request_body, key);
  const isRead = entry.method === "GET";
  const headers = {
    ...ownHeaders(),
    ...(isRead ? {} : { "content-type": "application/json" }),
    ...(inHeader === undefined ? {} : { "idempotency-key": inHeader }),
  };
  const sent = isRead || body === null ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(API + entry.path, { method: entry.method, headers, ...sent });
  if (answer.status === 401 && !entry.path.startsWith("/v1/auth")) connection.loggedOut();
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  const result: unknown = isJson && text !== "" ? JSON.parse(text) : text;
  if (called !== null && answer.ok && !isRead) {
    const input = { ...called.input, ...(isJsonObject(body) ? { body } : {}) };
    recorded(keptStep({ id: called.route.id, input, result }, called.route.auth));
  }
  return {
    status: answer.status,
    isReplayed: answer.headers.get("idempotent-replayed") === "true",
    body: result,
    number: isRead ? null : await numberOf(answer.headers.get("x-request-id")),
  };
}

/** True if the request has an idempotency key that can be replaced. */
export function hasKey(entry: SentRequest): boolean {
  const field = inputOf(entry, allRoutes)?.route.key;
  return entry.idempotency_key !== null && field !== undefined;
}
