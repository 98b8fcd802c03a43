import type { IncomingMessage, ServerResponse } from "node:http";
import { FastResponse } from "srvx";
import { ApiError, toEnvelope } from "../kernel/errors.js";
import { IllegalTransition } from "../kernel/machine.js";
import type { Log } from "../kernel/runtime.js";

/** One request with its response, its number, its id and its path. */
export interface Exchange {
  /** Given when the request arrived. A later request has a higher number (`RequestLog.nextNumber`). */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** The origin by which the browser of this request knows the server. */
  readonly origin: string;
  readonly path: string;
  readonly search: string;
  /** Whether the web console sent the request. */
  readonly isConsole: boolean;
  /** The body, when a fault rule made it be read early. */
  readonly body?: Promise<string> | undefined;
}

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
    error = new ApiError("internal_error");
  }
  return jsonAnswer(error.status, JSON.stringify(toEnvelope(error, requestId)), error.headers);
}

const SENT = new FastResponse(null) as Response;

/**
 * Sends an answer with one write of header and body; a web Response would take two. The Response that is returned is
 * empty: src/http/server.ts sends nothing more then.
 */
export function sendAnswer({ response, requestId }: Exchange, { status, text, headers }: Answer): Response {
  if (status === 204) response.writeHead(status, { ...headers, "x-request-id": requestId }).end();
  else {
    // Without a content-length, node:http would send the body in chunks.
    const length = Buffer.byteLength(text);
    response.writeHead(status, { ...headers, "content-length": length, "x-request-id": requestId }).end(text);
  }
  return SENT;
}

/** Cuts the connection in place of an answer. */
export function cutConnection({ response }: Exchange): Response {
  // `end` marks the response as ended, so that src/http/server.ts sends nothing more.
  response.destroy().end();
  return SENT;
}
