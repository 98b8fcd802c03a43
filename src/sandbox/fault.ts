import { z } from "zod";
import { ERROR_CATALOGUE, type ErrorCode } from "../kernel/errors.js";
import { textUpTo } from "../kernel/schemas.js";

/** A fault for requests to /v1. A part that `match` leaves out fits every request; no route of /v1 takes PUT. */

const CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];

const Path = textUpTo(500).regex(
  /^\/v1(?:\*|\/[^\s*?#{}]*(?:\*|[^\s*?#{}/]))$/,
  "must be a path under /v1/ without a query, or a prefix of paths that ends in *",
);

export const Match = z.object({
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional().describe("Default: all of them"),
  path: Path.optional().describe("This path, or all that begin so when it ends in *; default: all of /v1"),
});

export const Effect = z.object({
  status: z.int().min(400).max(599).optional().describe("Answered instead of carrying out the request"),
  code: z.enum(CODES).optional().describe("Error code in the answer; default: the plain one of the status"),
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
  /** How many requests the rule takes effect on; null for any number. */
  readonly times: number | null;
  /** The probability that the rule takes effect on a request that fits: more than 0, at most 1. */
  readonly probability: number;
}

export interface FaultRule extends NewFaultRule {
  /** Without prefix. */
  readonly id: string;
  /** How many requests the rule has taken effect on. */
  readonly applied: number;
  /** Emulated milliseconds. */
  readonly createdAt: number;
}
