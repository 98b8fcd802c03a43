import { describe, expect, it } from "vitest";
import {
  lastAnswer,
  linesOf,
  parseAssertions,
  type SeenDelivery,
} from "../../../src/programs/cli/commands/exec/assertions.js";
import { Failure } from "../../../src/programs/cli/terminal/failure.js";

/** The verdicts of `exec --assert` on the deliveries of a run. */

const START = Date.parse("2026-11-21T12:00:00Z");

/** A delivery that arrived a second after it was created, unless `other` says otherwise. */
function delivery(eventType: string, other: Partial<SeenDelivery> = {}): SeenDelivery {
  return {
    id: `wd_${eventType}`,
    subject: "ch_1",
    eventType,
    status: "DELIVERED",
    attempts: 1,
    lastStatusCode: 204,
    lastError: null,
    createdAt: new Date(START).toISOString(),
    deliveredAt: new Date(START + 1_000).toISOString(),
    ...other,
  };
}

const paid = delivery("charge.paid");
const created = delivery("charge.created");
const refused = delivery("charge.paid", {
  id: "wd_refused",
  status: "PENDING",
  lastStatusCode: 500,
  deliveredAt: null,
});

function judge(text: string, ...deliveries: SeenDelivery[]) {
  const [verdict] = parseAssertions([text])(deliveries);
  if (verdict === undefined) throw new Error("no verdict");
  return verdict;
}

describe("<event> delivered", () => {
  it("holds when the event arrived at least once", () => {
    expect(judge("charge.paid delivered", created, refused, paid)).toEqual({
      condition: "charge.paid delivered",
      holds: true,
      reason: "1 of 2 times",
      culprits: [],
    });
  });

  it("does not hold when the event was refused, and names the delivery", () => {
    expect(judge("charge.paid delivered", created, refused)).toMatchObject({
      holds: false,
      reason: "sent 1 time, never delivered",
      culprits: [refused],
    });
  });

  it("does not hold when the event was never sent", () => {
    expect(judge("charge.paid delivered", created)).toMatchObject({
      holds: false,
      reason: "it was never sent",
      culprits: [],
    });
  });

  it("accepts a pattern, which stands for every event that matches it", () => {
    expect(judge("charge.* delivered 2 times", created, paid, delivery("payout.paid")).holds).toBe(true);
    expect(judge("*.paid delivered 2 times", created, paid, delivery("payout.paid")).holds).toBe(true);
    expect(judge("* delivered 3 times", created, paid, delivery("payout.paid")).holds).toBe(true);
    expect(judge("med_case.* delivered", created).holds).toBe(false);
    expect(judge("med.* delivered", delivery("med_case.created")).holds).toBe(false);
  });

  it.each([
    ["charge.paid delivered 1 time", [paid], true, "1 time"],
    ["charge.paid delivered 2 times", [paid], false, "delivered 1 time, not 2"],
    ["charge.paid delivered 1 times", [paid, paid], false, "delivered 2 times, not 1"],
    ["charge.paid delivered 2 times", [paid, refused], false, "delivered 1 of 2 times, not 2"],
    ["charge.paid delivered 2 times", [refused], false, "delivered 0 of 1 time, not 2"],
    ["charge.paid delivered 1 time", [paid, refused], true, "1 of 2 times"],
    ["charge.paid delivered 0 times", [paid], false, "delivered 1 time, not 0"],
    ["charge.paid delivered 0 times", [created], true, "it was never sent"],
    ["charge.paid delivered 2 times", [created], false, "it was never sent"],
    ["  charge.paid   delivered  2  times ", [paid, paid], true, "2 times"],
  ])("counts: %s", (text, seen, holds, reason) => {
    expect(judge(text, ...seen)).toMatchObject({ holds, reason });
  });

  it("names the deliveries that are too many, else those that are missing", () => {
    expect(judge("charge.paid delivered 1 time", paid, paid, refused).culprits).toEqual([paid, paid]);
    expect(judge("charge.paid delivered 3 times", paid, refused).culprits).toEqual([refused]);
  });

  it("with a time limit counts from the event to its arrival, limit included", () => {
    expect(judge("charge.paid delivered within 1s", paid).holds).toBe(true);
    expect(judge("charge.paid delivered within 999ms", paid)).toMatchObject({
      holds: false,
      reason: "sent 1 time, never delivered within 999ms",
      culprits: [paid],
    });
    expect(judge("charge.paid delivered 2 times within 999ms", paid).reason).toBe(
      "delivered 0 of 1 time within 999ms, not 2",
    );
    expect(judge("charge.* delivered 2 times within 1m", paid, created).holds).toBe(true);
  });
});

