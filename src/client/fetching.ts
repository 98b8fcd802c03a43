import { type HttpAnswer, type HttpRequest, Unreachable } from "./send.js";

/** What is sent through fetch: a caller's own, and answers that go on. */

type Fetch = typeof globalThis.fetch;

/** As `send`, by the fetch of the caller or the global one. Throws Unreachable only. */
export async function sendByFetch({ url, method, headers, body }: HttpRequest, fetch?: Fetch): Promise<HttpAnswer> {
  const { createFetch, ofetch } = await import("ofetch");
  const sender = fetch === undefined ? ofetch : createFetch({ fetch, Headers, AbortController });
  try {
    const answer = await sender.raw<string, "text">(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      responseType: "text",
      ignoreResponseError: true,
      retry: false,
      redirect: "manual",
    });
    return { status: answer.status, headers: new Map(answer.headers), text: answer._data ?? "" };
  } catch (error) {
    throw new Unreachable(url, error);
  }
}

/** An answer that goes on: its body is read as it comes, until `signal` or the server ends it. Throws Unreachable. */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: ReadableStream<Uint8Array> }> {
  const { ofetch } = await import("ofetch");
  try {
    const answer = await ofetch.raw<unknown, "stream">(url, {
      headers,
      signal,
      responseType: "stream",
      ignoreResponseError: true,
      retry: false,
      redirect: "manual",
    });
    return { status: answer.status, body: answer._data ?? new ReadableStream() };
  } catch (error) {
    throw new Unreachable(url, error);
  }
}
