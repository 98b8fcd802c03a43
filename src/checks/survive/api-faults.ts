import type { Client, OperationInput } from "../../api/client/types.js";
import type { FaultName } from "./faults.js";
import type { Disturbance, Step } from "./schedule.js";

/** The faults of the emulator itself during a step: its answers to the shop, and the bodies of its webhooks. */

type Rule = OperationInput<"sandbox.faults.add">["body"];

const MATCH = { path: "/v1/*" } as const;

function ruleOf(one: Disturbance): Rule | null {
  switch (one.fault) {
    case "api_503":
      return { match: MATCH, effect: { status: 503 }, times: one.times };
    case "api_429":
      // A shop that obeys `retry_after` must not wait long.
      return { match: MATCH, effect: { status: 429, retry_after: 0 }, times: one.times };
    case "api_lost_answer":
      return { match: MATCH, effect: { drop: "after" }, times: one.times };
    case "api_slow":
      return { match: MATCH, effect: { latency_ms: one.ms }, times: 4 };
    default:
      return null;
  }
}

const BODIES = ["unknown_fields", "unknown_values"] as const;

/**
 * Changes the bodies of the webhooks as a step says. Returns the functions that start and end its faults in requests to the
 * service.
 */
export async function prepareFaults(client: Client, { disturbed }: Step) {
  const rules = disturbed.flatMap((one) => {
    const rule = ruleOf(one);
    return rule === null ? [] : [{ fault: one.fault, rule }];
  });
  const added = new Map<string, FaultName>();
  const bodies = BODIES.filter((name) => disturbed.some(({ fault }) => fault === name));
  const setBodies = (share: number) =>
    client["sandbox.chaos"]({ body: Object.fromEntries(bodies.map((name) => [name, share])) });
  if (bodies.length > 0) await setBodies(1);
  return {
    hasRules: rules.length > 0,
    /** From now on the service answers as the step says. */
    async disturb(): Promise<void> {
      for (const { fault, rule } of rules) added.set((await client["sandbox.faults.add"]({ body: rule })).id, fault);
    },
    /** The service answers as usual again. Returns the faults that some request met. */
    async endFaults(): Promise<FaultName[]> {
      if (rules.length === 0) return [];
      const { data } = await client["sandbox.faults.list"]();
      await client["sandbox.faults.clear"]();
      return data.flatMap(({ id, applied }) => (applied > 0 ? (added.get(id) ?? []) : []));
    },
    /** Webhooks are as usual again. Returns the faults of their bodies. */
    async end(): Promise<readonly FaultName[]> {
      if (bodies.length > 0) await setBodies(0);
      return bodies;
    },
  };
}

export type PreparedFaults = Awaited<ReturnType<typeof prepareFaults>>;
