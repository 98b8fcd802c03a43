/**
 * Reads an HTTP/1.1 answer that arrived whole and is of the plainest form. It reads nothing else: whatever could have two
 * meanings is left to node:http, which gets the same bytes (docs/decisions/063-plain-connections.md).
 */

/** The head of an answer. Answers with the same bytes before their body share one. */
export interface AnswerHead {
  /** The bytes of the head as text, the empty line at its end included. */
  readonly text: string;
  readonly status: number;
  /** Names in lower case, in the order of the answer, as node:http gives them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body; -1 for chunks. */
  readonly length: number;
  /** Whether the server keeps the connection open. */
  readonly isKept: boolean;
}

export interface WholeAnswer {
  readonly head: AnswerHead;
  readonly body: Buffer;
}

/** The largest answer that is read here, in bytes. */
export const MAX_WHOLE = 8_192;
const HEAD_END = "\r\n\r\n";

/** HTTP/1.1, a status from 200 to 599, and a reason of printable ASCII. */
const STATUS_LINE = /^HTTP\/1\.1 ([2-5]\d\d) [\x20-\x7e]*$/;
/** A name, and a value of printable ASCII without spaces around it. */
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*((?:[!-~](?:[\t -~]*[!-~])?)?)[\t ]*$/;

/** Headers that say more about the connection or the body than is read here. */
const LEFT_TO_NODE = new Set(["upgrade", "trailer", "proxy-connection", "__proto__"]);

const NO_BODY = Buffer.alloc(0);

/** The headers of an answer. Null when one is not plain or comes twice. */
function headersOf(lines: readonly string[]): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const match = HEADER_LINE.exec(line);
    if (match === null) return null;
    const [, name = "", value = ""] = match;
    const key = name.toLowerCase();
    if (LEFT_TO_NODE.has(key) || Object.hasOwn(headers, key)) return null;
    headers[key] = value;
  }
  return headers;
}

/** The length of the body by the headers; -1 for chunks, null when it is not plain. */
function lengthOf(status: number, headers: Readonly<Record<string, string>>): number | null {
  const { "content-length": length, "transfer-encoding": coding } = headers;
  if (status === 204 || status === 304) return length === undefined && coding === undefined ? 0 : null;
  if (coding !== undefined) return coding.toLowerCase() === "chunked" && length === undefined ? -1 : null;
  return length !== undefined && /^\d{1,5}$/.test(length) ? Number(length) : null;
}

function headOf(text: string): AnswerHead | null {
  const [first = "", ...lines] = text.slice(0, -HEAD_END.length).split("\r\n");
  const status = Number(STATUS_LINE.exec(first)?.[1]);
  if (Number.isNaN(status)) return null;
  const headers = headersOf(lines);
  if (headers === null) return null;
  const length = lengthOf(status, headers);
  const connection = headers.connection?.toLowerCase() ?? "keep-alive";
  if (length === null || (connection !== "keep-alive" && connection !== "close")) return null;
  return { text, status, headers, length, isKept: connection === "keep-alive" };
}

/** Joins chunks that are all there, with nothing behind them. Null when a chunk is not plain, and when there are trailers. */
function chunksOf(bytes: Buffer): Buffer | null {
  const pieces: Uint8Array[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at, "latin1");
    const size = lineEnd === -1 ? "" : bytes.toString("latin1", at, lineEnd);
    if (!/^[0-9A-Fa-f]{1,5}$/.test(size)) return null;
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (bytes.toString("latin1", end, end + 2) !== "\r\n") return null;
    at = end + 2;
    if (end === start) return at === bytes.length ? Buffer.concat(pieces) : null;
    pieces.push(bytes.subarray(start, end));
  }
}

/**
 * Reads an answer that is all of `bytes`. Null when it is not whole, not plain, or not all. `known` is the head of an
 * earlier answer: a server sends the same head again for as long as its second lasts. The body is a part of `bytes`, or a
 * copy.
 */
export function wholeAnswer(bytes: Buffer, known: AnswerHead | null): WholeAnswer | null {
  const headEnd = bytes.length > MAX_WHOLE ? -1 : bytes.indexOf(HEAD_END, 0, "latin1");
  if (headEnd === -1) return null;
  const start = headEnd + HEAD_END.length;
  const text = bytes.toString("latin1", 0, start);
  const head = known?.text === text ? known : headOf(text);
  if (head === null) return null;
  if (head.length === -1) {
    const body = chunksOf(bytes.subarray(start));
    return body === null ? null : { head, body };
  }
  if (bytes.length !== start + head.length) return null;
  return { head, body: head.length === 0 ? NO_BODY : bytes.subarray(start) };
}
