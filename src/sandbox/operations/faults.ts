import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { ApiError, ERROR_CATALOGUE, type ErrorCode } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IdParam, IsoInstant, NoQuery } from "../../kernel/schemas.js";
import { iso } from "../../kernel/time.js";
import type { FaultRule } from "../control-interface.js";
import { codesOf, plainCode } from "../fault-rules.js";

/** Fault rules for requests to /v1 of the whole server: refusals, slow answers and cut connections. */

const CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];

const Path = z
  .string()
  .max(500, "must have at most 500 characters")
  .regex(
    /^\/v1(?:\*|\/[^\s*?#{}]*(?:\*|[^\s*?#{}/]))$/,
    "must be a path under /v1/ without a query, or a prefix of paths that ends in *",
  );

const Match = z.object({
  method: z.enum(["GET", "POST", "PATCH", "DELETE"]).optional().meta({ description: "Default: all of them" }),
  path: Path.optional().meta({ description: "This path, or all that begin so when it ends in *; default: all of /v1" }),
});

const Effect = z.object({
  status: z.int().min(400).max(599).optional().meta({ description: "Answered instead of carrying out the request" }),
  code: z
    .enum(CODES)
    .optional()
    .meta({ description: "Error code in the answer; default: the plain one of the status" }),
  latency_ms: z.int().min(0).max(600_000).optional().meta({ description: "Real milliseconds to wait first" }),
  drop: z
    .enum(["before", "after"])
    .optional()
    .meta({ description: "Cut the connection before the request is carried out, or after it in place of the answer" }),
  retry_after: z.int().min(0).max(86_400).optional().meta({ description: "Seconds in Retry-After of a 429 or 503" }),
});

/** Refuses parts of an effect that would have no effect together with the others: the user expects one. */
const WholeEffect = Effect.superRefine((effect, context) => {
  const { status, code, latency_ms: latency, drop, retry_after: retryAfter } = effect;
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
  if (status === undefined && latency === undefined && drop === undefined) {
    return refuse("must have at least one of status, latency_ms and drop");
  }
  if (status !== undefined && drop !== undefined) {
    refuse("does not go with status: a connection that is cut carries no answer", "drop");
  }
  if (code !== undefined && status === undefined) refuse("needs the status that it is answered with", "code");
  else if (code !== undefined && status !== undefined && !codesOf(status).includes(code)) {
    refuse(`must be one of status ${status}: ${codesOf(status).join(", ")}`, "code");
  }
  if (retryAfter !== undefined && status !== 429 && status !== 503) {
    refuse("goes with the status 429 or 503 alone", "retry_after");
  }
});

const Rule = z
  .object({
    id: z.string().regex(/^flt_/),
    match: Match,
    effect: Effect,
    times: z.int().nullable().meta({ description: "null: until it is removed" }),
    remaining: z.int().nullable().meta({ description: "Of times; a rule with 0 is used up" }),
    probability: z.number(),
    applied: z.int().meta({ description: "Requests that it has taken effect on" }),
    created_at: IsoInstant,
  })
  .meta({ id: "FaultRule" });

function toRule({ id, match, effect, times, probability, applied, createdAt }: FaultRule): z.input<typeof Rule> {
  return {
    id: ID_PREFIX.fault + id,
    match,
    effect,
    times,
    remaining: times === null ? null : times - applied,
    probability,
    applied,
    created_at: iso(createdAt),
  };
}

const columns = [
  { header: "Fault", path: "id" },
  { header: "Method", path: "match.method" },
  { header: "Path", path: "match.path" },
  { header: "Status", path: "effect.status" },
  { header: "Code", path: "effect.code" },
  { header: "Latency ms", path: "effect.latency_ms" },
  { header: "Drop", path: "effect.drop" },
  { header: "Probability", path: "probability" },
  { header: "Applied", path: "applied" },
  { header: "Left", path: "remaining" },
] as const;

export const faultList = defineOperation({
  id: "sandbox.faults.list",
  method: "GET",
  path: "/_sandbox/faults",
  auth: "key",
  surface: "sandbox",
  summary: "List the fault rules",
  description:
    "Lists the rules in the order in which they are tried, with how often each took effect; those that are used up " +
    "are among them. They hold for every account. It takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "In order of adding, which is the order in which they are tried",
    schema: z.object({ data: z.array(Rule) }),
  },
  errors: [],
  cli: {
    command: "sandbox faults list",
    examples: ["qa-pay sandbox faults list"],
    rows: "data",
    columns: [...columns],
  },
}).control((_, controls) => ({ data: controls.faults.list().map(toRule) }));

export const faultAdd = defineOperation({
  id: "sandbox.faults.add",
  method: "POST",
  path: "/_sandbox/faults",
  auth: "key",
  surface: "sandbox",
  summary: "Let requests to /v1 fail, wait or lose their answer",
  description:
    "Adds a rule for what is to go wrong between clients and `/v1`: a refusal, a wait, a cut connection. The first " +
    "rule that fits a request takes it. Parts of an effect that contradict each other, or would change nothing, are " +
    "refused. Rules end with the server and with a reset.",
  body: z.object({
    match: Match.optional(),
    effect: WholeEffect,
    times: z.int().min(1).optional().meta({ description: "How many requests it takes effect on; default: any number" }),
    probability: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .meta({ description: "How likely it hits a request that fits: 0 to 1" }),
  }),
  success: { status: 201, description: "The rule", schema: Rule },
  errors: [],
  cli: {
    command: "sandbox faults add",
    oneOf: ["effect.status", "effect.latency_ms", "effect.drop"],
    examples: [
      "qa-pay sandbox faults add --effect-status 503 --times 2",
      "qa-pay sandbox faults add --match-method POST --match-path /v1/charges --effect-drop after --times 1",
      "qa-pay sandbox faults add --match-path '/v1/payments/*' --effect-latency-ms 5000 --probability 0.2",
      "qa-pay sandbox faults add --effect-status 429 --effect-retry-after 3",
    ],
    columns: [...columns],
    next: "Take it away again: qa-pay sandbox faults remove {id}",
  },
}).control(({ body }, controls) => {
  const { match = {}, effect, times = null, probability } = body;
  const { status } = effect;
  const code = status === undefined ? {} : { code: effect.code ?? plainCode(status) };
  return toRule(controls.faults.add({ match, effect: { ...effect, ...code }, times, probability }));
});

export const faultRemove = defineOperation({
  id: "sandbox.faults.remove",
  method: "DELETE",
  path: "/_sandbox/faults/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Remove a fault rule",
  description:
    "Removes one fault rule, from the next request on. A rule that does not exist is a 404. It needs no body.",
  params: IdParam,
  success: { status: 204, description: "It is gone", schema: z.undefined() },
  errors: [],
  cli: { command: "sandbox faults remove", examples: ["qa-pay sandbox faults remove flt_0198…"], columns: [] },
}).control(({ params }, controls) => {
  const id = rawId(params.id, ID_PREFIX.fault, "");
  if (id === null || !controls.faults.remove(id)) {
    throw new ApiError("not_found", { message: "There is no such fault rule." });
  }
  return undefined;
});

export const faultClear = defineOperation({
  id: "sandbox.faults.clear",
  method: "DELETE",
  path: "/_sandbox/faults",
  auth: "key",
  surface: "sandbox",
  summary: "Remove every fault rule",
  description: "Removes all fault rules of the server, from the next request on. It needs no body.",
  success: { status: 204, description: "There is none any more", schema: z.undefined() },
  errors: [],
  cli: { command: "sandbox faults clear", examples: ["qa-pay sandbox faults clear"], columns: [] },
}).control((_, controls) => {
  controls.faults.clear();
  return undefined;
});
