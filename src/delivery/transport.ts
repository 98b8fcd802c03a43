import * as http from "node:http";
import * as https from "node:https";
import type { RealTime } from "../kernel/runtime.js";
import { type AttemptResult, retryAfter } from "./schedule.js";

/** Real seconds that a receiver has to answer (contract, section 6.6); no emulated clock governs a socket. */
export const ANSWER_TIMEOUT_MS = 30_000;
/** How much of an answer is kept. */
const KEPT_BODY = 16_384;

export interface Transport {
  /** Never rejects: whatever goes wrong is a result. */
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<AttemptResult>;
  close(): void;
}

export interface TransportOptions {
  readonly real: RealTime;
  readonly insecureTls: boolean;
  readonly timeoutMs?: number;
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "the host name does not resolve",
  EAI_AGAIN: "the host name could not be resolved",
  ETIMEDOUT: "connection timed out",
  EPIPE: "connection closed while sending",
  DEPTH_ZERO_SELF_SIGNED_CERT: "invalid TLS certificate: self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "invalid TLS certificate: self-signed in its chain",
  CERT_HAS_EXPIRED: "invalid TLS certificate: expired",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "invalid TLS certificate: issuer unknown",
  ERR_TLS_CERT_ALTNAME_INVALID: "invalid TLS certificate: made out to another host",
};

function explain(error: Error & { code?: string }): string {
  const code = error.code ?? "";
  const text = EXPLANATIONS[code];
  return text === undefined ? error.message : `${text} (${code})`;
}

type Agents = Readonly<Record<"http:" | "https:", http.Agent>>;

function send(
  agents: Agents,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): http.ClientRequest {
  const target = new URL(url);
  const secure = target.protocol === "https:";
  const options = { method: "POST", headers, agent: agents[secure ? "https:" : "http:"] };
  const request = (secure ? https : http).request(target, options);
  request.end(body);
  return request;
}

type Ended = Pick<AttemptResult, "statusCode" | "responseBody" | "retryAfterMs">;

/** The start of the answer's body, once all of it has come. */
function readAnswer(response: http.IncomingMessage, real: RealTime): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let kept = "";
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      if (kept.length < KEPT_BODY) kept = (kept + text).slice(0, KEPT_BODY);
    });
    response.on("error", reject);
    response.on("end", () => {
      const receiverNow = Date.parse(response.headers.date ?? "");
      const now = Number.isNaN(receiverNow) ? real.epoch() : receiverNow;
      const retryAfterMs = retryAfter(response.headers["retry-after"], now);
      resolve({ statusCode: response.statusCode ?? null, responseBody: kept, retryAfterMs });
    });
  });
}

/** One exchange with a receiver. Rejects with whatever the network said, or with the timeout. */
function exchange(start: () => http.ClientRequest, real: RealTime, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const request = start();
    const timer = real.after(timeoutMs, () => {
      request.destroy(new Error(`no answer within ${timeoutMs / 1_000} seconds`));
    });
    request.on("response", (response) => {
      readAnswer(response, real).then(resolve, reject);
    });
    request.on("error", reject);
    request.on("close", () => timer.cancel());
  });
}

/**
 * Plain node:http with connections kept alive: several times the rate of fetch, and a redirect is what it should be
 * here, an answer that is not 2xx.
 */
export function createTransport({ real, insecureTls, timeoutMs = ANSWER_TIMEOUT_MS }: TransportOptions): Transport {
  const agents: Agents = {
    "http:": new http.Agent({ keepAlive: true, maxSockets: 64 }),
    "https:": new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: !insecureTls }),
  };
  return {
    async post(url, headers, body) {
      const started = real.monotonic();
      let ended: Ended = { statusCode: null, responseBody: "", retryAfterMs: null };
      let error: string | null = null;
      try {
        ended = await exchange(() => send(agents, url, headers, body), real, timeoutMs);
      } catch (thrown) {
        error = thrown instanceof Error ? explain(thrown) : String(thrown);
      }
      return { ...ended, error, durationMs: Math.round(real.monotonic() - started) };
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
