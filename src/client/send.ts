import type { IncomingMessage } from "node:http";
import { realTime } from "../runtime.js";
import { exchange, type Incoming, isTimeOver, type Limits, NoAnswer, type Open, readText } from "./exchange.js";

/** One HTTP exchange with the service, as text, and the parts that its address is made of. */

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Real milliseconds for the whole exchange; `DEFAULT_TIMEOUT_MS` when left out. */
  readonly timeoutMs?: number | undefined;
  /** Ends the exchange, which is Unreachable then. */
  readonly signal?: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  /** By their names in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** How long a request waits for its answer when nothing else is said. */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** A stream that tells nothing for so long is broken: the service sends a sign of life every 15 seconds. */
const STREAM_SILENCE_MS = 60_000;
/** More of an answer is refused. Nothing of the service comes near it. */
export const MAX_ANSWER_BYTES = 64 * 1_048_576;

/** There is no usable answer: nobody answered in time, the connection broke, or what came is no HTTP. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  /** The connection stood when it happened: the request may have been carried out. */
  readonly isLost: boolean;
  /** The answer did not come in time. */
  readonly isLate: boolean;

  constructor(url: string, error: unknown) {
    const { origin } = new URL(url);
    const isLost = error instanceof NoAnswer && error.wasSent;
    const reason = error instanceof Error ? error.message : String(error);
    const what = isLost ? `${origin} gave no complete answer` : `Nobody answers at ${origin}`;
    super(`${what} (${reason}).`, { cause: error });
    this.isLost = isLost;
    this.isLate = isTimeOver(error);
  }
}

/** The module is loaded when it is first needed: most addresses need one of the two only. */
async function opener(url: string): Promise<Open> {
  return url.startsWith("https:") ? (await import("node:https")).request : (await import("node:http")).request;
}

function headersOf({ headers }: Incoming): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function answerOf(incoming: Incoming): Promise<HttpAnswer> {
  const { text, isCut } = await readText(incoming, { keep: MAX_ANSWER_BYTES, read: MAX_ANSWER_BYTES });
  if (isCut) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES / 1_048_576} MB`);
  return { status: incoming.status, headers: headersOf(incoming), text };
}

async function sendAndRead<Result>(
  { url, method, headers, body, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: HttpRequest,
  read: (incoming: Incoming) => Result | Promise<Result>,
): Promise<Result> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const outgoing = { method, url, headers: { "user-agent": "qa-pay", ...headers, ...length }, body };
  const limits: Limits = { real: realTime, timeoutMs, signal };
  try {
    return await exchange(await opener(url), outgoing, limits, read);
  } catch (error) {
    throw new Unreachable(url, error);
  }
}

/**
 * Comes back with whatever was answered, refusals and redirections included; throws Unreachable only. Nothing is tried
 * again: whether a repetition is safe is for the caller to know.
 */
export function send(request: HttpRequest): Promise<HttpAnswer> {
  return sendAndRead(request, answerOf);
}

/** An answer that goes on, or the refusal that came instead of it. */
export type OpenStream =
  | { readonly status: 200; readonly body: IncomingMessage }
  | { readonly status: number; readonly text: string };

/**
 * Resolves once the head of an answer is there. The body is read as it comes, until `signal` or the server ends it.
 * Throws Unreachable.
 */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<OpenStream> {
  const request: HttpRequest = { method: "GET", url, headers, body: undefined, signal };
  return sendAndRead(request, async (incoming) => {
    const { status, body } = incoming;
    if (status !== 200 || body === null) return answerOf(incoming);
    signal.addEventListener("abort", () => body.destroy(), { once: true });
    body.setTimeout(STREAM_SILENCE_MS, () => body.destroy(new Error("the stream has been silent for 60 seconds")));
    return { status, body };
  });
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
