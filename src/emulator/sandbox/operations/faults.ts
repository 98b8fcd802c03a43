import * as z from "zod";
import { ApiError } from "../../../base/kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../base/kernel/ids.js";
import { IsoInstant, NoQuery } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { defineOperation } from "../../../service/features/operation.js";
import type { Controls } from "../control-interface.js";
import { codesOf, Effect, type FaultRule, Match, plainCode } from "../fault-rules.js";

/** Fault rules for requests to /v1 of the whole server: refusals, slow answers and cut connections. */

/** Refuses parts of an effect that would have no effect together with the others: the user expects one. */
const WholeEffect = Effect.superRefine((effect, context) => {
  const { status, code, latency_ms: latency, drop, retry_after: retryAfter } = effect;
  const refuse = (message: string, ...path: string[]) => context.addIssue({ code: "custom", message, path });
  if (status === undefined && latency === undefined && drop === undefined) {
    return refuse("must have at least one of status, latency_ms and drop");
  }
  if (status !== undefined && drop !== undefined) {
    refuse("cannot be combined with status: a connection that is cut carries no answer", "drop");
  }
  if (code !== undefined && status === undefined) refuse("needs the status that it is answered with", "code");
  else if (code !== undefined && status !== undefined && !codesOf(status).includes(code)) {
    refuse(`must be one of status ${status}: ${codesOf(status).join(", ")}`, "code");
  }
  if (retryAfter !== undefined && status !== 429 && status !== 503) {
    refuse("works only with the status 429 or 503", "retry_after");
  }
});

const Rule = z
  .object({
    id: z.string().regex(/^flt_/),
    match: Match,
    effect: Effect,
    times: z.int().nullable().describe("null: until it is removed"),
    remaining: z.int().nullable().describe("Of times; a rule with 0 is used up"),
    probability: z.number(),
    applied: z.int().describe("Requests that it has taken effect on"),
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
  "id as Fault, match.method, match.path, effect.status, effect.code, effect.latency_ms, effect.drop",
  "probability, applied, remaining as Left",
] as const;

export const faultList = defineOperation({
  id: "sandbox.faults.list",
  route: "GET /_sandbox/faults",
  summary: "List the fault rules",
  description:
    "Lists the rules in the order in which they are tried, with how often each took effect; those that are used up " +
    "are among them. They hold for every account. It takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "In the order in which they were added and are tried",
    schema: z.object({ data: z.array(Rule) }),
  },
  cli: {
    columns,
  },
}).control((_, controls: Controls) => ({ data: controls.faults.list().map(toRule) }));

export const faultAdd = defineOperation({
  id: "sandbox.faults.add",
  route: "POST /_sandbox/faults",
  summary: "Let requests to /v1 fail, wait or lose their answer",
  description:
    "Adds a rule for faults between clients and `/v1`: a refusal, a wait, a cut connection. The first " +
    "rule that matches a request applies to it. Parts of an effect that contradict each other, or would change nothing, are " +
    "refused. Rules end with the server and with a reset.",
  body: z.object({
    match: Match.optional().describe("The requests that it is for; default: all to /v1"),
    effect: WholeEffect.describe("What goes wrong: at least one of status, latency_ms and drop"),
    times: z.int().min(1).optional().describe("How many requests it applies to; default: any number"),
    probability: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe("Probability that it applies to a request that matches: 0 to 1"),
  }),
  success: { status: 201, description: "The rule", schema: Rule },
  cli: {
    oneOf: ["effect.status", "effect.latency_ms", "effect.drop"],
    examples: [
      "qa-pay sandbox faults add --effect-status 503 --times 2",
      "qa-pay sandbox faults add --match-method POST --match-path /v1/charges --effect-drop after --times 1",
      "qa-pay sandbox faults add --match-path '/v1/payments/*' --effect-latency-ms 5000 --probability 0.2",
      "qa-pay sandbox faults add --effect-status 429 --effect-retry-after 3",
    ],
    columns,
    next: "Remove it: qa-pay sandbox faults remove {id}",
  },
}).control(({ body }, controls: Controls) => {
  const { match = {}, effect, times = null, probability } = body;
  const { status } = effect;
  const code = status === undefined ? {} : { code: effect.code ?? plainCode(status) };
  return toRule(controls.faults.add({ match, effect: { ...effect, ...code }, times, probability }));
});

export const faultRemove = defineOperation({
  id: "sandbox.faults.remove",
  route: "DELETE /_sandbox/faults/{id}",
  summary: "Remove a fault rule",
  description:
    "Removes one fault rule, from the next request on. A rule that does not exist is a 404. It needs no body.",
  success: { status: 204, description: "It is gone", schema: z.undefined() },
  cli: { columns: [] },
}).control(({ params }, controls: Controls) => {
  const id = rawId(params.id, ID_PREFIX.fault);
  if (id === null || !controls.faults.remove(id)) {
    throw new ApiError("not_found", { message: "There is no such fault rule." });
  }
  return undefined;
});

export const faultClear = defineOperation({
  id: "sandbox.faults.clear",
  route: "DELETE /_sandbox/faults",
  summary: "Remove every fault rule",
  description: "Removes all fault rules of the server, from the next request on. It needs no body.",
  success: { status: 204, description: "There is none any more", schema: z.undefined() },
  cli: { columns: [] },
}).control((_, controls: Controls) => {
  controls.faults.clear();
  return undefined;
});
