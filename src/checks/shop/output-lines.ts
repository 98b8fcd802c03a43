import { shorten } from "../../base/kernel/errors.js";

/** The newest lines of a shop's output. Its request log is shortened, because the timeline already shows the requests. */

const METHOD = "(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)";
/** A request and its status, in this order: Apache, Python, uvicorn, morgan. */
const REQUEST_FIRST = new RegExp(
  String.raw`\b(${METHOD})\s{1,3}"?(\/[^\s"]{0,200})"?(?:\s{1,3}HTTP\/[\d.]{1,3})?"?[\s:|>-]{1,10}([1-5]\d\d)\b`,
);
/** The status first: PHP's server, gin. */
const STATUS_FIRST = new RegExp(
  String.raw`(?:\[|\|\s{0,3})([1-5]\d\d)(?:\]|\s{0,3}\|)(?:[^/]{0,80}?)\b(${METHOD})\s{1,8}"?(\/[^\s"]{0,200})`,
);
/** The lines of PHP's server about each connection. */
const CONNECTION = /\d:\d{1,5} (?:Accepted|Closing)$/;
/** The longest line. A longer one is no log of a request, and is cut. */
const MOST = 1_000;

/** Shortens a line of a request log to `POST /webhooks 200`; empty for a line about a connection, null for any other line. */
function requestIn(line: string): string | null {
  if (line.length > MOST) return null;
  if (CONNECTION.test(line)) return "";
  const [, method, path, status] = REQUEST_FIRST.exec(line) ?? [];
  if (method !== undefined) return `${method} ${path} ${status}`;
  const [, code, verb, place] = STATUS_FIRST.exec(line) ?? [];
  return verb === undefined ? null : `${verb} ${place} ${code}`;
}

/** At most so many lines. Requests stand on one line as long as they repeat. */
export function lastLines(output: string, most: number): string[] {
  const lines: { readonly text: string; times: number }[] = [];
  for (const line of output.trimEnd().split("\n")) {
    const request = requestIn(line.trimEnd());
    if (request === "") continue;
    const last = lines.at(-1);
    if (request !== null && last?.text === request) last.times += 1;
    else lines.push({ text: request ?? shorten(line, MOST), times: 1 });
  }
  return lines.slice(-most).map(({ text, times }) => (times === 1 ? text : `${text} (${times} times)`));
}
