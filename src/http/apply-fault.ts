import { ApiError, toEnvelope } from "../kernel/errors.js";
import type { FaultRule } from "../sandbox/control-interface.js";
import { MAX_BODY, readBody } from "./body.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";

/** Said in the headers of an injected 429 by a server that limits nobody. */
const MADE_UP_LIMIT = 60;

/** In Retry-After of a 429 whose rule names none: the header is always there (contract, section 7.2). */
const SHORTEST_WAIT_SECONDS = 1;

const NOTHING: Answer = { status: 0, text: "", headers: {} };

interface FaultyExchange {
  readonly rule: FaultRule;
  readonly exchange: Exchange;
  /** Throws `service_unavailable` when it is not worth waiting for any more. */
  readonly wait: (ms: number, bytes: number) => Promise<void>;
  /** Requests of one key that pass within a minute; null when they are not limited. */
  readonly limit: number | null;
}

/** The refusal of the contract's section 7.1 in place of what the service would have answered. */
function refusal({ rule, exchange, limit }: FaultyExchange, status: number): Answer {
  const { code = "internal_error", retry_after: given } = rule.effect;
  const retryAfter = given ?? (status === 429 ? SHORTEST_WAIT_SECONDS : undefined);
  const envelope = toEnvelope(new ApiError(code), exchange.requestId);
  return jsonAnswer(status, JSON.stringify(envelope), {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(status === 429
      ? { "x-ratelimit-limit-minute": String(limit ?? MADE_UP_LIMIT), "x-ratelimit-remaining-minute": "0" }
      : {}),
  });
}

/** What a body that comes in pieces, of which nobody says how many, is taken for. */
const UNKNOWN_SIZE = 65_536;

/** Bytes of the body, or of as much of it as is read. */
function bodySize({ request, body }: Exchange): number {
  if (body === undefined) return 0;
  return Math.min(Number(request.headers["content-length"] ?? UNKNOWN_SIZE), MAX_BODY);
}

/**
 * Carries out a request under the fault rule that it fell to. The connection itself is cut when the exchange ends, so
 * that one which is cut after the request was carried out has the lost answer in the log.
 */
export async function applyFault<Outcome>(
  faulty: FaultyExchange,
  carryOut: (exchange: Exchange) => Outcome | Promise<Outcome>,
): Promise<Outcome | Answer> {
  const { rule, exchange, wait } = faulty;
  const { latency_ms: latency = 0, drop, status } = rule.effect;
  let arrived = exchange;
  if (latency > 0) {
    // A client that hangs up meanwhile takes what was not read along, but a slow service has its request all the same.
    const body = exchange.request.method === "GET" ? undefined : readBody(exchange.request);
    body?.catch(() => undefined);
    arrived = { ...exchange, body };
    await wait(latency, bodySize(arrived));
  }
  if (drop === "before") return NOTHING;
  return status === undefined ? carryOut(arrived) : refusal(faulty, status);
}
