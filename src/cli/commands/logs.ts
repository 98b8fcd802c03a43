import { serverEvents } from "../../client/event-stream.js";
import { openStream } from "../../client/fetching.js";
import { queryString, Unreachable } from "../../client/send.js";
import { EXIT, type ExitCode } from "../exit-codes.js";
import { Failure, jsonOf, refusalOf } from "../failure.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { type GlobalFlags, notEmulator, resolveTarget, sendOrFail, type Target } from "../request.js";

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
  readonly status: number;
  readonly duration_ms: number;
  readonly request_body: unknown;
  readonly response_body: unknown;
}

function headersFor({ apiKey }: Target, accept: string): Record<string, string> {
  return { accept, ...(apiKey === null ? {} : { apikey: apiKey }) };
}

export async function tailLogs(io: Io, flags: TailFlags): Promise<ExitCode> {
  const target = await resolveTarget(io, flags);
  const { method, path, status } = flags;
  const url = `${target.baseUrl}/_sandbox/requests${queryString({ method, path, status })}`;
  const stop = new AbortController();
  const paint = await palette(io, flags.color !== false);
  try {
    const answer = await openStream(url, headersFor(target, "text/event-stream"), stop.signal);
    if (answer.status === 404) throw notEmulator(target);
    if (answer.status !== 200) throw refusalOf(answer.status, await new Response(answer.body).text());
    io.onStop(() => stop.abort());
    if (!flags.quiet && !flags.json) io.err("Following requests. Ctrl-C stops.\n");
    for await (const { data } of serverEvents(answer.body)) {
      if (flags.json) {
        io.out(`${data}\n`);
        continue;
      }
      const entry = JSON.parse(data) as LoggedRequest;
      const shade = entry.status < 400 ? paint.good : paint.bad;
      io.out(
        `${paint.dim(entry.at)} ${shade(String(entry.status))} ${entry.method} ${entry.path} ` +
          `${paint.dim(`${Math.round(entry.duration_ms)} ms ${entry.id}`)}\n`,
      );
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
  let after: string | undefined;
  do {
    const url = `${target.baseUrl}/_sandbox/requests${queryString({ limit: 100, after })}`;
    const answer = await sendOrFail({
      method: "GET",
      url,
      headers: headersFor(target, "application/json"),
      body: undefined,
    });
    if (answer.status === 404) throw notEmulator(target);
    if (answer.status !== 200) throw refusalOf(answer.status, answer.text);
    const page = jsonOf(answer.text) as { data: LoggedRequest[]; next_cursor: string | null };
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
    io.out(`${JSON.stringify(entry)}\n`);
    return;
  }
  const printed = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body, null, 2));
  io.out(`${entry.method} ${entry.path}\n${entry.at}  ${entry.status}  ${Math.round(entry.duration_ms)} ms\n`);
  if (entry.request_body !== null && entry.request_body !== "") io.out(`\n> ${printed(entry.request_body)}\n`);
  io.out(`\n< ${printed(entry.response_body)}\n`);
}
