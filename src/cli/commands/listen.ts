import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { serverEvents } from "../../client/event-stream.js";
import { openStream, send, Unreachable } from "../../client/send.js";
import type { EventName } from "../../features/webhooks/catalogue.js";
import { EXIT, type ExitCode, exitCodeOf } from "../exit-codes.js";
import { Failure } from "../failure.js";
import type { Io } from "../io.js";
import { palette } from "../output.js";
import { keepSecret } from "../profiles.js";
import { type GlobalFlags, resolveTarget, sendOrFail, type Target } from "../request.js";

/**
 * `listen`: events of a running service, forwarded to this machine. An emulator tells them live; any other host is asked
 * for its deliveries. Either way the payloads are signed here, with a secret of this machine, so nobody needs a tunnel.
 */

interface ListenFlags extends GlobalFlags {
  readonly forwardTo?: string;
  readonly route?: readonly string[];
  readonly events?: string;
  readonly printSecret?: boolean;
  readonly writeEnv?: string;
}

interface Heard {
  /** What tells it from others: a delivery or event seen twice is forwarded once. */
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const POLL_MS = 2_000;
const RECONNECT_MS = 1_000;
const ANSWER_MS = 30_000;
const PAGE = 100;

function usage(message: string): Failure {
  return new Failure(EXIT.usage, "usage", message);
}

function matcher(pattern: string): (type: string) => boolean {
  const expression = new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
  return (type) => expression.test(type);
}

function checkUrl(flag: string, text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw usage(`${flag} takes a complete URL such as http://localhost:3000/webhooks, not ${text}.`);
}

/** Where an event goes; null when nobody here wants it. */
function routesOf(flags: ListenFlags): (type: string) => string | null {
  const routes = (flags.route ?? []).map((text) => {
    const equals = text.indexOf("=");
    if (equals < 1) throw usage(`--route takes pattern=url, not ${text}.`);
    return { matches: matcher(text.slice(0, equals)), url: checkUrl("--route", text.slice(equals + 1)) };
  });
  const rest = flags.forwardTo === undefined ? null : checkUrl("--forward-to", flags.forwardTo);
  if (rest === null && routes.length === 0) throw usage("listen needs --forward-to or --route.");
  const wanted = flags.events?.split(",").map((name) => matcher(name.trim())) ?? [() => true];
  return (type) => {
    if (!wanted.some((matches) => matches(type))) return null;
    return routes.find(({ matches }) => matches(type))?.url ?? rest;
  };
}

/** Replaces the one line of the variable, or adds it. */
async function writeEnv(io: Io, file: string, secret: string): Promise<void> {
  const path = resolve(io.cwd, file);
  const line = `QA_PAY_WEBHOOK_SECRET=${secret}`;
  let text = "";
  try {
    text = await readFile(path, "utf8");
  } catch {
    // A file that is not there is made.
  }
  const known = /^(export\s+)?QA_PAY_WEBHOOK_SECRET=.*$/m;
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  await writeFile(path, known.test(text) ? text.replace(known, line) : `${text}${end}${line}\n`, { mode: 0o600 });
}

function headersFor({ apiKey }: Target, accept = "application/json"): Record<string, string> {
  return { accept, ...(apiKey === null ? {} : { apikey: apiKey }) };
}

async function read(target: Target, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const { status, text } = await sendOrFail({
    method: "GET",
    url: target.baseUrl + path,
    headers: headersFor(target),
    body: undefined,
  });
  if (status === 401) throw new Failure(EXIT.denied, "unauthorized", `${target.baseUrl} does not know the key.`);
  if (status >= 500) throw new Failure(EXIT.unreachable, "unreachable", `${target.baseUrl} answered ${status}.`);
  return { status, body: status < 400 ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** What an emulator has told since `last`, oldest first: a stream that broke off must not lose anything. */
async function missed(target: Target, last: string | null): Promise<Heard[]> {
  if (last === null) return [];
  const found: Heard[] = [];
  let after = "";
  for (;;) {
    const { body } = await read(target, `/_sandbox/events?limit=${PAGE}${after}`);
    for (const event of body.data as LoggedEvent[]) {
      if (event.id === last) return found.reverse();
      found.push(event);
    }
    if (typeof body.next_cursor !== "string") return found.reverse();
    after = `&after=${body.next_cursor}`;
  }
}

async function* fromEmulator(io: Io, target: Target, stop: AbortSignal): AsyncGenerator<Heard> {
  const newest = (await read(target, "/_sandbox/events?limit=1")).body.data as LoggedEvent[];
  let last = newest[0]?.id ?? null;
  while (!stop.aborted) {
    try {
      const url = `${target.baseUrl}/_sandbox/events`;
      const { status, body } = await openStream(url, headersFor(target, "text/event-stream"), stop);
      if (status >= 400) throw new Failure(exitCodeOf(status), "refused", `${target.baseUrl} answered ${status}.`);
      for (const event of await missed(target, last)) {
        last = event.id;
        yield event;
      }
      for await (const { data } of serverEvents(body)) {
        const event = JSON.parse(data) as LoggedEvent;
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (stop.aborted) return;
      if (error instanceof Failure && error.exitCode !== EXIT.unreachable) throw error;
    }
    if (!stop.aborted) await io.pause(RECONNECT_MS, stop);
  }
}

interface Delivery {
  readonly id: string;
  readonly eventType: string;
  readonly payload: Record<string, unknown>;
}

/** One event has a delivery for each endpoint; it is heard once. */
function eventKey({ eventType, payload }: Delivery): string {
  return typeof payload.id === "string" ? payload.id : `${eventType} ${JSON.stringify(payload.data)}`;
}

async function* fromDeliveries(io: Io, target: Target, stop: AbortSignal): AsyncGenerator<Heard> {
  const path = `/v1/webhooks/deliveries?limit=${PAGE}`;
  const seen = new Set(((await read(target, path)).body.data as Delivery[]).map(eventKey));
  while (!stop.aborted) {
    await io.pause(POLL_MS, stop);
    if (stop.aborted) return;
    try {
      const latest = (await read(target, path)).body.data as Delivery[];
      for (const delivery of latest.reverse()) {
        const key = eventKey(delivery);
        if (seen.has(key)) continue;
        seen.add(key);
        yield { id: delivery.id, type: delivery.eventType, payload: delivery.payload };
      }
    } catch (error) {
      // A host that is away for a while is asked again; a refusal will not get better.
      if (!(error instanceof Failure && error.exitCode === EXIT.unreachable)) throw error;
    }
  }
}

async function forward(io: Io, heard: Heard, url: string, secret: string) {
  const { signature } = await import("../../delivery/signer.js");
  const body = JSON.stringify(heard.payload);
  const headers = {
    "content-type": "application/json",
    "user-agent": "qa-pay-listen",
    "x-qa-signature": signature(heard.type as EventName, secret, body, io.now()),
    "x-qa-delivery-id": heard.id.startsWith("wd_") ? heard.id : `wd_${heard.id.replace(/^evt_/, "")}`,
    "x-qa-event-type": heard.type,
  };
  const started = io.now();
  try {
    const { status, text } = await send({ method: "POST", url, headers, body, timeoutMs: ANSWER_MS });
    return { status, text, error: null, ms: io.now() - started };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { status: null, text: "", error: error.message, ms: io.now() - started };
  }
}

async function relay(io: Io, heard: AsyncIterable<Heard>, secret: string, flags: ListenFlags): Promise<void> {
  const routeOf = routesOf(flags);
  const paint = await palette(io, flags.color !== false);
  for await (const event of heard) {
    const url = routeOf(event.type);
    if (url === null) continue;
    if (!flags.json) io.out(`--> ${paint.strong(event.type)} ${paint.dim(event.id)}\n`);
    const { status, text, error, ms } = await forward(io, event, url, secret);
    const good = status !== null && status >= 200 && status < 300;
    if (flags.json) {
      const line = { event: "delivery", type: event.type, event_id: event.id, url, status_code: status, error };
      io.out(`${JSON.stringify({ ...line, duration_ms: ms })}\n`);
      continue;
    }
    const outcome = (good ? paint.good : paint.bad)(status === null ? "failed" : String(status));
    io.out(`<-- ${outcome} POST ${url} ${ms} ms ${paint.dim(event.type)}\n`);
    const said = (error ?? text).trim().replace(/\s+/g, " ").slice(0, 300);
    if (!good && said !== "") io.out(`    ${said}\n`);
  }
}

export async function listen(io: Io, flags: ListenFlags): Promise<ExitCode> {
  const secret = keepSecret(io, () => `${io.random()}${io.random()}`.replaceAll("-", ""));
  if (flags.printSecret) {
    io.out(`${secret}\n`);
    return EXIT.done;
  }
  routesOf(flags);
  const target = await resolveTarget(io, flags);
  const { status, body } = await read(target, "/_sandbox");
  const isEmulator = status === 200 && body.emulator === "qa-pay";
  if (flags.writeEnv !== undefined) await writeEnv(io, flags.writeEnv, secret);
  const stop = new AbortController();
  io.onStop(() => stop.abort());
  if (flags.json) io.out(`${JSON.stringify({ event: "ready", url: target.baseUrl, secret })}\n`);
  else if (!flags.quiet) {
    const how = isEmulator ? "live" : `asking every ${POLL_MS / 1_000} seconds`;
    io.err(`Listening to ${target.baseUrl} (${how}). Ctrl-C stops.\nThe signing secret is ${secret}\n`);
  }
  const heard = isEmulator ? fromEmulator(io, target, stop.signal) : fromDeliveries(io, target, stop.signal);
  await relay(io, heard, secret, flags);
  return EXIT.done;
}
