import { errorCode } from "../../base/kernel/reason.js";
import { NoAnswer, ResponseTimeout } from "../../base/platform/http-request.js";
import { realTime } from "../../base/platform/real-runtime.js";
import { DEFAULT_TIMEOUT_MS, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES, Unreachable } from "./send.js";

/** Sends the requests of the typed client through the caller's own fetch function. */

type Fetch = typeof globalThis.fetch;

async function readBoundedText(body: ReadableStream<Uint8Array> | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES / 1_048_576} MB`);
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The message of the innermost cause: fetch and its wrappers hide the network error behind messages of their own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  // When a host has several addresses and all of them fail, Node's error (AggregateError) has an empty message.
  return error.message || String(errorCode(error));
}

/** Returns true if the request did not reach a server: by the error's code, no connection was opened. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(errorCode(error) ?? "") || wasNeverSent(error.cause);
}

/** The answer through `fetch`, which ends when the signal is aborted. */
async function answerBy(
  { url, method, headers, body }: HttpRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { createFetch } = await import("ofetch");
  const sender = createFetch({ fetch, Headers, AbortController });
  const answer = await sender.raw<ReadableStream<Uint8Array>, "stream">(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    responseType: "stream",
    ignoreResponseError: true,
    retry: false,
    redirect: "manual",
    signal,
  });
  return { status: answer.status, headers: new Map(answer.headers), text: await readBoundedText(answer._data) };
}

/**
 * Sends a request like `send`, but through the caller's fetch. It ends at the time limit and when the signal is aborted,
 * even if that fetch ignores its signal. Throws only Unreachable.
 */
export async function sendByFetch(request: HttpRequest, fetch: Fetch): Promise<HttpAnswer> {
  const { url, timeoutMs = DEFAULT_TIMEOUT_MS, signal } = request;
  const stop = new AbortController();
  const late = new ResponseTimeout(timeoutMs);
  const timer = realTime.after(timeoutMs, () => stop.abort(late));
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  const stopped = new Promise<never>((_resolve, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason));
    if (stop.signal.aborted) reject(stop.signal.reason);
  });
  try {
    return await Promise.race([stopped, answerBy(request, fetch, stop.signal)]);
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error;
    const text = stop.signal.aborted && reason instanceof Error ? reason.message : reasonOf(reason);
    throw new Unreachable(url, new NoAnswer(text, !wasNeverSent(error), reason));
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", abort);
  }
}
