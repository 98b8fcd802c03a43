import { setMaxListeners } from "node:events";
import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";
import { exchange, type Incoming, isTimeOver, type Outgoing, readText } from "../client/exchange.js";
import { createCache } from "../kernel/cache.js";
import type { RealTime } from "../kernel/runtime.js";
import { type AttemptResult, retryAfter } from "./schedule.js";

/** Real milliseconds that a receiver has to answer (docs/service/webhooks.md#retries). */
export const ANSWER_TIMEOUT_MS = 30_000;
/** Bytes of an answer that are stored. */
const KEPT_BODY = 16_384;
/** Bytes of the names and values of an answer's headers that are stored. */
const KEPT_HEADERS = 2_048;
/** Bytes of an answer that are read. The rest of a longer answer is not: the connection is closed, the status counts. */
const READ_BODY = 1_048_576;
/** Real milliseconds after which an idle connection is closed. */
const IDLE_MS = 60_000;

export interface Transport {
  /** Sends one request. Never rejects: a failure is a result. `patienceMs` replaces the usual time for an answer. */
  post(
    url: string,
    headers: Readonly<Record<string, string>>,
    body: Outgoing["body"],
    patienceMs?: number,
  ): Promise<AttemptResult>;
  /** Ends all requests under way; they fail. */
  abort(): void;
  /** Ends all requests under way and closes all connections. */
  close(): void;
}

export interface TransportOptions {
  readonly real: RealTime;
  readonly insecureTls: boolean;
  readonly timeoutMs?: number;
}

type Ended = Pick<AttemptResult, "statusCode" | "responseBody" | "responseHeaders" | "retryAfterMs">;

const NOTHING: Ended = { statusCode: null, responseBody: "", responseHeaders: {}, retryAfterMs: null };

/** Returns the headers of an answer as far as they are stored. One that does not fit is left out; later ones may fit. */
function keptHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
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

/** Reads an answer to its end, or as far as it is read, and answers the part that counts. */
async function ended(incoming: Incoming, real: RealTime): Promise<Ended> {
  const { text } = await readText(incoming, { keep: KEPT_BODY, read: READ_BODY });
  return {
    statusCode: incoming.status,
    responseBody: text,
    responseHeaders: keptHeaders(incoming.headers),
    retryAfterMs: waitAskedFor(incoming.headers, real),
  };
}

/** Milliseconds that a Retry-After header asks for; null without one. */
function waitAskedFor(
  { date = "", "retry-after": asked }: http.IncomingHttpHeaders,
  real: Pick<RealTime, "epoch">,
): number | null {
  if (asked === undefined) return null;
  const receiverNow = Date.parse(date);
  return retryAfter(asked, Number.isNaN(receiverNow) ? real.epoch() : receiverNow);
}

/** The parts of a URL that a connection and the line of a request are made of. */
type Target = Pick<http.RequestOptions, "protocol" | "hostname" | "port" | "path" | "auth">;

const TARGET_BYTES = 1_048_576;

/**
 * Returns a function that takes a URL apart. Deliveries go to the same few URLs, and node:http would take the URL apart for
 * each of them.
 */
function createTargets(): (url: string) => Target {
  const known = createCache<Target>(TARGET_BYTES, ({ path }) => path ?? "");
  return (url) => {
    let target = known.get(url);
    if (target === undefined) {
      const { protocol, hostname, port, path, auth } = urlToHttpOptions(new URL(url));
      target = { protocol, hostname, port, path, ...(auth === undefined ? {} : { auth }) };
      known.keep(url, target);
    }
    return target;
  };
}

/** A controller for any number of requests. Node would warn of a leak beyond ten listeners of one signal. */
function newController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Reuses connections, which is several times faster than a new connection for each delivery. */
export function createTransport({ real, insecureTls, timeoutMs = ANSWER_TIMEOUT_MS }: TransportOptions): Transport {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const agents = {
    http: new http.Agent(kept),
    https: new https.Agent({ ...kept, rejectUnauthorized: !insecureTls }),
  };
  const targetOf = createTargets();
  let underWay = newController();

  function abort(): void {
    underWay.abort(new Error("the attempt was given up"));
    underWay = newController();
  }

  return {
    async post(url, headers, body, patienceMs = timeoutMs) {
      const started = real.monotonic();
      const isSecure = /^https:/i.test(url);
      const outgoing = { method: "POST", url, headers, body, agent: agents[isSecure ? "https" : "http"] };
      const request = isSecure ? https.request : http.request;
      const open = (to: string, options: http.RequestOptions) => request({ ...targetOf(to), ...options });
      const limits = { real, timeoutMs: patienceMs, signal: underWay.signal };
      let answer = NOTHING;
      let error: string | null = null;
      let timedOut = false;
      try {
        answer = await exchange(open, outgoing, limits, (incoming) => ended(incoming, real));
      } catch (thrown) {
        error = thrown instanceof Error ? thrown.message : String(thrown);
        timedOut = isTimeOver(thrown);
      }
      return { ...answer, error, timedOut, durationMs: Math.round(real.monotonic() - started) };
    },
    abort,
    close() {
      abort();
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
