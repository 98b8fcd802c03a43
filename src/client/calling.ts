import type { Contract } from "../kernel/contract.js";
import type { ErrorEnvelope } from "../kernel/errors.js";
import type { Waiting } from "../runtime.js";
import { sendByFetch } from "./fetching.js";
import { DEFAULT_RETRIES, pauseBeforeNext, type TryOutcome } from "./retrying.js";
import {
  DEFAULT_TIMEOUT_MS,
  fillPath,
  type HttpAnswer,
  type HttpRequest,
  queryString,
  send,
  Unreachable,
} from "./send.js";
import { ServiceError, ServiceTimeoutError } from "./service-error.js";

/** One call of the typed client: the request of an operation, its tries, and the answer or the error that they lead to. */

/** The options of a client after they are checked. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** The input of a method at run time. The types in types.ts are stricter, and check the callers. */
export interface LooseInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
}

function failureOf({ status, text, headers }: HttpAnswer): ServiceError {
  const requestId = headers.get("x-request-id") ?? null;
  try {
    const { error, request_id } = JSON.parse(text) as ErrorEnvelope;
    const { type, code, message, param, details } = error;
    return new ServiceError({ status, type, code, message, param, details, requestId: requestId ?? request_id });
  } catch {
    const message = `The host answered ${status} without an error envelope.`;
    return new ServiceError({ status, type: "api_error", code: "unexpected_answer", message, requestId });
  }
}

function answerOf({ status, text, headers }: HttpAnswer): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `The host answered ${status} with something that is no JSON.`;
    const requestId = headers.get("x-request-id") ?? null;
    throw new ServiceError({ status, type: "api_error", code: "unexpected_answer", message, requestId, cause });
  }
}

function requestOf(contract: Contract, connection: Connection, input: LooseInput): HttpRequest {
  const { method, path, body, idempotency, auth } = contract;
  const base = connection.baseUrl.replace(/\/+$/, "");
  const url = base + fillPath(path, input.params ?? {}) + queryString(input.query ?? {});
  const headers: Record<string, string> = { accept: "application/json" };
  if (auth === "jwt") headers.authorization = `Bearer ${connection.token ?? ""}`;
  else headers.apikey = connection.apiKey;
  if (idempotency !== undefined && input.idempotencyKey !== undefined) {
    headers["idempotency-key"] = input.idempotencyKey;
  }
  if (body !== undefined) headers["content-type"] = "application/json";
  return { method, url, headers, body: body === undefined ? undefined : JSON.stringify(input.body ?? {}) };
}

/** Whether the service does the work of a request once, however often the same request arrives. */
function isSafeToRepeat({ method, idempotency }: Contract, { idempotencyKey, body }: LooseInput): boolean {
  if (method === "GET") return true;
  if (idempotency === undefined) return false;
  const { field } = idempotency;
  return (field === undefined ? idempotencyKey : (body as Record<string, unknown> | undefined)?.[field]) !== undefined;
}

async function tryOnce(request: HttpRequest, fetch: Connection["fetch"]): Promise<TryOutcome> {
  try {
    return { answer: await (fetch === undefined ? send(request) : sendByFetch(request, fetch)) };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { lost: error };
  }
}

/** The error of a call whose last try had no usable answer. */
function unreachable(lost: Unreachable, url: string, timeoutMs: number, tries: number): ServiceError {
  if (lost.isLate) {
    const after = tries === 1 ? "" : `, ${tries} tries`;
    const limit = timeoutMs === 1_000 ? "1 second" : `${timeoutMs / 1_000} seconds`;
    const message = `${new URL(url).origin} gave no complete answer (no answer within ${limit}${after}).`;
    return new ServiceTimeoutError(message, timeoutMs, lost);
  }
  const facts = { status: 0, type: "connection_error", code: "unreachable", requestId: null } as const;
  return new ServiceError({ ...facts, message: lost.message, cause: lost });
}

/**
 * Sends the request of an operation and resolves to the parsed answer. Repeats it where that is safe, with the same
 * idempotency key, and within the time limit of the call. Rejects with ServiceError, or with the reason of the signal.
 */
export async function call(
  contract: Contract,
  connection: Connection,
  waiting: Waiting,
  input: LooseInput,
): Promise<unknown> {
  const { signal } = input;
  signal?.throwIfAborted();
  const request = requestOf(contract, connection, input);
  const isSafe = isSafeToRepeat(contract, input);
  const { fetch, maxRetries = DEFAULT_RETRIES } = connection;
  const timeoutMs = connection.timeoutMs ?? contract.cli?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const end = waiting.monotonic() + timeoutMs;
  for (let repeated = 0; ; repeated++) {
    const outcome = await tryOnce({ ...request, timeoutMs: end - waiting.monotonic(), signal }, fetch);
    signal?.throwIfAborted();
    if ("answer" in outcome && outcome.answer.status >= 200 && outcome.answer.status < 300) {
      return answerOf(outcome.answer);
    }
    const situation = { isSafe, repeated, now: waiting.epoch(), fraction: waiting.fraction() };
    const pause = repeated < maxRetries ? pauseBeforeNext(outcome, situation) : null;
    if (pause === null || waiting.monotonic() + pause >= end) {
      throw "answer" in outcome
        ? failureOf(outcome.answer)
        : unreachable(outcome.lost, request.url, timeoutMs, repeated + 1);
    }
    await waiting.pause(pause, signal);
    signal?.throwIfAborted();
  }
}