it("no <event> holds when no delivery of the event was tried", () => {
  expect(judge("no charge.failed", paid)).toMatchObject({ holds: true, reason: "it was never sent" });
  const failed = delivery("charge.failed", { status: "PENDING", deliveredAt: null });
  expect(judge("no charge.failed", failed, failed)).toMatchObject({
    holds: false,
    reason: "it was sent 2 times",
    culprits: [failed, failed],
  });
  expect(judge("no payment.*", paid).holds).toBe(true);
});

describe("every delivery 2xx", () => {
  it("holds when each delivery was answered with 2xx in time", () => {
    expect(judge("every delivery 2xx", paid, created)).toMatchObject({
      holds: true,
      reason: "2 of 2 deliveries",
    });
    expect(judge("every delivery 2xx within 5s", paid, created).holds).toBe(true);
    expect(judge("every delivery 2xx", paid, refused)).toMatchObject({
      holds: false,
      reason: "1 of 2 deliveries not answered with 2xx",
      culprits: [refused],
    });
    expect(judge("every delivery 2xx within 500ms", paid)).toMatchObject({
      holds: false,
      reason: "1 of 1 delivery not answered with 2xx within 500ms",
    });
  });

  it("does not hold when nothing was sent, because the user probably expected deliveries", () => {
    expect(judge("every delivery 2xx")).toMatchObject({ holds: false, reason: "nothing was sent" });
  });
});

it("several conditions are checked one by one, in their order", () => {
  const verdicts = parseAssertions(["no charge.failed", "charge.paid delivered"])([created]);
  expect(verdicts.map(({ condition, holds }) => [condition, holds])).toEqual([
    ["no charge.failed", true],
    ["charge.paid delivered", false],
  ]);
});

describe("a condition that cannot be understood is wrong usage", () => {
  function refusal(text: string): Failure {
    try {
      parseAssertions(["charge.paid delivered", text]);
    } catch (error) {
      if (error instanceof Failure) return error;
    }
    throw new Error(`${text} was accepted`);
  }

  it.each([
    "",
    "charge.paid",
    "charge.paid arrived",
    "charge.paid delivered twice",
    "charge.paid delivered -1 times",
    "charge.paid delivered within",
    "charge.paid delivered within 5",
    "charge.paid delivered within soon",
    "every delivery 200",
    "every delivery 2xx within 5 s",
    "no",
    "delivered",
  ])("%j", (text) => {
    const { exitCode, code, message } = refusal(text);
    expect([exitCode, code]).toEqual([2, "usage"]);
    expect(message).toContain(`--assert cannot read ${JSON.stringify(text)}. It takes "charge.paid delivered"`);
  });

  it.each(["charge.payed delivered", "no charges.*", "no paid", "chargexpaid delivered"])(
    "%j, for an event that does not exist, would hold or fail for ever",
    (text) => {
      const { exitCode, message } = refusal(text);
      expect(exitCode).toBe(2);
      expect(message).toMatch(
        /^--assert: there is no event \S+(?:\.|; did you mean \S+\?) `qa-pay webhooks events` lists them\.$/,
      );
    },
  );
});

describe("the deliveries in a report", () => {
  it("have their state, their attempts, how long they took, and the last answer", () => {
    expect(linesOf([paid, { ...refused, attempts: 2 }])).toEqual([
      "charge.paid wd_charge.paid DELIVERED after 1 attempt, in 1000 ms: answered 204",
      "charge.paid wd_refused PENDING after 2 attempts: answered 500",
    ]);
  });

  it("are ten at most, and the count of the others", () => {
    expect(linesOf(Array.from({ length: 10 }, () => paid))).toHaveLength(10);
    expect(linesOf(Array.from({ length: 12 }, () => paid)).slice(9)).toEqual([linesOf([paid])[0], "and 2 more"]);
  });
});

it.each<[string, Partial<SeenDelivery>]>([
  ["answered 204", {}],
  ["no answer yet", { lastStatusCode: null }],
  ["the endpoint answered 500", { lastStatusCode: 500, lastError: "the endpoint answered 500", lastResponseBody: "" }],
  ["refused (ECONNREFUSED)", { lastStatusCode: null, lastError: "refused (ECONNREFUSED)", lastResponseBody: "" }],
  [
    "the endpoint answered 404: no order 42",
    { lastError: "the endpoint answered 404", lastResponseBody: " no order 42\n" },
  ],
  [`no: ${"x".repeat(199)}…`, { lastError: "no", lastResponseBody: "x".repeat(201) }],
  [`no: ${"x".repeat(200)}`, { lastError: "no", lastResponseBody: "x".repeat(200) }],
])("the last answer in a report is %j", (text, state) => {
  expect(lastAnswer(delivery("charge.paid", state))).toBe(text);
});
