import { hash } from "node:crypto";
import { StreamBroken, serverEvents } from "../../../../api/client/event-stream.js";
import type { FlagsOf, GlobalFlags } from "../../../../api/client/flags.js";
import { Unreachable } from "../../../../api/client/send.js";
import type { ListItem, OperationAnswer } from "../../../../api/client/types.js";
import { attemptErrorOf } from "../../../../base/kernel/attempt-errors.js";
import { isSuccess } from "../../../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { SIGNATURE_HEADER } from "../../../../base/kernel/webhook-signature.js";
import { isSigningSecret } from "../../../../base/kernel/webhook-url.js";
import type { AttemptResult } from "../../../../service/delivery/schedule.js";
import { requireEnvFile, writeVariables } from "../../files/write-env.js";
import { connect } from "../../host/connect.js";
import type { Connection } from "../../host/connection.js";
import { isEmulator, openEvents, readFrom, signingSecretOf } from "../../host/read.js";
import { keepSecret } from "../../profiles/profiles.js";
import { EXIT, type ExitCode, Failure, usage, wrongValue } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { palette } from "../../terminal/output.js";
import { jsonText, say } from "../../terminal/terminal-text.js";
import { defineCommand } from "../../tree/define-command.js";
import { eventFilter, eventMatcher } from "../event-pattern.js";
import { answerTimeOf, receiverUrl } from "../receiver.js";
import { createForwardQueue, type ForwardQueue } from "./forward-queue.js";
import { type Recent, recent } from "./recent.js";

/**
 * `listen`: forwards the events of a running service to a receiver on this machine, without a tunnel. An emulator
 * streams its events. From any other host it reads the deliveries every two seconds. The payloads are signed here: for
 * an emulator with the account's secret, for any other host with a secret that is stored on this machine.
 */

const FLAGS = {
  "--forward-to <url>": "URL for the events that match no route",
  "--route <pattern=url>": {
    about: "URL for events of a kind, such as charge.*=http://…; may be repeated",
    many: true,
  },
  "--events <names>": "only these (comma-separated; charge.* is a pattern)",
  "--timeout <duration>": { about: "how long a receiver may take to answer", default: "30s" },
  "--webhook-secret <secret>": "sign with this secret of 64 hexadecimal digits",
  "--print-secret": "print the signing secret and exit",
  "--write-env <file>": "write the secret into this file as QA_PAY_WEBHOOK_SECRET, keeping the rest",
} as const;

type ListenFlags = GlobalFlags & FlagsOf<typeof FLAGS>;

type EventPage = OperationAnswer<"sandbox.events">;

/** An event or a delivery that the service reported, by its id. Each id is forwarded only once. */
type ReportedEvent = Pick<EventPage["data"][number], "id" | "type" | "payload">;

const POLL_MS = 2_000;
const RECONNECT_MS = 1_000;
const PAGE = 100;
/** How long `listen` waits, after Ctrl-C, for the answers to requests that are already sent. */
const LAST_ANSWERS_MS = 1_000;

/** Returns a function from an event's type to its URL, or null when the event is not forwarded. */
function routesOf(flags: ListenFlags): (type: string) => string | null {
  const routes = (flags.route ?? []).map((text) => {
    const equals = text.indexOf("=");
    if (equals < 1) throw wrongValue("--route", "pattern=url", text);
    return {
      matches: eventMatcher("--route", text.slice(0, equals)),
      url: receiverUrl("--route", text.slice(equals + 1)),
    };
  });
  const rest = flags.forwardTo === undefined ? null : receiverUrl("--forward-to", flags.forwardTo);
  if (rest === null && routes.length === 0) {
    const example = "For example: qa-pay listen --forward-to http://localhost:3000/webhooks";
    throw usage("listen needs --forward-to or --route.", example);
  }
  const isWanted = eventFilter(flags.events);
  return (type) => (isWanted(type) ? (routes.find(({ matches }) => matches(type))?.url ?? rest) : null);
}

