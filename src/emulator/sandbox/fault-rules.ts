import * as z from "zod";
import { OPERATION_METHODS } from "../../base/kernel/contract.js";
import { ApiError, ERROR_CATALOGUE, type ErrorCode } from "../../base/kernel/errors.js";
import { namesOf } from "../../base/kernel/names.js";
import type { Clock, Ids, Random, RealTime, TimerHandle } from "../../base/kernel/runtime.js";
import { textUpTo } from "../../base/kernel/schemas.js";

/** A fault for requests to /v1. A part that `match` leaves out fits every request; no route of /v1 takes PUT. */

const CODES = namesOf(ERROR_CATALOGUE);

const Path = textUpTo(500).regex(
  /^\/v1(?:\*|\/[^\s*?#{}]*(?:\*|[^\s*?#{}/]))$/,
  "must be a path under /v1/ without a query, or a prefix of paths that ends in *",
);

export const Match = z.object({
  method: z.enum(OPERATION_METHODS).optional().describe("Default: all of them"),
  path: Path.optional().describe("This path, or with * at its end all that begin with it; default: all of /v1"),
});

export const Effect = z.object({
  status: z.int().min(400).max(599).optional().describe("Status that is answered instead of carrying out the request"),
  code: z.enum(CODES).optional().describe("Error code in the answer; default: the usual one of the status"),
  latency_ms: z.int().min(0).max(600_000).optional().describe("Real milliseconds to wait first"),
  drop: z
    .enum(["before", "after"])
    .optional()
    .describe("Cut the connection before the request is carried out, or after it in place of the answer"),
  retry_after: z.int().min(0).max(86_400).optional().describe("Seconds in Retry-After of a 429 or 503"),
});

export interface NewFaultRule {
  readonly match: z.output<typeof Match>;
  readonly effect: z.output<typeof Effect>;
  /** The number of requests on which the rule takes effect; null for any number. */
  readonly times: number | null;
  /** The probability that the rule takes effect on a request that fits: more than 0, at most 1. */
  readonly probability: number;
}

export interface FaultRule extends NewFaultRule {
  /** Without prefix. */
  readonly id: string;
  /** The number of requests on which the rule has taken effect. */
  readonly applied: number;
  /** Emulated milliseconds. */
  readonly createdAt: number;
}

/**
 * Fault rules: requests to /v1 that fail, wait or lose their answer on purpose (docs/service/sandbox.md#faults;
 * docs/decisions/022-guards.md). The rules are in memory and hold for every account.
 */
export type FaultRules = ReturnType<typeof createFaultRules>;

const MAX_RULES = 1_000;
/** Bytes that all waiting requests may keep together. */
const MAX_WAITING_BYTES = 64 * 1_048_576;
/** Bytes that a waiting request keeps beside its body. */
const REQUEST_BYTES = 4_096;

/**
 * The error codes that go with a status (docs/service/errors.md#codes). A status that the service never answers by
 * itself, such as 504, goes with the general code of its class.
 */
export function codesOf(status: number): readonly ErrorCode[] {
  const codes = CODES.filter((code) => ERROR_CATALOGUE[code].status === status);
  if (codes.length > 0) return codes;
  return [status < 500 ? "invalid_request" : "service_unavailable"];
}

/** The code for a rule that names a status alone: the first one that docs/service/errors.md#codes lists for it. */
export function plainCode(status: number): ErrorCode {
  if (status === 403) return "fraud.customer_velocity_exceeded";
  return codesOf(status)[0] ?? "internal_error";
}

interface Rule extends FaultRule {
  applied: number;
}

function fits({ match: { method, path } }: Rule, requested: string, at: string): boolean {
  if (method !== undefined && method !== requested) return false;
  if (path === undefined) return true;
  return path.endsWith("*") ? at.startsWith(path.slice(0, -1)) : at === path;
}

function isUsedUp({ applied, times }: Rule): boolean {
  return applied === times;
}

/** The rules with room for one more: when there are too many, the oldest used-up rule is removed. */
function withRoom(rules: readonly Rule[]): readonly Rule[] {
  if (rules.length < MAX_RULES) return rules;
  const oldest = rules.find(isUsedUp);
  if (oldest !== undefined) return rules.filter((rule) => rule !== oldest);
  const message = `There are ${MAX_RULES} fault rules already. Remove some, or all of them.`;
  throw new ApiError("invalid_request", { message });
}

function createWaits(real: RealTime) {
  const waiting = new Map<TimerHandle, () => void>();
  let held = 0;
  let isOver = false;
  function endAll(): void {
    for (const [timer, giveUp] of waiting) {
      timer.cancel();
      giveUp();
    }
    waiting.clear();
  }
  function begin(ms: number): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const giveUp = () => reject(new ApiError("service_unavailable"));
      const timer = real.after(ms, () => {
        waiting.delete(timer);
        resolve();
      });
      waiting.set(timer, giveUp);
    });
  }
  return {
    /**
     * Waits for `ms` real milliseconds, for a request that keeps `bytes` bytes in memory meanwhile. Throws
     * `service_unavailable` when the server is reset or stops before, and at once when the waiting requests keep too much.
     */
    async wait(ms: number, bytes: number): Promise<void> {
      const size = REQUEST_BYTES + bytes;
      if (isOver || held + size > MAX_WAITING_BYTES) throw new ApiError("service_unavailable");
      held += size;
      try {
        await begin(ms);
      } finally {
        held -= size;
      }
    },
    /** Ends every wait: after a reset or a restore the request would be carried out on other contents. The rules stay. */
    interrupt: endAll,
    /** Ends all waits with an error, and each new wait at once. */
    stop() {
      isOver = true;
      endAll();
    },
  };
}

interface FaultParts {
  readonly ids: Ids;
  readonly random: Random;
  readonly clock: Clock;
  readonly real: RealTime;
}

/** Returns the rules of faults, in memory alone. Of several that fall on a request, the first takes effect. */
export function createFaultRules({ ids, random, clock, real }: FaultParts) {
  const waits = createWaits(real);
  let rules: readonly Rule[] = [];
  /** The rules that may still take effect. */
  let active: readonly Rule[] = [];

  function setRules(next: readonly Rule[]): void {
    rules = next;
    active = next.filter((rule) => rule.probability > 0 && !isUsedUp(rule));
  }

  return {
    /** The number of rules that may still take effect. While it is 0, `take` need not be called. */
    get size() {
      return active.length;
    },
    /** The rule that takes effect on a request; it is counted as used. Null when no rule does. */
    take(method: string, path: string): FaultRule | null {
      const falls = (rule: Rule) =>
        fits(rule, method, path) && (rule.probability === 1 || random.fraction() < rule.probability);
      const rule = active.find(falls);
      if (rule === undefined) return null;
      rule.applied += 1;
      if (isUsedUp(rule)) setRules(rules);
      return rule;
    },
    /** All rules in the order in which they were added, used-up rules included. */
    list: (): readonly FaultRule[] => rules,
    /** Throws `invalid_request` when there are too many rules. */
    add(given: NewFaultRule): FaultRule {
      const rule: Rule = { ...given, id: ids.next(), applied: 0, createdAt: clock.now() };
      setRules([...withRoom(rules), rule]);
      return rule;
    },
    /** Returns whether there was a rule with this id. `id` has no prefix. */
    remove(id: string): boolean {
      const left = rules.filter((rule) => rule.id !== id);
      const isFound = left.length < rules.length;
      setRules(left);
      return isFound;
    },
    clear: () => setRules([]),
    ...waits,
  };
}
