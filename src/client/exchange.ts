import type { Agent, ClientRequest, IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import type { RealTime } from "../kernel/runtime.js";

/**
 * One HTTP exchange over node:http that settles exactly once, whatever the other side does. Webhook deliveries and all
 * commands send through it (docs/decisions/030-one-sender.md). It follows no redirection, repeats nothing and
 * decompresses nothing.
 */

/** `request` of node:http or node:https. The caller passes it, because loading the second one takes time. */
export type Open = (url: string, options: RequestOptions) => ClientRequest;

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent whole, or written piece by piece by a function that ends the request. */
  readonly body?: string | Uint8Array | ((request: ClientRequest) => void) | undefined;
  /** Connections to use again; without one the connection is closed after the exchange. */
  readonly agent?: Agent;
}

export interface Limits {
  readonly real: Pick<RealTime, "after">;
  /** Real milliseconds for the whole exchange, until what is to be read has been read. */
  readonly timeoutMs: number;
  /** Ends the exchange. The reason, when it is an Error, is what the caller is told. */
  readonly signal?: AbortSignal | undefined;
}

export interface Incoming {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Null for 101 Switching Protocols: nobody asked for another protocol, so nothing of it is read. */
  readonly body: IncomingMessage | null;
}

/** There is no usable answer. The message says why, for a person. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";

  constructor(
    message: string,
    /** The connection stood, so that the request may have been carried out. */
    readonly wasSent: boolean,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** The time for an exchange is over. */
class TimeOver extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`}`);
  }
}

/** Whether there was no answer because it did not come in time. */
export function isTimeOver(error: unknown): boolean {
  return error instanceof NoAnswer && error.cause instanceof TimeOver;
}

/** A server may answer 100 or 103 a few times before its answer. One that goes on for ever never answers. */
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
  ERR_SSL_WRONG_VERSION_NUMBER: "the other side does not speak TLS: use http://, or another port",
  DEPTH_ZERO_SELF_SIGNED_CERT: "invalid TLS certificate: self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "invalid TLS certificate: self-signed in its chain",
  CERT_HAS_EXPIRED: "invalid TLS certificate: expired",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "invalid TLS certificate: issuer unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "invalid TLS certificate: made out to another host",
  HPE_HEADER_OVERFLOW: "the headers of the answer are larger than 16 KB",
  HPE_INVALID_CONSTANT: "the answer is not HTTP",
  HPE_CLOSED_CONNECTION: "more came than the answer announced",
};

/** Node's own words for what has the code ECONNRESET too. */
const CLOSED: Readonly<Record<string, string>> = {
  "socket hang up": "the connection was closed before an answer came",
  aborted: "the connection was closed in the middle of the answer",
};

/** What the network said, for a person, with its code for a search. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = "" } = error as { readonly code?: string };
  const text = CLOSED[error.message] ?? EXPLANATIONS[code];
  if (text !== undefined) return `${text} (${code})`;
  if (code.startsWith("HPE_")) return `the answer breaks the rules of HTTP (${code})`;
  // A name with several addresses may fail with all of their reasons and no words of its own.
  return error.message === "" ? code : error.message;
}

/** The one end of an exchange: whatever comes after the first outcome changes nothing. */
class Outcome<Result> {
  readonly promise: Promise<Result>;
  request: ClientRequest | null = null;
  /** The connection stood. */
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
    const timer = real.after(timeoutMs, () => this.fail(new TimeOver(timeoutMs)));
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
    // A server may answer before it has read everything, and then never read the rest.
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

/** Hears everything that a request can tell, so that none of its events is without a listener. */
function listenTo<Result>(
  request: ClientRequest,
  url: string,
  outcome: Outcome<Result>,
  read: (incoming: Incoming) => Result | Promise<Result>,
): void {
  let answer: IncomingMessage | null = null;
  let isAnswered = false;
  let informational = 0;
  const answered = async (incoming: Incoming) => {
    isAnswered = true;
    try {
      outcome.succeed(await read(incoming));
    } catch (reason) {
      outcome.fail(reason);
    }
  };
  request
    .on("error", (error) => {
      // What comes behind a whole answer, however wrong, is no part of it.
      if (!answer?.complete) outcome.fail(error);
    })
    .on("socket", (socket) => {
      const stands = () => {
        outcome.wasSent = true;
      };
      if (!socket.connecting) stands();
      else socket.once(url.startsWith("https:") ? "secureConnect" : "connect", stands);
    })
    .on("information", () => {
      informational += 1;
      if (informational > MAX_INFORMATIONAL) outcome.fail(new Error("only informational answers (1xx) came"));
    })
    .on("upgrade", ({ statusCode = 0, headers }, socket) => {
      socket.destroy();
      void answered({ status: statusCode, headers, body: null });
    })
    .on("response", (body) => {
      answer = body;
      // The reader listens too, and may have stopped by then.
      body.on("error", (error) => outcome.fail(error));
      void answered({ status: body.statusCode ?? 0, headers: body.headers, body });
    })
    .on("close", () => {
      // The events of an answer tell themselves how it ended.
      if (!isAnswered) outcome.fail(new Error("the connection was closed before an answer came"));
    });
}

/**
 * Sends a request and hands the answer to `read`, whose result it resolves to. Rejects with NoAnswer only: for whatever
 * the network says, for what `read` throws, when the time is over and when the signal says so.
 */
export function exchange<Result>(
  open: Open,
  { method, url, headers, body, agent }: Outgoing,
  limits: Limits,
  read: (incoming: Incoming) => Result | Promise<Result>,
): Promise<Result> {
  const outcome = new Outcome<Result>(limits);
  if (outcome.isSettled) return outcome.promise;
  try {
    const request = open(url, { method, headers, agent: agent ?? false });
    outcome.request = request;
    listenTo(request, url, outcome, read);
    if (typeof body === "function") body(request);
    else request.end(body);
  } catch (reason) {
    outcome.fail(reason);
  }
  return outcome.promise;
}

/** Bytes in one piece that grows: pieces of one byte each would take a hundred times the room. */
class Kept {
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
  /** Bytes of the beginning that are kept. */
  readonly keep: number;
  /** Bytes after which reading stops and the connection is closed. */
  readonly read: number;
}

/** For an answer of which nothing but the status is of interest. */
export const NOTHING_KEPT: ReadLimits = { keep: 0, read: 1_048_576 };

export interface Text {
  readonly text: string;
  /** There was more than is kept. */
  readonly isCut: boolean;
}

/** Reads a body as UTF-8 text, within bounds. Rejects when the connection breaks before its end. */
export function readText({ body }: Incoming, { keep, read }: ReadLimits): Promise<Text> | Text {
  if (body === null) return { text: "", isCut: false };
  return new Promise((resolve, reject) => {
    const kept = new Kept();
    let size = 0;
    const end = () => resolve({ text: kept.text(), isCut: size > keep });
    body.on("data", (piece: Buffer) => {
      if (size < keep) kept.add(piece.subarray(0, keep - size));
      size += piece.length;
      if (size <= read) return;
      end();
      body.destroy();
    });
    body.on("end", end);
    body.on("error", reject);
    body.on("close", () => reject(new Error("the connection was closed in the middle of the answer")));
  });
}