/** Reads one page of a list. Throws Failure when the host refuses, or answers without a list. */
async function readPage<Page extends { readonly data: readonly unknown[] }>(
  connection: Connection,
  path: string,
): Promise<Page> {
  const page = await readFrom<Page | null>(connection, path);
  if (Array.isArray(page?.data)) return page;
  throw new Failure(EXIT.unreachable, "unexpected_answer", `${connection.host.url} answered ${path} without a list.`);
}

/** Returns whether to try again after this error: the host was unreachable or busy. A refusal would come again. */
function isTemporary(error: unknown): boolean {
  const final: readonly number[] = [EXIT.denied, EXIT.notFound, EXIT.refused];
  if (error instanceof Failure) return !final.includes(error.exitCode);
  return error instanceof Unreachable || error instanceof StreamBroken;
}

/**
 * Reads the events after the event with the id `last`, oldest first, so that a broken stream loses no event. Reads all
 * events when `last` is null, which means that there was no event yet.
 */
async function readMissedEvents(connection: Connection, last: string | null): Promise<ReportedEvent[]> {
  const found: ReportedEvent[] = [];
  let after = "";
  for (;;) {
    const page = await readPage<EventPage>(connection, `/_sandbox/events?limit=${PAGE}${after}`);
    for (const event of page.data) {
      if (event.id === last) return found.reverse();
      found.push(event);
    }
    if (page.next_cursor === null) return found.reverse();
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}

/** Starts to listen to an emulator. Events that happened before this call returns are not reported. */
async function fromEmulator(io: Io, connection: Connection, stop: AbortSignal): Promise<AsyncIterable<ReportedEvent>> {
  const newest = await readPage<EventPage>(connection, "/_sandbox/events?limit=1");
  return liveEvents(io, connection, newest.data[0]?.id ?? null, stop);
}

async function* liveEvents(
  io: Io,
  connection: Connection,
  start: string | null,
  stop: AbortSignal,
): AsyncGenerator<ReportedEvent> {
  let last = start;
  while (!stop.aborted) {
    try {
      const stream = await openEvents(connection, "/_sandbox/events", stop);
      const before = await readMissedEvents(connection, last);
      for (const event of before) {
        last = event.id;
        yield event;
      }
      // The stream was opened before the log was read, so it may repeat some of these events.
      const reported = new Set(before.map(({ id }) => id));
      for await (const { event: kind, data } of serverEvents(stream)) {
        if (kind === "overflow") break;
        const event = JSON.parse(data) as ReportedEvent;
        if (reported.has(event.id)) continue;
        last = event.id;
        yield event;
      }
    } catch (error) {
      if (stop.aborted) return;
      if (!isTemporary(error)) throw error;
    }
    if (!stop.aborted) await io.pause(RECONNECT_MS, stop);
  }
}

type Delivery = Pick<ListItem<"webhooks.deliveries">, "id" | "eventType" | "payload">;

/**
 * A key that is the same for all deliveries of one event. An event has one delivery for each endpoint, but is forwarded
 * only once. For a payload without an id, the key is a digest of the data.
 */
function eventKey({ eventType, payload }: Delivery): string {
  if (typeof payload.id === "string") return payload.id;
  return hash("sha256", `${eventType} ${JSON.stringify(payload.data)}`, "base64url");
}

/** Reads the unknown deliveries, newest first. Reads pages until one contains a delivery that is known already. */
async function newDeliveries(connection: Connection, recentIds: Recent): Promise<Delivery[]> {
  const found = new Map<string, Delivery>();
  for (let offset = 0; ; offset += PAGE) {
    const path = `/v1/webhooks/deliveries?limit=${PAGE}&offset=${offset}`;
    const { data } = await readPage<{ data: readonly Delivery[] }>(connection, path);
    const fresh = data.filter(({ id }) => !recentIds.has(id));
    for (const delivery of fresh) found.set(delivery.id, delivery);
    if (fresh.length < PAGE) return [...found.values()];
  }
}

async function fromDeliveries(
  io: Io,
  connection: Connection,
  stop: AbortSignal,
): Promise<AsyncIterable<ReportedEvent>> {
  const { data } = await readPage<{ data: readonly Delivery[] }>(connection, `/v1/webhooks/deliveries?limit=${PAGE}`);
  return pollEvents(io, connection, data, stop);
}

async function* pollEvents(
  io: Io,
  connection: Connection,
  before: readonly Delivery[],
  stop: AbortSignal,
): AsyncGenerator<ReportedEvent> {
  const known = recent(before.map(({ id }) => id));
  const heard = recent(before.map(eventKey));
  while (!stop.aborted) {
    await io.pause(POLL_MS, stop);
    if (stop.aborted) return;
    let latest: Delivery[] = [];
    try {
      latest = await newDeliveries(connection, known);
    } catch (error) {
      if (!isTemporary(error)) throw error;
    }
    for (const delivery of latest.reverse()) {
      known.add(delivery.id);
      const key = eventKey(delivery);
      if (heard.has(key)) continue;
      heard.add(key);
      yield { id: delivery.id, type: delivery.eventType, payload: delivery.payload };
    }
  }
}

/**
 * Returns a function that sends an event to an address with the service's own signer and transport, so that receivers get the same as in
 * production.
 */
async function forwarderFor(io: Io, secret: string, timeoutMs: number, stop: AbortSignal) {
  const { signature } = await import("../../../../service/features/webhooks/envelope.js");
  const { createTransport } = await import("../../../../service/delivery/transport.js");
  const transport = createTransport({ real: io.real, insecureTls: false, timeoutMs });
  stop.addEventListener("abort", () => io.real.after(LAST_ANSWERS_MS, () => transport.close()), { once: true });
  return ({ id, type, payload }: ReportedEvent, url: string): Promise<AttemptResult> => {
    const body = JSON.stringify(payload);
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "qa-pay-listen",
      [SIGNATURE_HEADER]: signature(type, secret, body, io.now()),
      "x-qa-delivery-id": id.startsWith(ID_PREFIX.delivery) ? id : ID_PREFIX.delivery + id.replace(ID_PREFIX.event, ""),
      "x-qa-event-type": type,
    };
    return transport.post(url, headers, body);
  };
}

