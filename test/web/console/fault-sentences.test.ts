import { describe, expect, it } from "vitest";
import {
  chaosSentence,
  countOn,
  type Rule,
  ruleSentence,
} from "../../../src/web/console/browser/pages/faults/sentences.js";
import "../../support/console-texts.js";

/** Planned faults as the console's page says them. */

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
    [rule({ match: CHARGES, remaining: 2 }), "The next 2 POST /v1/charges are answered 503 service_unavailable."],
    [rule({ match: CHARGES, remaining: 1 }), "The next POST /v1/charges is answered 503 service_unavailable."],
    [
      rule({ match: CHARGES, times: 2, remaining: 0 }),
      "The next 2 POST /v1/charges are answered 503 service_unavailable.",
    ],
    [rule({}), "Every request is answered 503 service_unavailable."],
    [
      rule({ match: { path: "/v1/payments/*" }, effect: { latency_ms: 1_200 }, probability: 0.2 }),
      "20 % of requests to /v1/payments/* take 1.2 s longer.",
    ],
    [
      rule({ match: CHARGES, effect: { drop: "after" }, probability: 0.5, remaining: 3 }),
      "50 % of POST /v1/charges, at most 3 times, are carried out, and their answers are lost.",
    ],
    [
      rule({ effect: { status: 429, code: "rate_limited", retry_after: 3, latency_ms: 350 } }),
      "Every request takes 350 ms longer and is answered 429 rate_limited (Retry-After: 3 s).",
    ],
    [rule({ effect: { drop: "after" } }), "Every request is carried out, and its answer is lost."],
    [rule({ effect: { drop: "before" } }), "Every request loses its connection before it is carried out."],
  ])("%#: %s", (given, sentence) => {
    expect(ruleSentence(given as Rule, "en")).toBe(sentence);
  });

  it("has the same facts in Portuguese", () => {
    const given = rule({ match: CHARGES, remaining: 2, effect: { latency_ms: 1_200 } });
    expect(ruleSentence(given, "pt-BR")).toBe("As próximas 2 requisições POST /v1/charges demoram 1,2 s a mais.");
    const half = rule({ match: { path: "/v1/payments/*" }, probability: 0.5, effect: { latency_ms: 90_000 } });
    expect(ruleSentence(half, "pt-BR")).toBe("50 % das requisições a /v1/payments/* demoram 1 min 30 s a mais.");
  });
});

it("a fault of webhooks says its share, and a delay its length", () => {
  expect(chaosSentence("duplicate", 0.2, "en")).toBe("Send 20 % twice.");
  expect(chaosSentence("delay_ms", 1_500, "pt-BR")).toBe("Enviar cada um com 1,5 s de atraso no relógio emulado.");
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
