import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { ApiError, fieldError, MAX_BODY, shorten } from "../../base/kernel/errors.js";
import { markInexactNumbers } from "../../base/kernel/exact-numbers.js";
import { isJsonObject, isTooDeep, type JsonObject, MAX_DEPTH } from "../../base/kernel/json.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { linesOf } from "./exchange.js";

/** The refusal of a body that is encoded, such as with gzip; null for any other. */
export function encodingRefusal({ headers }: Pick<IncomingMessage, "headers">): ApiError | null {
  const given = headers["content-encoding"] ?? "";
  if (given.split(",").every((coding) => /^(identity)?$/i.test(coding.trim()))) return null;
  const message = `must be left out: a body is not decoded, and this one is sent as ${shorten(given)}`;
  return fieldError("Content-Encoding", message, "unsupported_media_type", { connection: "close" });
}

const BYTE_ORDER_MARK = Buffer.from("\uFEFF");

/**
 * Reads the whole body as text, without the byte order mark that some programs begin a text with. Throws
 * `payload_too_large` as soon as it is larger than 1 MiB, and `unsupported_media_type` for an encoded body.
 */
export function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const encoded = encodingRefusal(request);
    if (encoded !== null) {
      request.resume();
      reject(encoded);
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => reject(new ApiError("payload_too_large", { headers: { connection: "close" } }));
    if (Number(request.headers["content-length"] ?? 0) > MAX_BODY) {
      request.resume();
      tooLarge();
      return;
    }
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else tooLarge();
    };
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
      const start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
      if (isUtf8(bytes)) resolve(bytes.toString("utf8", start));
      else reject(new ApiError("invalid_request", { message: "The request body is not valid UTF-8." }));
    };
    const breakOff = () => {
      // Every request closes at its end. Creating an error, with its stack, takes time.
      if (!hasEnded) reject(new ApiError("invalid_request", { message: "The request body ended early." }));
    };
    readChunks(request, { take, end, onBreak: breakOff });
  });
}

interface ChunkReader {
  take(chunk: Buffer): void;
  end(): void;
  /** Called when the request breaks off, also after `end`. */
  onBreak(): void;
}

/** Reads a request with event listeners. `for await` would destroy a broken request and its connection, with no answer. */
export function readChunks(request: IncomingMessage, { take, end, onBreak }: ChunkReader): void {
  request.on("data", take);
  request.on("end", end);
  // src/api/http/no-request.ts emits it while an answer can still be sent.
  request.on("aborted", onBreak);
  request.on("error", onBreak);
  request.on("close", onBreak);
}

/** Matches `application/json` and types with the suffix `+json` (RFC 6838, section 4.2.8). Parameters are ignored. */
const JSON_TYPE = /^application\/(?:json|[\w!#$&^.+-]+\+json)\s*(?:;|$)/i;

/** Refuses a body with another content type than JSON, or with two. A body without a content type is accepted. */
export function checkContentType(request: Pick<IncomingMessage, "headers" | "rawHeaders">, text: string): void {
  const type = request.headers["content-type"];
  if (type === undefined || type === "" || text.trim() === "") return;
  if (linesOf("content-type", request) > 1) throw fieldError("Content-Type", "appears more than once");
  if (JSON_TYPE.test(type)) return;
  throw fieldError("Content-Type", `must be application/json for a body of JSON, not ${shorten(type)}`);
}

/**
 * Parses a body as a JSON object. With `optional` an empty body counts as `{}`. NUL characters and lone surrogates are
 * refused and members named `__proto__` are dropped at every level: databases and receivers cannot handle them.
 */
export function parseJsonObject(text: string, optional: boolean): JsonObject {
  if (text.trim() === "") {
    if (optional) return {};
    throw new ApiError("invalid_request", { message: "The request needs a JSON body." });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const message = reasonOf(error);
    // The message of JSON.parse may quote the body, and the body may hold a password.
    const reason = message.replace(/,? ?(?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s, "");
    throw new ApiError("invalid_request", {
      message: `The request body is not valid JSON${reason === "" ? "." : `: ${reason}`}`,
    });
  }
  if (!isJsonObject(value))
    throw new ApiError("invalid_request", { message: "The request body must be a JSON object." });
  // Each level takes at least two characters, so a short body cannot be nested too deeply.
  if (text.length > 2 * MAX_DEPTH && isTooDeep(value)) {
    throw new ApiError("invalid_request", { message: `The request body is nested deeper than ${MAX_DEPTH} levels.` });
  }
  // Both need an escape or their own name in the text, so most bodies need not be walked.
  return markInexactNumbers(text, text.includes("\\u") || text.includes("__proto__") ? cleanValue(value) : value);
}

function cleanValue(value: JsonObject): JsonObject;
function cleanValue(value: unknown): unknown;
function cleanValue(value: unknown): unknown {
  if (typeof value === "string") {
    if (value.includes("\0") || !value.isWellFormed()) {
      throw new ApiError("invalid_request", { message: "A string in the body holds a NUL or half a character." });
    }
    return value;
  }
  if (Array.isArray(value)) return value.map((item) => cleanValue(item));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (key !== "__proto__") copy[String(cleanValue(key))] = cleanValue(member);
  }
  return copy;
}
