import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { AttemptFailure, timeOver } from "../kernel/attempt-errors.js";
import type { RealTime } from "../kernel/runtime.js";

/**
 * One HTTP request over node:http whose promise settles exactly once, even when the server breaks the protocol. Webhook
 * deliveries and all commands use it (docs/decisions/030-one-sender.md). It does not follow redirections, does not
 * repeat requests and does not decompress answers.
 */

/** The function `request` of node:http or node:https. The caller passes it, because node:https takes time to load. */
export type Open = (url: string, options: RequestOptions) => ClientRequest;

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, or a function that writes it in parts and ends the request. */
  readonly body?: string | Uint8Array | ((request: ClientRequest) => void) | undefined;
  /** A pool of connections. Without it the connection is closed after the exchange. */
  readonly agent?: Agent | undefined;
}

export interface Limits {
  readonly real: Pick<RealTime, "after">;
  /** The longest time of the exchange in real milliseconds, until `read` has finished. */
  readonly timeoutMs: number;
  /** Ends the exchange. When its reason is an Error, the rejection has its message. */
  readonly signal?: AbortSignal | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null for 101 Switching Protocols: such an answer has no body, and the new protocol is not supported. */
  readonly body: IncomingMessage | null;
}

/** There is no usable answer. The message gives the reason to a person. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /** True when the connection was open, so that the server may have carried out the request. */
    readonly wasSent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

export class ResponseTimeout extends AttemptFailure {
  constructor(ms: number) {
    super(timeOver(ms));
  }
}

/** True if the exchange failed because the answer did not come in time. */
export function isTimeOver(error: unknown): boolean {
  return error instanceof NoAnswer && error.cause instanceof ResponseTimeout;
}

/** The most 1xx answers before the real answer. A server could send them for ever and never answer. */
const MAX_INFORMATIONAL = 100;

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name could not be resolved",
  ETIMEDOUT: "connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  EMFILE: "too many connections are open",
  EPIPE: "connection closed while sending",
  EPROTO: "no TLS connection could be made",
  DEPTH_ZERO_SELF_SIGNED_CERT: "invalid TLS certificate: self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "invalid TLS certificate: self-signed in its chain",
  CERT_HAS_EXPIRED: "invalid TLS certificate: expired",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "invalid TLS certificate: issuer unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "invalid TLS certificate: issued for another host",
  HPE_HEADER_OVERFLOW: "the headers of the answer are larger than 16 KB",
  HPE_INVALID_CONSTANT: "the answer is not HTTP",
  HPE_CLOSED_CONNECTION: "the server sent more data than the answer announced",
};

/** Explanations by Node's message, for errors that share the code ECONNRESET. */
const CLOSED: Readonly<Record<string, string>> = {
  "socket hang up": "the connection was closed before an answer came",
  aborted: "the connection was closed in the middle of the answer",
};

/** The message of OpenSSL for an answer without TLS. Its code is EPROTO or another one, by the version of Node. */
const NOT_TLS = /wrong version number|packet length too long/;

/** Explains a network error to a person. Adds the error's code, so that the person can search for it. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An aborted signal gives a DOMException, whose code is a number.
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (NOT_TLS.test(error.message)) return `the other side does not speak TLS: use http://, or another port (${code})`;
  const text = CLOSED[error.message] ?? EXPLANATIONS[code];
  if (text !== undefined) return `${text} (${code})`;
  if (code.startsWith("HPE_")) return `the answer breaks the rules of HTTP (${code})`;
  // When a host has several addresses and all of them fail, Node's error (AggregateError) has an empty message.
  return error.message === "" ? code : error.message;
}

/** Settles the promise of an exchange once. Later successes and failures are ignored. */
class Settlement<Result> {
  readonly promise: Promise<Result>;
  request: ClientRequest | null = null;
  wasSent = false;
  #isSettled = false;
  readonly #release: () => void;
  #resolve: (result: Result) => void = () => undefined;
  #reject: (reason: NoAnswer) => void = () => undefined;

