/** One HTTP exchange with the service, as text. The typed client and the command line both send through here. */

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How long to wait for the answer; as long as it takes when left out. */
  readonly timeoutMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Nobody answered, or the answer broke off. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

type Fetch = typeof globalThis.fetch;

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: unknown };
  if (cause instanceof Error) return cause.message === "" ? String(code) : cause.message;
  return String(cause);
}

/**
 * Comes back with whatever was answered, refusals included; throws Unreachable only. Nothing is tried again: whether a
 * repetition is safe is for the caller to know.
 */
export async function send(request: HttpRequest, fetch?: Fetch): Promise<HttpAnswer> {
  const { createFetch, ofetch } = await import("ofetch");
  const sender = fetch === undefined ? ofetch : createFetch({ fetch, Headers, AbortController });
  try {
    const answer = await sender.raw<string, "text">(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
      responseType: "text",
      ignoreResponseError: true,
      retry: false,
      redirect: "manual",
      ...(request.timeoutMs === undefined ? {} : { timeout: request.timeoutMs }),
    });
    return { status: answer.status, headers: answer.headers, text: answer._data ?? "" };
  } catch (error) {
    const { origin } = new URL(request.url);
    // The library wraps what fetch threw, and fetch wraps what the socket said: that is the part worth reading.
    const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw new Unreachable(`Nobody answers at ${origin} (${reasonOf(inner)}).`, { cause: error });
  }
}

/** The same for an answer that goes on: its body is read as it comes, until `signal` or the server ends it. */
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
    });
    return { status: answer.status, body: answer._data ?? new ReadableStream() };
  } catch (error) {
    throw new Unreachable(`Nobody answers at ${new URL(url).origin}.`, { cause: error });
  }
}

/** Whether a text can stand for one segment of a path. The others would be taken for another path. */
export function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}

/** A path with its `{name}` segments filled in. Throws TypeError for a value that no path can hold. */
export function fillPath(path: string, values: Readonly<Record<string, string | undefined>>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name] ?? "";
    if (!isPathSegment(value)) throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
}

/** `?a=1&b=2`, or nothing. What is undefined is left out. */
export function queryString(values: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : "";
}
