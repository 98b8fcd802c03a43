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

/**
 * Plain node:http with connections kept alive: several times the rate of fetch, and a redirect is what it should be
 * here, an answer that is not 2xx.
 */
export function createTransport({ real, insecureTls, timeoutMs = ANSWER_TIMEOUT_MS }: TransportOptions): Transport {
  const agents = {
    "http:": new http.Agent({ keepAlive: true, maxSockets: 64 }),
    "https:": new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: !insecureTls }),
  };

  function send(url: string, headers: Readonly<Record<string, string>>, body: string): http.ClientRequest {
    const target = new URL(url);
    const secure = target.protocol === "https:";
    const options = { method: "POST", headers, agent: agents[secure ? "https:" : "http:"] };
    const request = (secure ? https : http).request(target, options);
    request.end(body);
    return request;
  }

  return {
    post(url, headers, body) {
      const started = real.monotonic();
      return new Promise((resolve) => {
        let statusCode: number | null = null;
        let kept = "";
        const finish = (error: string | null, retryAfterMs: number | null = null) => {
          timer.cancel();
          const durationMs = Math.round(real.monotonic() - started);
          resolve({
            statusCode: error === null ? statusCode : null,
            error,
            responseBody: kept,
            retryAfterMs,
            durationMs,
          });
        };
        let request: http.ClientRequest;
        const timer = real.after(timeoutMs, () => {
          finish(`no answer within ${timeoutMs / 1_000} seconds`);
          request?.destroy();
        });
        try {
          request = send(url, headers, body);
        } catch (error) {
          finish(error instanceof Error ? error.message : String(error));
          return;
        }
        request.on("error", (error) => finish(explain(error)));
        request.on("response", (response) => {
          statusCode = response.statusCode ?? null;
          response.setEncoding("utf8");
          response.on("data", (text: string) => {
            if (kept.length < KEPT_BODY) kept = (kept + text).slice(0, KEPT_BODY);
          });
          response.on("error", (error) => finish(explain(error)));
          response.on("end", () => {
            const receiverNow = Date.parse(response.headers.date ?? "");
            const now = Number.isNaN(receiverNow) ? real.epoch() : receiverNow;
            finish(null, retryAfter(response.headers["retry-after"], now));
          });
        });
      });
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
