import type { Clock } from "../kernel/runtime.js";

/**
 * The rate limit of one API key (docs/service/errors.md#rate-limit, docs/decisions/022-guards.md). Windows are emulated
 * time.
 */

const WINDOW_MS = 60_000;

/** The decision about one request. */
export interface Quota {
  readonly limit: number;
  /** How many more requests would pass at this instant. */
  readonly remaining: number;
  /** Null for a request that passes. Otherwise the seconds, from 1 to 60, after which a request will pass. */
  readonly retryAfter: number | null;
}

export interface RateLimiter {
  /** How many requests of one key pass within a minute. */
  readonly limit: number;
  /** Decides about a request of `key`. Only a request that passes is counted. */
  take(key: string): Quota;
  /** How many requests of `key` would pass now. */
  remaining(key: string): number;
  /** Forgets all counted requests. */
  clear(): void;
}

/** The number of requests at one instant. */
interface Passed {
  readonly at: number;
  count: number;
}

interface Usage {
  /** The oldest first. Entries before `head` are outside the window. */
  passed: Passed[];
  head: number;
  /** The number of requests from `head` on. */
  total: number;
}

/** Moves `head` past the entries that are outside the window which ends now. */
function forgetOld(usage: Usage, now: number): void {
  const { passed } = usage;
  for (let oldest = passed[usage.head]; oldest !== undefined; oldest = passed[usage.head]) {
    if (now - oldest.at < WINDOW_MS) break;
    usage.total -= oldest.count;
    usage.head += 1;
  }
  // Removed when they are half of the list, so that the cost of moving the rest is small for each request.
  if (usage.head * 2 < passed.length) return;
  usage.passed = passed.slice(usage.head);
  usage.head = 0;
}

/**
 * At most `limit` requests of a key pass within any 60 seconds: a request counts for exactly one minute. At most one entry
 * per millisecond is kept. Entries of idle keys are removed when a new key appears.
 */
export function createRateLimiter(limit: number, clock: Clock): RateLimiter {
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
    const fresh: Usage = { passed: [], head: 0, total: 0 };
    usages.set(key, fresh);
    return fresh;
  }

  return {
    limit,
    take(key) {
      const now = clock.now();
      const usage = usageOf(key, now);
      const oldest = usage.passed[usage.head];
      if (usage.total >= limit && oldest !== undefined) {
        return { limit, remaining: 0, retryAfter: Math.ceil((oldest.at + WINDOW_MS - now) / 1_000) };
      }
      const last = usage.passed.at(-1);
      if (last !== undefined && last.at === now) last.count += 1;
      else usage.passed.push({ at: now, count: 1 });
      usage.total += 1;
      return { limit, remaining: limit - usage.total, retryAfter: null };
    },
    remaining: (key) => limit - usageOf(key, clock.now()).total,
    clear: () => usages.clear(),
  };
}
