import { setMaxListeners } from "node:events";
import * as http from "node:http";
import type { Agent as SecureAgent } from "node:https";
import { urlToHttpOptions } from "node:url";
import { exchange, isTimeOver, type Outgoing } from "../client/exchange.js";
import { createCache } from "../kernel/cache.js";
import { isLoopbackHost } from "../kernel/loopback.js";
import type { RealTime } from "../kernel/runtime.js";
import { type Answer, NO_ANSWER, readAnswer } from "./answer.js";
import { IDLE_MS, PlainConnections } from "./plain-connections.js";
import { type PlainPlace, plainText } from "./plain-request.js";
import type { AttemptResult } from "./schedule.js";

/** Real milliseconds that a receiver has to answer (docs/service/webhooks.md#retries). */
export const ANSWER_TIMEOUT_MS = 30_000;

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

/** The parts of a URL that a connection and the line of a request are made of. */
type Target = Pick<http.RequestOptions, "protocol" | "hostname" | "port" | "path" | "auth"> & {
  /** Null when the request does not go to this machine over plain HTTP. */
  readonly plain: PlainPlace | null;
};

const TARGET_BYTES = 1_048_576;

function targetFor(text: string): Target {
  const url = new URL(text);
  const { protocol, hostname, port, path, auth } = urlToHttpOptions(url);
  const isPlain = protocol === "http:" && isLoopbackHost(url.hostname) && auth === undefined;
  const plain = isPlain ? { hostname: hostname ?? "", port: Number(port ?? 80), path: path ?? "/" } : null;
  return { protocol, hostname, port, path, plain, ...(auth === undefined ? {} : { auth }) };
}

/**
 * Returns a function that takes a URL apart. Deliveries go to the same few URLs, and node:http would take the URL apart for
 * each of them.
 */
function createTargets(): (url: string) => Target {
  const known = createCache<Target>(TARGET_BYTES, ({ path }) => path ?? "");
  return (url) => {
    let target = known.get(url);
    if (target === undefined) {
      target = targetFor(url);
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

/** How a request is sent: over node:http or node:https, with the connections that are kept. */
interface Way {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

/** Sends requests over node:http and node:https. */
function createNodeSender({ real, insecureTls }: TransportOptions, targetOf: (url: string) => Target) {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const plain: Way = { request: http.request, agent: new http.Agent(kept) };
  let secureAgent: SecureAgent | null = null;
  let underWay = newController();

  /** node:https is loaded for the first receiver that has a certificate, because that takes time and a start needs none. */
  async function secure(): Promise<Way> {
    const https = await import("node:https");
    secureAgent ??= new https.Agent({ ...kept, rejectUnauthorized: !insecureTls });
    return { request: https.request, agent: secureAgent };
  }

  function abort(): void {
    underWay.abort(new Error("the attempt was given up"));
    underWay = newController();
  }

  return {
    send(outgoing: Outgoing, timeoutMs: number): Promise<Answer> {
      const limits = { real, timeoutMs, signal: underWay.signal };
      const through = ({ request, agent }: Way) => {
        const open = (to: string, options: http.RequestOptions) => {
          const { plain: _, ...target } = targetOf(to);
          return request({ ...target, ...options });
        };
        return exchange(open, { ...outgoing, agent }, limits, (incoming) => readAnswer(incoming, real));
      };
      return /^https:/i.test(outgoing.url) ? secure().then(through) : through(plain);
    },
    abort,
    close() {
      abort();
      plain.agent.destroy();
      secureAgent?.destroy();
    },
  };
}

/** Reuses connections, which is several times faster than a new connection for each delivery. */
export function createTransport(options: TransportOptions): Transport {
  const { real, timeoutMs = ANSWER_TIMEOUT_MS } = options;
  const targetOf = createTargets();
  const others = createNodeSender(options, targetOf);
  const plain = new PlainConnections(real);

  function send(outgoing: Outgoing, patienceMs: number): Promise<Answer> {
    const to = targetOf(outgoing.url).plain;
    const text = to === null ? null : plainText(to, outgoing);
    return to === null || text === null
      ? others.send(outgoing, patienceMs)
      : plain.send(to, { outgoing, text, patienceMs });
  }

  /** The members are written out: a spread would take longer than the rest of it. */
  function resultOf(answer: Answer, started: number, error: string | null, timedOut: boolean): AttemptResult {
    return {
      statusCode: answer.statusCode,
      error,
      timedOut,
      responseBody: answer.responseBody,
      responseHeaders: answer.responseHeaders,
      retryAfterMs: answer.retryAfterMs,
      durationMs: Math.round(real.monotonic() - started),
    };
  }

  return {
    async post(url, headers, body, patienceMs = timeoutMs) {
      const started = real.monotonic();
      try {
        const answer = await send({ method: "POST", url, headers, body }, patienceMs);
        return resultOf(answer, started, null, false);
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown.message : String(thrown);
        return resultOf(NO_ANSWER, started, error, isTimeOver(thrown));
      }
    },
    abort() {
      others.abort();
      plain.abort();
    },
    close() {
      others.close();
      plain.close();
    },
  };
}
