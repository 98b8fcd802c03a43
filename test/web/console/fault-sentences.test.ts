import { describe, expect, it } from "vitest";
import {
  chaosSentence,
  countOn,
  type Rule,
  ruleSentence,
} from "../../../src/web/console/browser/pages/faults/sentences.js";

/** Fault rules and webhook chaos as the console's page says them. */

function rule(changes: Partial<Rule>): Rule {
  return {
    ...{ id: "flt_1", match: {}, effect: { status: 503, code: "service_unavailable" } },
    ...{ times: null, remaining: null, probability: 1, applied: 0, created_at: "2026-11-22T05:00:00Z" },
    ...changes,
  };
}

const CHARGES = { method: "POST", path: "/v1/charges" } as const;

describe("a fault rule as a sentence", () => {
  it.each([
    [
      rule({ match: CHARGES, remaining: 2 }),
      "Each of the next 2 × POST /v1/charges is answered 503 service_unavailable.",
    ],
    [rule({ match: CHARGES, remaining: 1 }), "The next POST /v1/charges is answered 503 service_unavailable."],
    [rule({ match: CHARGES, remaining: 0 }), "Used up: a POST /v1/charges is answered 503 service_unavailable."],
    [rule({}), "Each request is answered 503 service_unavailable."],
    [
      rule({ match: { path: "/v1/payments/*" }, effect: { latency_ms: 5_000 }, probability: 0.2 }),
      "Each request to /v1/payments/*, with a probability of 20%, waits 5 s.",
    ],
    [
      rule({ effect: { status: 429, code: "rate_limited", retry_after: 3, latency_ms: 350 } }),
      "Each request waits 350 ms and is answered 429 rate_limited (Retry-After: 3 s).",
    ],
    [rule({ effect: { drop: "after" } }), "Each request is carried out, and its answer is lost."],
    [rule({ effect: { drop: "before" } }), "Each request loses its connection before it is carried out."],
  ])("%#: %s", (given, sentence) => {
    expect(ruleSentence(given as Rule, "en")).toBe(sentence);
  });

  it("has the same facts in Portuguese", () => {
    const given = rule({ match: CHARGES, remaining: 2, probability: 0.5, effect: { latency_ms: 5_000 } });
    expect(ruleSentence(given, "pt-BR")).toBe(
      "Nas próximas 2 vezes, POST /v1/charges, com probabilidade de 50%, espera 5 s.",
    );
  });
});

it("a setting of chaos says its share, and a delay its length", () => {
  expect(chaosSentence("duplicate", 0.2, "en")).toBe("20% of the delivered webhooks are sent once more.");
  expect(chaosSentence("delay_ms", 5_000, "pt-BR")).toBe("Cada webhook sai com 5 s de tempo emulado de atraso.");
});

it("used up rules, rules without probability and settings of 0 are not counted as on", () => {
  const off = {
    duplicate: 0,
    reorder: 0,
    delay_ms: 0,
    corrupt_signature: 0,
    stale_timestamp: 0,
    lose_med: 0,
    unknown_fields: 0,
    unknown_values: 0,
  };
  expect(countOn([rule({ remaining: 0 }), rule({ probability: 0 })], off)).toEqual({ rules: 0, chaos: 0 });
  expect(countOn([rule({ remaining: 1 }), rule({})], { ...off, lose_med: 1 })).toEqual({ rules: 2, chaos: 1 });
  expect(countOn([], null)).toEqual({ rules: 0, chaos: 0 });
});
