import type { Clock } from "../kernel/runtime.js";

/** The rate limit of one API key (contract, section 7.2; docs/decisions/022-guards.md). Windows are emulated time. */

const WINDOW_MS = 60_000;

/** What became of one request. */
export interface Quota {
  readonly limit: number;
  /** Requests that would still pass at this instant, this one taken off. */
  readonly remaining: number;
  /** Null for a request that passes; else the whole seconds, from 1 to 60, after which one will. */
  readonly retryAfter: number | null;
}

export interface RateLimiter {
  /** Requests of one key that pass within a minute. */
  readonly limit: number;
  /** Counts a request of `key`, unless it is refused: only what passes uses the quota up. */
  take(key: string): Quota;
  /** Requests of `key` that would pass now. */
  remaining(key: string): number;
  /** Gives every key its whole quota back. */
  clear(): void;
}

/** Requests of one instant. */
interface Passed {
  readonly at: number;
  count: number;
}

interface Usage {
  /** Oldest first; those before `head` have left the window. */
  passed: Passed[];
  head: number;
  /** Requests from `head` on. */
  total: number;
}

/** Drops what has left the window that ends now. */
function forgetOld(usage: Usage, now: number): void {
  const { passed } = usage;
  for (let oldest = passed[usage.head]; oldest !== undefined; oldest = passed[usage.head]) {
    if (now - oldest.at < WINDOW_MS) break;
    usage.total -= oldest.count;
    usage.head += 1;
  }
  // Half of it at a time, so that a request pays for moving no more entries than have left.
  if (usage.head * 2 < passed.length) return;
  usage.passed = passed.slice(usage.head);
  usage.head = 0;
}

/**
 * At most `limit` requests of a key pass within any 60 seconds: a request counts until exactly one minute after it.
 * One entry per millisecond at most is kept for a minute, and none of a key that is idle once another one appears.
 */
export function createRateLimiter(limit: number, clock: Clock): RateLimiter {
  const usages = new Map<string, Usage>();

  function usageOf(key: string, now: number): Usage {
    const known = usages.get(key);
    // Entries from the future are of a time that was taken back, by a reset for example: the key starts afresh.
    if (known !== undefined && (known.passed.at(-1)?.at ?? now) <= now) return known;
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
      forgetOld(usage, now);
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
    remaining(key) {
      const now = clock.now();
      const usage = usageOf(key, now);
      forgetOld(usage, now);
      return limit - usage.total;
    },
    clear: () => usages.clear(),
  };
}
