import type { IncomingMessage, ServerResponse } from "node:http";
import { FastResponse } from "srvx";
import { ApiError, toEnvelope } from "../kernel/errors.js";
import { IllegalTransition } from "../kernel/machine.js";
import type { Log } from "../kernel/runtime.js";

/** One request and what is known of it so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: string;
  readonly search: string;
  /** The body, where it had to be read before its time. */
  readonly body?: Promise<string> | undefined;
}

/** An answer that is ready to be sent, and to be logged. */
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

/** What the client is told of whatever was thrown. Only a refusal of ours speaks for itself. */
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
 * Sends an answer. It is written to the socket here, header and body in one piece, which a web Response would take two
 * writes for; the Response that comes back is empty and the listener sends nothing more (src/http/server.ts).
 */
export function sendAnswer({ response, requestId }: Exchange, { status, text, headers }: Answer): Response {
  if (status === 204) response.writeHead(status, { ...headers, "x-request-id": requestId }).end();
  else {
    // With its length known an answer is one piece; without, node:http would cut it into chunks.
    const length = Buffer.byteLength(text);
    response.writeHead(status, { ...headers, "content-length": length, "x-request-id": requestId }).end(text);
  }
  return SENT;
}

/** Cuts the connection in place of an answer. */
export function cutConnection({ response }: Exchange): Response {
  // Ended as well, so that the listener sees that there is nothing left to send.
  response.destroy().end();
  return SENT;
}
