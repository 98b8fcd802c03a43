import type { EmulatedClock } from "../../service/jobs/clock.js";

/**
 * The rate limit of one API key (docs/service/errors.md#rate-limit, docs/decisions/022-guards.md). Windows are emulated
 * time.
 */

const WINDOW_MS = 60_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The number of requests at one instant. */
interface PassedRequests {
  readonly at: number;
  count: number;
}

interface Usage {
  /** The oldest first. */
  readonly passed: PassedRequests[];
  total: number;
}

/** Removes the entries before the window that ends now. */
function forgetOld(usage: Usage, now: number): void {
  for (let [oldest] = usage.passed; oldest !== undefined && now - oldest.at >= WINDOW_MS; [oldest] = usage.passed) {
    usage.total -= oldest.count;
    usage.passed.shift();
  }
}

/**
 * At most `limit` requests of a key pass within any 60 seconds: a request counts for exactly one minute. At most one entry
 * per millisecond is kept. Entries of idle keys are removed when a new key appears.
 */
export function createRateLimiter(limit: number, clock: Pick<EmulatedClock, "now" | "realMs">) {
  const usages = new Map<string, Usage>();

  function usageOf(key: string, now: number): Usage {
    const known = usages.get(key);
    // An entry from the future means that the clock was set back, for example by a reset. The key starts anew.
    if (known !== undefined && (known.passed.at(-1)?.at ?? now) <= now) {
      forgetOld(known, now);
      return known;
    }
    for (const [other, { passed }] of usages) {
      if (now - (passed.at(-1)?.at ?? 0) >= WINDOW_MS) usages.delete(other);
    }
    const fresh: Usage = { passed: [], total: 0 };
    usages.set(key, fresh);
    return fresh;
  }

  return {
    limit,
    /**
     * Decides about a request of `key`. Only a passed request is counted. `remaining` is the number of requests that
     * would pass now; `retryAfter` is null for a passed one, else the seconds, from 1 to 60, until a request will pass.
     */
    take(key: string) {
      const now = clock.now();
      const usage = usageOf(key, now);
      const [oldest] = usage.passed;
      if (usage.total >= limit && oldest !== undefined) {
        return { limit, remaining: 0, retryAfter: Math.ceil(clock.realMs(oldest.at + WINDOW_MS - now) / 1_000) };
      }
      const last = usage.passed.at(-1);
      if (last !== undefined && last.at === now) last.count += 1;
      else usage.passed.push({ at: now, count: 1 });
      usage.total += 1;
      return { limit, remaining: limit - usage.total, retryAfter: null };
    },
    /** The number of requests of `key` that would pass now. */
    countRemaining: (key: string) => limit - usageOf(key, clock.now()).total,
    clear: () => usages.clear(),
  };
}

/** The headers with the limit and the remaining requests. */
export function quotaHeaders(limit: number, remaining: number): Record<string, string> {
  return { "x-ratelimit-limit-minute": `${limit}`, "x-ratelimit-remaining-minute": `${remaining}` };
}
