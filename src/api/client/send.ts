import type { ClientRequest, IncomingMessage } from "node:http";
import { AttemptFailure, wordingOf } from "../../base/kernel/attempt-errors.js";
import { DAY, MINUTE } from "../../base/kernel/duration.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { t, WordedError, type Wording } from "../../base/kernel/wording.js";
import {
  type Incoming,
  isTimeOver,
  type Limits,
  NoAnswer,
  type Open,
  readText,
  sendRequest,
} from "../../base/platform/http-request.js";
import { realTime } from "../../base/platform/real-runtime.js";
import { VERSION } from "../../base/platform/version.js";
import type { HttpProxy } from "./proxy.js";
import { oddInHeader } from "./route.js";

/** Sends a request to the service and reads the answer as text. */

/**
 * The header User-Agent of this package. It names the command, so that a request log can show it: `qa-pay/0.1.0
 * (charges create)`.
 */
export function userAgent(command?: string): string {
  return command === undefined ? `qa-pay/${VERSION}` : `qa-pay/${VERSION} (${command})`;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** The longest time of the exchange in real milliseconds; by default `DEFAULT_TIMEOUT_MS`. */
  readonly timeoutMs?: number | undefined;
  /** Ends the exchange. The caller receives Unreachable then. */
  readonly signal?: AbortSignal | undefined;
  /** The proxy for the request; null or undefined to connect to the host directly. */
  readonly proxy?: HttpProxy | null | undefined;
  /** The only certificate that the host may have, as PEM; by default every one that the machine trusts. */
  readonly certificate?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** The default timeout of a request, in real milliseconds. */
export const DEFAULT_TIMEOUT_MS = 30_000;
/** The longest time that a person can set. */
export const LONGEST_TIMEOUT_MS = DAY;
/** A stream that is silent for so long counts as broken, because the service sends a heartbeat every 15 seconds. */
const STREAM_SILENCE_MS = MINUTE;
/** A longer answer is refused. The service's own answers are much shorter. */
export const MAX_ANSWER_BYTES = 64 * 1_048_576;

/** There is no usable answer: it did not come in time, the connection broke, or the answer is not HTTP. */
export class Unreachable extends WordedError {
  override readonly name = "Unreachable";
  /** True when the connection was open: the service may have carried out the request. */
  readonly isLost: boolean;
  /** True when the answer did not come in time. */
  readonly isLate: boolean;

  constructor(
    url: string,
    error: unknown,
    /** The proxy at which the request ended, before it reached the host. */
    readonly proxy?: HttpProxy | undefined,
  ) {
    const { origin } = new URL(url);
    const isLost = error instanceof NoAnswer && error.wasSent && proxy === undefined;
    const late = isTimeOver(error) && error instanceof NoAnswer ? error.cause : error;
    const reason = late instanceof AttemptFailure ? wordingOf(late.reason) : reasonOf(error);
    const what = isLost
      ? t`${origin} gave no complete answer (${reason}).`
      : t`Nobody answers at ${origin} (${reason}).`;
    super(proxy === undefined ? what : t`The proxy ${proxy.name} does not connect to ${origin} (${reason}).`, {
      cause: error,
    });
    this.isLost = isLost;
    this.isLate = isTimeOver(error);
  }
}

/** Loads node:http or node:https when it is needed, because most commands need only one of them. */
async function opener(url: string, ca: string | undefined): Promise<Open> {
  if (!url.startsWith("https:")) return (await import("node:http")).request;
  const { request } = await import("node:https");
  return ca === undefined ? request : (address, options) => request(address, { ...options, ca });
}

function headersOf({ headers }: Incoming): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function answerOf(incoming: Incoming): Promise<HttpAnswer> {
  const { text, isCut } = await readText(incoming, { keep: MAX_ANSWER_BYTES, read: MAX_ANSWER_BYTES });
  if (isCut) throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES / 1_048_576} MB`);
  return { status: incoming.status, headers: headersOf(incoming), text };
}

/** The body of a request that is a file: its size in bytes, and the function that writes it and ends the request. */
export interface FileToSend {
  readonly size: number;
  readonly write: (request: ClientRequest) => void;
}

/** Explains why a header cannot be sent; null if all can. HTTP allows only letters of Latin-1, and no line breaks. */
export function headerFault(headers: Readonly<Record<string, string>>): Wording | null {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return t`${JSON.stringify(name)} is no name of a header.`;
    const odd = oddInHeader(value);
    if (odd === undefined) continue;
    const what = odd === "\n" || odd === "\r" ? t`a line break` : t`the character ${JSON.stringify(odd)}`;
    return t`The header ${name} cannot hold ${what}.`;
  }
  return null;
}

/** Throws TypeError for a header that cannot be sent, else Unreachable. */
async function sendAndRead<Result>(
  { url, method, headers, body, timeoutMs = DEFAULT_TIMEOUT_MS, signal, proxy, certificate }: HttpRequest,
  read: (incoming: Incoming) => Result | Promise<Result>,
  file?: FileToSend,
): Promise<Result> {
  const fault = headerFault(headers);
  if (fault !== null) throw new TypeError(String(fault));
  const size = file?.size ?? (body === undefined ? undefined : Buffer.byteLength(body));
  const length = size === undefined ? {} : { "content-length": String(size) };
  const sent = file === undefined ? body : file.write;
  const outgoing = { method, url, headers: { "user-agent": userAgent(), ...headers, ...length }, body: sent };
  const limits: Limits = { real: realTime, timeoutMs, signal };
  const way = proxy ? (await import("./proxied.js")).proxyRoute(proxy, url) : null;
  try {
    if (way === null) return await sendRequest(await opener(url, certificate), outgoing, limits, read);
    return await sendRequest(way.open, { ...outgoing, agent: way.agent }, limits, way.readUnlessProxy(read));
  } catch (error) {
    throw new Unreachable(url, error, proxy && way?.endedAtProxy(error) ? proxy : undefined);
  }
}

/**
 * Sends a request and returns the answer, also when it is a refusal or a redirection. Throws only Unreachable. Does not
 * retry, because only the caller knows if a repetition is safe.
 */
export function send(request: HttpRequest): Promise<HttpAnswer> {
  return sendAndRead(request, answerOf);
}

/** Sends a request whose body is a file, as `send` does. */
export function sendFile(request: HttpRequest, file: FileToSend): Promise<HttpAnswer> {
  return sendAndRead(request, answerOf, file);
}

/**
 * Sends a request and passes the body of its answer to `take`, when the answer is a success. Returns the answer, whose
 * text is empty then. Throws Unreachable, also for an error of `take`.
 */
export function receiveFile(request: HttpRequest, take: (body: IncomingMessage) => Promise<void>): Promise<HttpAnswer> {
  return sendAndRead(request, async (incoming) => {
    const { status, body } = incoming;
    if (status !== 200 || body === null) return answerOf(incoming);
    await take(body);
    return { status, headers: headersOf(incoming), text: "" };
  });
}

/** An open stream, or the answer with a refusal. */
export type OpenStream =
  | { readonly status: 200; readonly body: IncomingMessage }
  | { readonly status: number; readonly text: string };

/**
 * Opens a stream. Resolves when the headers of the answer have arrived. The caller reads the body, until `signal` or
 * the server ends it. Throws Unreachable.
 */
export async function openStream(
  requested: Pick<HttpRequest, "url" | "headers" | "proxy" | "certificate">,
  signal: AbortSignal,
): Promise<OpenStream> {
  const request: HttpRequest = { ...requested, method: "GET", body: undefined, signal };
  return sendAndRead(request, async (incoming) => {
    const { status, body } = incoming;
    if (status !== 200 || body === null) return answerOf(incoming);
    signal.addEventListener("abort", () => body.destroy(), { once: true });
    body.setTimeout(STREAM_SILENCE_MS, () => body.destroy(new Error("the stream has been silent for 60 seconds")));
    return { status, body };
  });
}
