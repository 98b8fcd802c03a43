import * as http from "node:http";
import { type AttemptError, AttemptFailure } from "../../base/kernel/attempt-errors.js";
import { isLoopbackHost } from "../../base/kernel/loopback.js";
import { mayBePlain } from "../../base/kernel/parse-host.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { isTimeOver, type Outgoing, sendRequest } from "../../base/platform/http-request.js";
import { type Answer, NO_ANSWER, readAnswer } from "./answer.js";
import { createGuardedLookup, type LookupAll } from "./guarded-lookup.js";
import type { AttemptResult } from "./schedule.js";

/** Real milliseconds that a receiver has to answer (docs/service/webhooks.md#retries). */
export const ANSWER_TIMEOUT_MS = 30_000;

const IDLE_MS = 60_000;

export interface TransportOptions {
  readonly real: RealTime;
  readonly insecureTls: boolean;
  readonly timeoutMs?: number;
  /** The limits for `http://` of a server. A command has none: its user names the address. */
  readonly plain?: PlainLimits | undefined;
}

/** The limits of requests over `http://`. They are checked at each request, because stored addresses may come from elsewhere. */
export interface PlainLimits {
  readonly allowHttp: readonly string[];
  /** True if this server may be in a container, where `localhost` is not the machine of the user. */
  readonly mayBeContainer: boolean;
  /** Replaces the resolver of the machine. */
  readonly lookup?: LookupAll | undefined;
}

/** How a request is sent: over node:http or node:https, with the connections that are kept. */
interface HttpSender {
  readonly request: typeof http.request;
  readonly agent: http.Agent;
}

/** Ends the requests under way over the connections of an agent. A signal would cost each request a listener. */
function giveUp(agent: http.Agent): void {
  for (const sockets of Object.values(agent.sockets))
    for (const socket of sockets ?? []) socket.destroy(new AttemptFailure({ code: "given_up", params: {} }));
}

/** Returns why there is no answer: our own reason inside the error of an exchange, else its message. */
function errorIn(thrown: unknown, url: string, plain: PlainLimits | undefined): AttemptError {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause = thrown } = thrown;
  if (cause instanceof AttemptFailure) return cause.reason;
  const isRefused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
  const host = isRefused && plain?.mayBeContainer ? new URL(url).hostname : "";
  return isLoopbackHost(host) ? { code: "refused_here", params: { host } } : thrown.message;
}

/** Throws for a request over `http://` that may not be sent. */
function checkPlain(url: string, limits: PlainLimits | undefined): void {
  if (limits === undefined) return;
  const { hostname: host } = new URL(url);
  if (!mayBePlain(host, limits.allowHttp)) throw new AttemptFailure({ code: "not_plain", params: { host } });
}

/** Reuses connections, which is several times faster than a new connection for each delivery. */
export function createTransport({ real, insecureTls, timeoutMs = ANSWER_TIMEOUT_MS, plain: limits }: TransportOptions) {
  const kept = { keepAlive: true, timeout: IDLE_MS };
  const lookup = limits === undefined ? {} : { lookup: createGuardedLookup(limits.lookup) };
  const plain: HttpSender = { request: http.request, agent: new http.Agent({ ...kept, ...lookup }) };
  const agents = [plain.agent];
  let secure: Promise<HttpSender> | null = null;

  /** node:https is loaded for the first receiver that has a certificate, because that takes time and a start needs none. */
  async function loadSecure(): Promise<HttpSender> {
    const https = await import("node:https");
    const agent = new https.Agent({ ...kept, rejectUnauthorized: !insecureTls });
    agents.push(agent);
    return { request: https.request, agent };
  }

  async function send(outgoing: Outgoing, patienceMs: number): Promise<Answer> {
    const patience = { real, timeoutMs: patienceMs };
    const through = ({ request, agent }: HttpSender) =>
      sendRequest(request, { agent, ...outgoing }, patience, (incoming) => readAnswer(incoming, real));
    if (!/^https:/i.test(outgoing.url)) {
      checkPlain(outgoing.url, limits);
      return through(plain);
    }
    secure ??= loadSecure();
    return secure.then(through);
  }

  return {
    /** Sends one request. Never rejects: a failure is a result. `patienceMs` replaces the usual time for an answer. */
    async post(
      url: string,
      headers: Readonly<Record<string, string>>,
      body: Outgoing["body"],
      patienceMs = timeoutMs,
    ): Promise<AttemptResult> {
      const started = real.monotonic();
      const durationMs = () => Math.round(real.monotonic() - started);
      try {
        const answer = await send({ method: "POST", url, headers, body }, patienceMs);
        return { error: null, timedOut: false, durationMs: durationMs(), ...answer };
      } catch (thrown) {
        const error = errorIn(thrown, url, limits);
        return { ...NO_ANSWER, error, timedOut: isTimeOver(thrown), durationMs: durationMs() };
      }
    },
    /** Ends all requests under way; they fail. */
    abort(): void {
      for (const agent of agents) giveUp(agent);
    },
    /** Ends all requests under way and closes all connections. */
    close(): void {
      for (const agent of agents) {
        giveUp(agent);
        agent.destroy();
      }
    },
  };
}

export type Transport = ReturnType<typeof createTransport>;
