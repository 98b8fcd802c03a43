import { serverEvents } from "../../client/event-stream.js";
import { openStream, queryString, Unreachable } from "../../client/send.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { type Palette, palette, timeText } from "../output.js";
import { type GlobalFlags, readFrom, refusedBy, requireEmulator, requireKey, resolveTarget } from "../request.js";
import { bodyText, joined, jsonText, say, type TerminalText, visibleLines } from "../terminal-text.js";

/** What the emulator was asked: live, or one request with everything it said. */

interface TailFlags extends GlobalFlags {
  readonly method?: string;
  readonly path?: string;
  readonly status?: string;
}

interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  /** 0: the connection was cut and nothing was answered. */
  readonly status: number;
  readonly duration_ms: number;
  readonly request_body: unknown;
  readonly response_body: unknown;
  /** Id of the fault rule that made it so. */
  readonly fault?: string | null;
}

/** What came of it, and how long that took. */
function outcomeOf({ status, duration_ms, fault }: LoggedRequest): { outcome: string; took: string } {
  const by = fault === undefined || fault === null ? "" : ` ${fault}`;
  return { outcome: status === 0 ? "cut" : String(status), took: `${Math.round(duration_ms)} ms${by}` };
}

/** One line for a person. */
function lineOf(entry: LoggedRequest, paint: Palette, utc = false): TerminalText {
  const { at, method, path, status, id } = entry;
  const { outcome, took } = outcomeOf(entry);
  const shade = status > 0 && status < 400 ? paint.good : paint.bad;
  return say`${paint.dim(timeText(at, utc))} ${shade(outcome)} ${method} ${path} ${paint.dim(`${took} ${id}`)}\n`;
}

const MISSED =
  "Requests came faster than they could be shown, so some are missing here; `qa-pay sandbox requests` lists the latest.";

/** Shows what a stream tells until it ends. Answers whether it ended because it was read too slowly. */
async function showStream(body: AsyncIterable<Uint8Array>, print: (data: string) => void): Promise<boolean> {
  let isTooSlow = false;
  for await (const { event, data } of serverEvents(body)) {
    if (event === "overflow") isTooSlow = true;
    else print(data);
  }
  return isTooSlow;
}

export async function tailLogs(io: Io, flags: TailFlags): Promise<ExitCode> {
  const target = await resolveTarget(io, flags);
  await requireEmulator(target);
  const { path, status } = flags;
  const query = queryString({ method: flags.method?.toUpperCase(), path, status });
  const url = `${target.baseUrl}/_sandbox/requests${query}`;
  const stop = new AbortController();
  const paint = await palette(io, flags.color !== false);
  const print = (data: string) =>
    io.out(flags.json ? bodyText(io, `${data}\n`) : lineOf(JSON.parse(data) as LoggedRequest, paint, flags.utc));
  async function open(): Promise<AsyncIterable<Uint8Array>> {
    const headers = { accept: "text/event-stream", apikey: requireKey(target) };
    const stream = await openStream(url, headers, stop.signal);
    if (!("body" in stream)) throw refusedBy(target, stream.status, stream.text);
    return stream.body;
  }
  try {
    let body = await open();
    io.onStop(() => stop.abort());
    if (!flags.quiet && !flags.json) io.err(say`Following requests. Ctrl-C stops.\n`);
    while (await showStream(body, print)) {
      io.err(say`${MISSED}\n`);
      body = await open();
    }
  } catch (error) {
    if (stop.signal.aborted) return EXIT.done;
    if (error instanceof Failure) throw error;
    if (error instanceof Unreachable) throw new Failure(EXIT.unreachable, "unreachable", error.message);
  }
  if (stop.signal.aborted) return EXIT.done;
  throw new Failure(EXIT.unreachable, "unreachable", `Nobody answers at ${target.baseUrl} any more.`);
}

/** Looks through the log page by page: it keeps the latest requests only. */
export async function showLog(io: Io, id: string, flags: GlobalFlags): Promise<ExitCode> {
  const target = await resolveTarget(io, flags);
  await requireEmulator(target);
  let after: string | undefined;
  do {
    const path = `/_sandbox/requests${queryString({ limit: 100, after })}`;
    const page = await readFrom<{ data: LoggedRequest[]; next_cursor: string | null }>(target, path);
    const found = page.data.find((entry) => entry.id === id);
    if (found !== undefined) {
      show(io, found, flags);
      return EXIT.done;
    }
    after = page.next_cursor ?? undefined;
  } while (after !== undefined);
  throw new Failure(EXIT.notFound, "not_found", `There is no request ${id} in the log; it keeps the latest ones only.`);
}

function show(io: Io, entry: LoggedRequest, flags: GlobalFlags): void {
  if (flags.json) {
    io.out(jsonText(entry));
    return;
  }
  const { method, path, at, request_body, response_body } = entry;
  const { outcome, took } = outcomeOf(entry);
  io.out(say`${method} ${path}\n${timeText(at, flags.utc)}  ${outcome}  ${took}\n`);
  for (const [mark, body] of [[">", request_body] as const, ["<", response_body] as const]) {
    if (body !== null && body !== "") io.out(say`\n${marked(mark, body)}\n`);
  }
}

/** Every line of a text has the mark, so that none of them looks like one of this program. */
function marked(mark: string, body: unknown): TerminalText {
  if (typeof body !== "string") return say`${mark} ${visibleLines(JSON.stringify(body, null, 2))}`;
  return joined(
    body.split("\n").map((line) => say`${mark} ${line}`),
    "\n",
  );
}
