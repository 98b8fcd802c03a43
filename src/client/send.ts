import type { IncomingMessage } from "node:http";

/** One HTTP exchange with the service, as text, and the parts that its address is made of. */

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** How long the other side may be silent; as long as it likes when left out. */
  readonly timeoutMs?: number;
  /** Ends the exchange, which is Unreachable then. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** Nobody answered, or the answer broke off. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** The request was on its way: it may have been carried out. */
  readonly isLost: boolean;

  constructor(url: string, error: unknown) {
    const { origin } = new URL(url);
    const isLost = hadBegun(error);
    const what = isLost ? `${origin} ended the connection before its answer was there` : `Nobody answers at ${origin}`;
    super(`${what} (${reasonOf(error)}).`, { cause: error });
    this.isLost = isLost;
  }
}

function hadBegun(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(String(code)) || hadBegun(error.cause);
}

/** What the socket said: fetch, and whoever wraps it in turn, have words of their own for it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  const { code } = error as { readonly code?: unknown };
  // A name with several addresses fails with all of their reasons and no words of its own.
  return error.message || String(code);
}

async function answerOf(response: IncomingMessage): Promise<HttpAnswer> {
  response.setEncoding("utf8");
  let text = "";
  for await (const chunk of response) text += chunk;
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: response.statusCode ?? 0, headers: new Map(headers), text };
}

/**
 * Comes back with whatever was answered, refusals and redirections included; throws Unreachable only. Nothing is tried
 * again: whether a repetition is safe is for the caller to know. Built on `node:http` because most commands are this
 * one exchange, and fetch takes longer to load than all the rest of them (docs/decisions/030-two-senders.md).
 */
export async function send({ url, body, timeoutMs, signal, ...request }: HttpRequest): Promise<HttpAnswer> {
  const { request: open } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  try {
    return await new Promise((done, fail) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const headers = { "user-agent": "qa-pay", ...request.headers, ...length };
      const options = {
        method: request.method,
        headers,
        agent: false as const,
        ...(signal === undefined ? {} : { signal }),
      };
      const sent = open(url, options)
        .on("response", (response) => answerOf(response).then(done, fail))
        .on("error", fail);
      if (timeoutMs !== undefined) {
        sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
      }
      sent.end(body);
    });
  } catch (error) {
    throw new Unreachable(url, error);
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
