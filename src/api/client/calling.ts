import type { Contract } from "../../base/kernel/contract.js";
import type { ErrorEnvelope } from "../../base/kernel/errors.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { pick } from "../../base/kernel/pick.js";
import { ResponseTimeout } from "../../base/platform/http-request.js";
import type { WaitRuntime } from "../../base/platform/real-runtime.js";
import { checkInput } from "./check-input.js";
import { sendByFetch } from "./fetching.js";
import { DEFAULT_RETRIES, pauseBeforeNext, type TryOutcome } from "./retrying.js";
import { type Input, requestOf, routeOf } from "./route.js";
import { DEFAULT_TIMEOUT_MS, type HttpAnswer, type HttpRequest, send, Unreachable } from "./send.js";
import { ServiceError, ServiceTimeoutError } from "./service-error.js";

/** One call of the typed client: the request of an operation, its tries, and the resulting answer or error. */

/** The options of a client after they are checked. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly token?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** The input of a method at run time, with the options of every call. */
export interface LooseInput extends Input {
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

function requestFor(contract: Contract, connection: Connection, input: Input): HttpRequest {
  const body = contract.body === undefined ? undefined : (input.body ?? {});
  const { apiKey, token = "" } = connection;
  const credential = contract.auth === "jwt" ? { authorization: `Bearer ${token}` } : { apikey: apiKey };
  const { address, ...request } = requestOf(routeOf(contract), { ...input, body }, credential);
  return { ...request, url: connection.baseUrl.replace(/\/+$/, "") + address };
}

/** True if the service does the work of a request once, however often the same request arrives. */
function isSafeToRepeat({ method, idempotency }: Contract, { idempotencyKey, body }: LooseInput): boolean {
  if (method === "GET") return true;
  if (idempotency === undefined) return false;
  const { field } = idempotency;
  return (field === undefined ? idempotencyKey : pick(body, field)) !== undefined;
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
    const message = `${new URL(url).origin} gave no complete answer (${new ResponseTimeout(timeoutMs).message}${after}).`;
    return new ServiceTimeoutError(message, timeoutMs, lost);
  }
  const facts = { status: 0, type: "connection_error", code: "unreachable", requestId: null } as const;
  return new ServiceError({ ...facts, message: lost.message, cause: lost });
}

/**
 * Sends the request of an operation and resolves to the parsed answer. Repeats it if that is safe, with the same
 * idempotency key, and within the time limit of the call. Rejects with ServiceError, with the reason of the signal, or
 * with TypeError for an input of another form.
 */
export async function call(
  contract: Contract,
  connection: Connection,
  waiting: WaitRuntime,
  input: LooseInput,
): Promise<unknown> {
  checkInput(contract, input);
  const { signal } = input;
  signal?.throwIfAborted();
  const request = requestFor(contract, connection, input);
  const isSafe = isSafeToRepeat(contract, input);
  const { fetch, maxRetries = DEFAULT_RETRIES } = connection;
  const timeoutMs = connection.timeoutMs ?? contract.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const end = waiting.monotonic() + timeoutMs;
  for (let repeated = 0; ; repeated++) {
    // The first try has the whole time, so that its error names the limit that the caller passed.
    const left = repeated === 0 ? timeoutMs : Math.max(1, Math.round(end - waiting.monotonic()));
    const outcome = await tryOnce({ ...request, timeoutMs: left, signal }, fetch);
    signal?.throwIfAborted();
    if ("answer" in outcome && isSuccess(outcome.answer.status)) {
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
