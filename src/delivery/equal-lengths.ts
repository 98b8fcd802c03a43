import type { IncomingHttpHeaders } from "node:http";

/**
 * An answer whose Content-Length is there twice. Node refuses it. RFC 9110, section 8.6, lets a recipient take it when all values
 * are the same number, and some servers behind a proxy send it.
 */

const REFUSED = ["HPE_UNEXPECTED_CONTENT_LENGTH", "HPE_INVALID_CONTENT_LENGTH"];

interface RefusedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As much of it as came with the headers. */
  readonly body: Buffer;
}

/** The bytes that Node could not read, when a repeated length was the reason. */
function refusedBytes(error: unknown): Buffer | null {
  if (!(error instanceof Error && "code" in error && REFUSED.includes(String(error.code)))) return null;
  return "rawPacket" in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : null;
}

/** The number that all values of a Content-Length name; null when they differ. */
function oneLength(values: readonly string[]): number | null {
  const lengths = new Set(values.flatMap((value) => value.split(",")).map((value) => value.trim()));
  const [length = ""] = lengths;
  return lengths.size === 1 && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

/** The answer that Node refused only because it names its length more than once, always as the same number; else null. */
export function answerWithEqualLengths(error: unknown): RefusedAnswer | null {
  const bytes = refusedBytes(error);
  const end = bytes?.indexOf("\r\n\r\n") ?? -1;
  if (bytes === null || end === -1) return null;
  const [first = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const status = /^HTTP\/1\.[01] ([2-5]\d\d)(?: |$)/.exec(first)?.[1];
  const headers: Record<string, string> = {};
  const lengths: string[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    if (name === "") return null;
    if (name.toLowerCase() === "content-length") lengths.push(value);
    else headers[name.toLowerCase()] ??= value;
  }
  const length = oneLength(lengths);
  if (status === undefined || length === null || headers["transfer-encoding"] !== undefined) return null;
  const body = bytes.subarray(end + 4, end + 4 + length);
  return { status: Number(status), headers: { ...headers, "content-length": String(length) }, body };
}