async function printerFor(io: Io, flags: ListenFlags) {
  const paint = await palette(io, flags.color !== false);
  return {
    onSending({ type, id }: ReportedEvent) {
      if (!flags.json) io.out(say`--> ${paint.strong(type)} ${paint.dim(id)}\n`);
    },
    onAnswer({ type, id }: ReportedEvent, url: string, result: AttemptResult) {
      const { statusCode: status, responseBody, durationMs: ms } = result;
      const { error } = attemptErrorOf(result.error);
      if (flags.json) {
        const line = { event: "delivery", type, event_id: id, url, status_code: status, error, duration_ms: ms };
        io.out(jsonText(line));
        return;
      }
      const good = isSuccess(status);
      const outcome = (good ? paint.good : paint.bad)(status === null ? "failed" : String(status));
      io.out(say`<-- ${outcome} POST ${url} ${ms} ms ${paint.dim(`${type} ${id}`)}\n`);
      const said = (error ?? responseBody ?? "").trim().replace(/\s+/g, " ").slice(0, 300);
      if (!good && said !== "") io.out(say`    ${said}\n`);
    },
  };
}

/**
 * Forwards the events in order. A receiver that does not answer delays the next event to the same URL only for a short
 * time, and never delays events to other URLs.
 */
async function relay(
  io: Io,
  heard: AsyncIterable<ReportedEvent>,
  flags: ListenFlags,
  { forward, stop }: { readonly forward: Awaited<ReturnType<typeof forwarderFor>>; readonly stop: AbortSignal },
): Promise<void> {
  const routeOf = routesOf(flags);
  const printer = await printerFor(io, flags);
  const queues = new Map<string, ForwardQueue>();
  for await (const event of heard) {
    if (stop.aborted) break;
    const url = routeOf(event.type);
    if (url === null) continue;
    const queue = queues.get(url) ?? createForwardQueue(io.real);
    queues.set(url, queue);
    const hasRoom = queue.add(async () => {
      if (stop.aborted) return;
      printer.onSending(event);
      printer.onAnswer(event, url, await forward(event, url));
    });
    if (!hasRoom) await queue.room();
  }
  await Promise.all([...queues.values()].map((queue) => queue.idle()));
}

