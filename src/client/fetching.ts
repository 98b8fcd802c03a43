import { realTime } from "../runtime.js";
import { NoAnswer } from "./exchange.js";
import { DEFAULT_TIMEOUT_MS, type HttpAnswer, type HttpRequest, MAX_ANSWER_BYTES, Unreachable } from "./send.js";

/** What a caller of the typed client sends through a fetch of their own. */

type Fetch = typeof globalThis.fetch;

async function boundedText(body: ReadableStream<Uint8Array> | undefined): Promise<string> {
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

/** What the socket said: fetch, and whoever wraps it in turn, have words of their own for it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  const { code } = error as { readonly code?: unknown };
  // A name with several addresses fails with all of their reasons and no words of its own.
  return error.message || String(code);
}

/** Nobody took the request: the codes of a connection that was never there. */
function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"].includes(String(code)) || wasNeverSent(error.cause);
}

/** As `send`, by a fetch of the caller. Throws Unreachable only. */
export async function sendByFetch(
  { url, method, headers, body, timeoutMs = DEFAULT_TIMEOUT_MS }: HttpRequest,
  fetch: Fetch,
): Promise<HttpAnswer> {
  const { createFetch } = await import("ofetch");
  const sender = createFetch({ fetch, Headers, AbortController });
  const stop = new AbortController();
  const late = new Error(`no answer within ${timeoutMs / 1_000} seconds`);
  const timer = realTime.after(timeoutMs, () => stop.abort(late));
  try {
    const answer = await sender.raw<ReadableStream<Uint8Array>, "stream">(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      responseType: "stream",
      ignoreResponseError: true,
      retry: false,
      redirect: "manual",
      signal: stop.signal,
    });
    return { status: answer.status, headers: new Map(answer.headers), text: await boundedText(answer._data) };
  } catch (error) {
    const reason = stop.signal.aborted ? late.message : reasonOf(error);
    throw new Unreachable(url, new NoAnswer(reason, !wasNeverSent(error), error));
  } finally {
    timer.cancel();
  }
}
