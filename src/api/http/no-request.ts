import { type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, toEnvelope } from "../../base/kernel/errors.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Ids } from "../../base/kernel/runtime.js";

/**
 * Answers to bytes that are not an HTTP request, or only the beginning of one. Node would answer them without the error
 * envelope and the request id of every refusal (docs/service/requests.md#request-ids, docs/service/errors.md#envelope).
 */

function errorOf(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return new ApiError("headers_too_large");
  const isLate = code === "ERR_HTTP_REQUEST_TIMEOUT";
  const message = isLate ? "The request took too long to arrive." : "What arrived is not a valid HTTP request.";
  return new ApiError("invalid_request", { message });
}

function refusal(code: string | undefined, ids: Ids): string {
  const requestId = `${ID_PREFIX.request}${ids.next()}`;
  const error = errorOf(code);
  const body = JSON.stringify(toEnvelope(error, requestId));
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

/** Answers broken requests instead of Node. The header Expect of a request is ignored. */
export function answerBrokenRequests(server: Server, ids: Ids): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", (request, response) => latest.set(request.socket, response));
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = latest.get(socket);
    if (socket.destroyed || error.code === "ECONNRESET") socket.destroy();
    else if (response === undefined || (response.req.complete && response.writableEnded)) {
      socket.end(refusal(error.code, ids));
    } else if (!response.headersSent) {
      response.setHeader("connection", "close");
      // The handler that reads the body receives this event and answers.
      if (!response.req.complete) response.req.emit("aborted");
    } else if (response.writableEnded) socket.end();
    else socket.destroy();
  });
}
