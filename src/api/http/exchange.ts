import type { IncomingMessage, ServerResponse } from "node:http";
import { DatabaseError } from "../../base/db/database-error.js";
import { ApiError, toEnvelope } from "../../base/kernel/errors.js";
import { IllegalTransition } from "../../base/kernel/machine.js";
import type { Log } from "../../base/kernel/runtime.js";
import type { RequestTrace } from "../../base/kernel/trace-context.js";
import type { PageAnswer } from "./page.js";

/** One request with its response, its number, its id and its path. */
export interface Exchange {
  /** Assigned when the request arrived. A later request has a higher number (`RequestLog.nextNumber`). */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The origin by which the browser of this request knows the server. */
  readonly origin: string;
  readonly path: string;
  readonly search: string;
  /** True if the web console sent the request. */
  readonly isConsole: boolean;
  /** Its place in a trace; null without `serve --otlp`, and for requests outside traces. */
  readonly trace: RequestTrace | null;
  /** The body, if a fault rule required reading it early. */
  readonly body?: Promise<string> | undefined;
}

/** Stands for an answer that has been sent, is being sent piece by piece, or never comes. */
export const SENT = Symbol("sent");
export type Sent = typeof SENT;

/** An answer that is ready to be sent and logged. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The number of lines of a header. Node joins the lines of some headers, and keeps only the first of others. */
export function linesOf(name: string, { rawHeaders }: Pick<IncomingMessage, "rawHeaders">): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at];
    if (found?.length === name.length && found.toLowerCase() === name) lines += 1;
  }
  return lines;
}

export function jsonAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  if (status === 204) return { status, text: "", headers };
  return { status, text, headers: { "content-type": "application/json", ...headers } };
}

/** The answer for an error. An ApiError is a refusal; any other error is logged and becomes `internal_error`. */
export function errorAnswer(thrown: unknown, requestId: string, log: Log): Answer {
  let error: ApiError;
  if (thrown instanceof ApiError) error = thrown;
  else if (thrown instanceof IllegalTransition) error = new ApiError("invalid_request", { message: thrown.message });
  else {
    log.error(`request ${requestId} failed`, thrown);
    const message = thrown instanceof DatabaseError ? thrown.answer : null;
    error = new ApiError("internal_error", message === null ? {} : { message });
  }
  return jsonAnswer(error.status, JSON.stringify(toEnvelope(error, requestId)), error.headers);
}

/** Bytes of a request that are dropped after its answer was sent, and real milliseconds without any of them. */
const MAX_DROPPED = 67_108_864;
const MAX_SILENCE_MS = 1_000;

/**
 * Sends the body of an answer and ends it. If the request is still arriving, its rest is read first: closing earlier
 * would reset the connection, and the client would lose the answer.
 */
function endAnswer(response: ServerResponse, body: string | Uint8Array): void {
  const { req: request } = response;
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (request.complete || (length === undefined && coding === undefined)) {
    response.end(body);
    return;
  }
  response.write(body);
  let dropped = 0;
  const end = () => void (response.writableEnded || response.end());
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MAX_DROPPED) end();
  });
  response.setTimeout(MAX_SILENCE_MS, end);
  request.on("end", end).on("close", end).resume();
}

/** Sends an answer with one write of header and body. Its own headers have neither a length nor a request id. */
export function sendAnswer(
  { response, requestId }: Pick<Exchange, "response" | "requestId">,
  { status, text, headers }: Answer,
): Sent {
  if (status === 204) response.writeHead(status, { "x-request-id": requestId, ...headers }).end();
  else {
    // Without a content-length, node:http would send the body in chunks.
    const length = Buffer.byteLength(text);
    response.writeHead(status, { "content-length": length, "x-request-id": requestId, ...headers });
    endAnswer(response, text);
  }
  return SENT;
}

/** Sends a page, a picture or a file, which is no answer of the API. Node leaves out the body for HEAD. */
export function sendPage(
  { response, requestId }: Pick<Exchange, "response" | "requestId">,
  { status = 200, headers, body }: PageAnswer,
): Sent {
  const all = { ...headers, "x-request-id": requestId };
  if (body === null) response.writeHead(status, all).end();
  else endAnswer(response.writeHead(status, { ...all, "content-length": Buffer.byteLength(body) }), body);
  return SENT;
}

/** Cuts the connection instead of answering. */
export function cutConnection({ response }: Exchange): Sent {
  response.destroy();
  return SENT;
}
