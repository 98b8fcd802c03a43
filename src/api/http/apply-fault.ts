import { ApiError, MAX_BODY, toEnvelope } from "../../base/kernel/errors.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { FaultRule } from "../../emulator/sandbox/fault-rules.js";
import { readBody } from "./body.js";
import { type Answer, type Exchange, jsonAnswer } from "./exchange.js";
import { quotaHeaders } from "./rate-limit.js";

/**
 * Retry-After of an injected 429 whose rule has none. A 429 always has this header (docs/service/errors.md#rate-limit).
 */
const SHORTEST_WAIT_SECONDS = 1;

const NOTHING: Answer = { status: 0, text: "", headers: {} };

interface FaultyExchange {
  readonly rule: FaultRule;
  readonly exchange: Exchange;
  /** Waits. Throws `service_unavailable` when a reset or the end of the server interrupts the wait. */
  readonly wait: (ms: number, bytes: number) => Promise<void>;
  /** The rate limit of one key, in requests within a minute; null without a limit. */
  readonly limit: number | null;
}

/** The refusal that the rule defines (docs/service/errors.md#envelope). */
function refusal({ rule, exchange, limit }: FaultyExchange, status: number): Answer {
  const { code = "internal_error", retry_after: given } = rule.effect;
  const retryAfter = given ?? (status === 429 ? SHORTEST_WAIT_SECONDS : undefined);
  // A person must not look for a fault of the service: its usual message would say that there is one.
  const message = `A fault rule of this emulator answered this request: ${ID_PREFIX.fault}${rule.id}. \`qa-pay sandbox faults list\` shows it.`;
  const envelope = toEnvelope(new ApiError(code, { message }), exchange.requestId);
  return jsonAnswer(status, JSON.stringify(envelope), {
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    ...(status === 429 && limit !== null ? quotaHeaders(limit, 0) : {}),
  });
}

/** The assumed size of a body without a content-length. */
const UNKNOWN_SIZE = 65_536;

/** The maximum of bytes that are read of the body. */
function bodySize({ request, body }: Exchange): number {
  if (body === undefined) return 0;
  return Math.min(Number(request.headers["content-length"] ?? UNKNOWN_SIZE), MAX_BODY);
}

/**
 * Carries out a request under a fault rule. The connection is cut only at the end of the exchange: for `drop: after`
 * the request log has the answer that the client never receives.
 */
export async function applyFault<Outcome>(
  faulty: FaultyExchange,
  carryOut: (exchange: Exchange) => Outcome | Promise<Outcome>,
): Promise<Outcome | Answer> {
  const { rule, exchange, wait } = faulty;
  const { latency_ms: latency = 0, drop, status } = rule.effect;
  let arrived = exchange;
  if (latency > 0) {
    // Read before the wait: the client may disconnect meanwhile, and a slow service would still have its request.
    const body = exchange.request.method === "GET" ? undefined : readBody(exchange.request);
    body?.catch(() => undefined);
    arrived = { ...exchange, body };
    await wait(latency, bodySize(arrived));
  }
  if (drop === "before") return NOTHING;
  return status === undefined ? carryOut(arrived) : refusal(faulty, status);
}
