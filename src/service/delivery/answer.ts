import type { IncomingHttpHeaders } from "node:http";
import type { RealTime } from "../../base/kernel/runtime.js";
import { type Incoming, readText } from "../../base/platform/http-request.js";
import { type AttemptResult, retryAfter } from "./schedule.js";

/** Bytes of the last failed answer's body that are stored with its delivery. */
const LAST_ANSWER_BYTES = 16_384;
/** Bytes of the names and values of an answer's headers that are stored. */
const KEPT_HEADERS = 2_048;
/** Bytes of an answer that are read. The rest of a longer answer is not: the connection is closed, the status counts. */
const READ_BODY = 1_048_576;

export type Answer = Pick<AttemptResult, "statusCode" | "responseBody" | "responseHeaders" | "retryAfterMs">;

export const NO_ANSWER: Answer = { statusCode: null, responseBody: "", responseHeaders: {}, retryAfterMs: null };

/** Returns the headers of an answer as far as they are stored. One that does not fit is left out; later ones may fit. */
function selectHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(", ") : (value ?? "");
    const length = name.length + Buffer.byteLength(text);
    if (size + length > KEPT_HEADERS) continue;
    size += length;
    kept[name] = text;
  }
  return kept;
}

/** The milliseconds of a Retry-After header; null without one. */
function retryAfterOf(
  { date = "", "retry-after": asked }: IncomingHttpHeaders,
  real: Pick<RealTime, "epoch">,
): number | null {
  if (asked === undefined) return null;
  const receiverNow = Date.parse(date);
  return retryAfter(asked, Number.isNaN(receiverNow) ? real.epoch() : receiverNow);
}

export async function readAnswer(incoming: Incoming, real: RealTime): Promise<Answer> {
  const { status, headers } = incoming;
  const { text } = await readText(incoming, { keep: LAST_ANSWER_BYTES, read: READ_BODY });
  return {
    statusCode: status,
    // Some drivers of SQLite end a text at a NUL, and lose the rest.
    responseBody: text.replaceAll("\0", "\ufffd"),
    responseHeaders: selectHeaders(headers),
    retryAfterMs: retryAfterOf(headers, real),
  };
}