/** Checks the value of --webhook-secret. Throws Failure (exit 2) for a wrong one; the message does not contain it. */
function checkSecret(text: string): void {
  if (isSigningSecret(text)) return;
  const message = "--webhook-secret takes 64 hexadecimal digits (0-9 a-f), as secrets of the service have.";
  throw usage(message, "`openssl rand -hex 32` generates one.");
}

/** Returns the secret that signs the forwarded events: that of the flag, else the emulator's, else one kept on this machine. */
async function secretFor(io: Io, connection: Connection, isLive: boolean, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  if (isLive) return signingSecretOf(connection);
  const kept = keepSecret(io, () => `${io.random()}${io.random()}`.replaceAll("-", ""));
  if (isSigningSecret(kept)) return kept;
  throw usage(
    "`listen_secret` in profiles.json is no secret of 64 hexadecimal digits.",
    "Remove it: `qa-pay listen` creates a new one.",
  );
}

async function listen(io: Io, flags: ListenFlags): Promise<ExitCode> {
  if (flags.webhookSecret !== undefined) checkSecret(flags.webhookSecret);
  if (!flags.printSecret) routesOf(flags);
  const timeoutMs = answerTimeOf("--timeout", flags.timeout);
  if (flags.writeEnv !== undefined) requireEnvFile(io, flags.writeEnv, ["QA_PAY_WEBHOOK_SECRET"], flags);
  const connection = await connect(io, flags);
  const isLive = await isEmulator(connection);
  const secret = await secretFor(io, connection, isLive, flags.webhookSecret);
  if (flags.printSecret) {
    io.out(say`${secret}\n`);
    return EXIT.done;
  }
  const stop = new AbortController();
  const heard = await (isLive ? fromEmulator : fromDeliveries)(io, connection, stop.signal);
  const variables = { QA_PAY_WEBHOOK_SECRET: secret };
  const warning = flags.writeEnv === undefined ? null : writeVariables(io, flags.writeEnv, variables, flags);
  if (warning !== null && !flags.json && !flags.quiet) io.err(say`Warning: ${warning}\n`);
  io.onStop(() => stop.abort());
  if (flags.json) io.out(jsonText({ event: "ready", url: connection.host.url, secret }));
  else if (!flags.quiet) {
    const how = isLive ? "events as they happen" : `polling every ${POLL_MS / 1_000} seconds`;
    io.err(say`Listening to ${connection.host.url} (${how}). Ctrl-C stops.\nThe signing secret is ${secret}\n`);
  }
  const forward = await forwarderFor(io, secret, timeoutMs, stop.signal);
  await relay(io, heard, flags, { forward, stop: stop.signal });
  return EXIT.done;
}

export const command = defineCommand({
  command: "listen",
  summary: "Forward events of a running service to this machine, signed, without a tunnel",
  flags: FLAGS,
  examples: [
    "qa-pay listen --forward-to http://localhost:3000/webhooks",
    "qa-pay listen --route 'charge.*=http://localhost:3000/charges' --route 'med*=http://localhost:3001/med' --write-env .env",
  ],
  sends: true,
  globals: { dryRun: false },
}).run(({ io, flags }) => listen(io, flags));