  constructor({ real, timeoutMs, signal }: Limits) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const timer = real.after(timeoutMs, () => this.fail(new ResponseTimeout(timeoutMs)));
    const stop = () => this.fail(signal?.reason instanceof Error ? signal.reason : new Error("stopped"));
    this.#release = () => {
      timer.cancel();
      signal?.removeEventListener("abort", stop);
    };
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop);
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  fail(reason: unknown): void {
    if (!this.#settle()) return;
    this.request?.destroy();
    this.#reject(reason instanceof NoAnswer ? reason : new NoAnswer(explain(reason), this.wasSent, reason));
  }

  succeed(result: Result): void {
    if (!this.#settle()) return;
    // A server may answer before it has read the whole request. It may never read the rest, so the request is ended.
    if (this.request?.writableFinished === false) this.request.destroy();
    this.#resolve(result);
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#release();
    return true;
  }
}

/** Calls back when the request has its connection, over TLS too. */
export function whenConnected(request: ClientRequest, connected: () => void): void {
  request.on("socket", (socket) => {
    // The connection through a proxy is there before TLS is spoken over it.
    const isOpening = socket.connecting || ("secureConnecting" in socket && socket.secureConnecting === true);
    if (!isOpening) connected();
    else socket.once(request.protocol === "https:" ? "secureConnect" : "connect", connected);
  });
}

/** Listens to all events of a request: an `error` event without a listener would end the process. */
function listenTo<Result>(
  request: ClientRequest,
  outcome: Settlement<Result>,
  read: (incoming: Incoming) => Result | Promise<Result>,
): void {
  let answer: IncomingMessage | null = null;
  let isAnswered = false;
  let informational = 0;
  const onAnswer = async (incoming: Incoming) => {
    isAnswered = true;
    try {
      outcome.succeed(await read(incoming));
    } catch (reason) {
      outcome.fail(reason);
    }
  };
  whenConnected(request, () => {
    outcome.wasSent = true;
  });
  request
    .on("error", (error) => {
      // An error after a complete answer does not change the answer.
      if (!answer?.complete) outcome.fail(error);
    })
    .on("information", () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL) outcome.fail(new Error("only informational answers (1xx) came"));
    })
    .on("upgrade", ({ statusCode = 0, headers }, socket) => {
      socket.destroy();
      void onAnswer({ status: statusCode, headers, body: null });
    })
    .on("response", (body) => {
      answer = body;
      // `read` listens for errors too, but may have removed its listener before this error.
      body.on("error", (error) => outcome.fail(error));
      void onAnswer({ status: body.statusCode ?? 0, headers: body.headers, body });
    })
    .on("close", () => {
      // After an answer has begun, the events of its body report how it ends.
      if (!isAnswered) outcome.fail(new Error("the connection was closed before an answer came"));
    });
}

/**
 * Sends a request, passes the answer to `read`, and resolves to the result of `read`. Rejects only with NoAnswer: for a network
 * error, for an error in `read`, after the timeout, and when the signal is aborted.
 */
export function sendRequest<Result>(
  open: Open,
  { method, url, headers, body, agent }: Outgoing,
  limits: Limits,
  read: (incoming: Incoming) => Result | Promise<Result>,
): Promise<Result> {
  const outcome = new Settlement<Result>(limits);
  if (outcome.isSettled) return outcome.promise;
  try {
    const request = open(url, { method, headers, agent: agent ?? false });
    outcome.request = request;
    listenTo(request, outcome, read);
    if (typeof body === "function") body(request);
    else request.end(body);
  } catch (reason) {
    outcome.fail(reason);
  }
  return outcome.promise;
}

/** Collects bytes in one array that grows. A list of small pieces would take up to a hundred times the memory. */
class ByteBuffer {
  #bytes: Uint8Array = new Uint8Array(0);
  #size = 0;

  add(piece: Uint8Array): void {
    const size = this.#size + piece.length;
    if (this.#size === 0) this.#bytes = piece;
    else {
      if (size > this.#bytes.length) {
        const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
        larger.set(this.#bytes.subarray(0, this.#size));
        this.#bytes = larger;
      }
      this.#bytes.set(piece, this.#size);
    }
    this.#size = size;
  }

  text(): string {
    const { buffer, byteOffset } = this.#bytes;
    return Buffer.from(buffer, byteOffset, this.#size).toString("utf8");
  }
}

export interface ReadLimits {
  /** The number of bytes to keep, from the beginning of the body. */
  readonly keep: number;
  /** The number of bytes after which reading stops and the connection is closed. */
  readonly read: number;
}

export interface Text {
  readonly text: string;
  /** True when the body was longer than the kept text. */
  readonly isCut: boolean;
}

/** Reads a body as UTF-8 text, within the limits. Rejects when the connection closes before the end of the body. */
export function readText({ body }: Incoming, { keep, read }: ReadLimits): Promise<Text> | Text {
  if (body === null) return { text: "", isCut: false };
  return new Promise((resolve, reject) => {
    const kept = new ByteBuffer();
    let size = 0;
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      resolve({ text: kept.text(), isCut: size > keep });
    };
    body.on("data", (piece: Buffer) => {
      if (size < keep) kept.add(piece.subarray(0, keep - size));
      size += piece.length;
      if (size <= read) return;
      end();
      body.destroy();
    });
    body.on("end", end);
    body.on("error", reject);
    body.on("close", () => {
      // Every answer closes in the end. Creating an error, with its stack, takes time.
      if (!hasEnded) reject(new Error("the connection was closed in the middle of the answer"));
    });
  });
}
