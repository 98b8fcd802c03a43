import { afterEach, describe, expect, it } from "vitest";
import { createFaultRules } from "../../../src/emulator/sandbox/fault-rules.js";
import type { Loose } from "../../support/emulator.js";
import { addFault, createHeldRuntime, faultRules, outcome } from "../../support/faults.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** Which rule applies to which request and how often, and which rules are refused. */

/** The next random numbers, in this order. A draw when the list is empty throws. */
const chances: number[] = [];

function fraction(): number {
  const next = chances.shift();
  if (next === undefined) throw new Error("nobody was to ask for chance");
  return next;
}
const emulator = sharedEmulator({ frozen: true, runtime: createHeldRuntime(fraction) });
afterEach(async () => {
  chances.length = 0;
  await emulator.sandbox("/reset");
});

const status = async (method: string, path: string, options: Loose = {}) =>
  (await emulator.call(method, path, options)).status;
const statuses = async (count: number) => {
  const seen: number[] = [];
  while (seen.length < count) seen.push(await status("GET", "/v1/wallets"));
  return seen;
};
const add = (effect: object, rest: object = {}) => addFault(emulator, effect, rest);
const remove = (id: string, key = emulator.key) => emulator.call("DELETE", `/_sandbox/faults/${id}`, { key });

describe("a rule", () => {
  it("is answered with its id, and the list shows it as it was answered", async () => {
    const match = { method: "POST", path: "/v1/charges*" };
    const effect = { status: 429, retry_after: 3, latency_ms: 5 };
    const answer = await emulator.call("POST", "/_sandbox/faults", {
      body: { match, effect, times: 2, probability: 0.5 },
    });
    const { now } = await emulator.sandbox("/clock");
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^flt_[0-9a-f-]{36}$/),
      match,
      effect: { ...effect, code: "rate_limited" },
      times: 2,
      remaining: 2,
      probability: 0.5,
      applied: 0,
      created_at: now,
    });
    expect(await faultRules(emulator)).toEqual([answer.body]);
  });

  it.each([400, 429, 500, 503])(
    "is named in the message of its answer %d, so that nobody looks for another fault",
    async (one) => {
      const { id } = await add({ status: one });
      const { status: answered, body } = await emulator.call("GET", "/v1/wallets");
      const message = `A fault rule of this emulator answered this request: ${id}. \`qa-pay sandbox faults list\` shows it.`;
      expect([answered, body.error.message]).toEqual([one, message]);
    },
  );

  it("applies to every request without an end when it has neither match nor times", async () => {
    const rule = await add({ drop: "before" }, { match: null, times: null });
    expect(rule).toMatchObject({ match: {}, times: null, remaining: null, probability: 1 });
  });

  it("is deleted by its id, with or without the prefix; a second deletion is not found", async () => {
    const [one, two, three] = [await add({ status: 500 }), await add({ status: 503 }), await add({ status: 504 })];
    const removed = await remove(two.id);
    expect([removed.status, removed.body]).toEqual([204, null]);
    expect((await remove(one.id.slice("flt_".length))).status).toBe(204);
    expectRefused(await remove(two.id), "not_found");
    expect((await faultRules(emulator)).map(({ id }) => id)).toEqual([three.id]);
    expect(await statuses(1)).toEqual([504]);
  });

  it("is deleted together with all others; deleting all is fine when there are none", async () => {
    await add({ status: 500 });
    await add({ status: 503 });
    for (let count = 0; count < 2; count++) {
      const cleared = await emulator.call("DELETE", "/_sandbox/faults");
      expect([cleared.status, cleared.body]).toEqual([204, null]);
      expect(await faultRules(emulator)).toEqual([]);
    }
    expect(await statuses(1)).toEqual([200]);
  });

  it("is deleted by a reset", async () => {
    await add({ status: 500 });
    await emulator.sandbox("/reset");
    expect(await faultRules(emulator)).toEqual([]);
    expect(await statuses(1)).toEqual([200]);
  });

  it("applies to every account in both modes, whichever account added it, and each of them sees it", async () => {
    const { body: other } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: "Outra Loja" } });
    const rule = await addFault(emulator, { status: 503 });
    for (const key of [emulator.key, emulator.live, other.test_key]) {
      expect(await status("GET", "/v1/wallets", { key })).toBe(503);
      const { body } = await emulator.call("GET", "/_sandbox/faults", { key });
      expect(body.data.map(({ id }: Loose) => id)).toEqual([rule.id]);
    }
    expect((await remove(rule.id, other.live_key)).status).toBe(204);
  });

  it("is one of a thousand at most; a new rule replaces the oldest rule that is used up", async () => {
    const usedUp = await add({ status: 503 }, { times: 1 });
    await statuses(1);
    const body = { match: { path: "/v1/none" }, effect: { status: 503 } };
    const adding = Array.from({ length: 999 }, () => emulator.call("POST", "/_sandbox/faults", { body }));
    await Promise.all(adding);
    expect((await faultRules(emulator))[0].id).toBe(usedUp.id);
    const last = await add({ status: 504 });
    const rules = await faultRules(emulator);
    expect([rules.length, rules.at(-1)?.id]).toEqual([1_000, last.id]);
    expect(rules.map(({ id }) => id)).not.toContain(usedUp.id);
    expectRefused(await emulator.call("POST", "/_sandbox/faults", { body }), "invalid_request");
    expect(await statuses(1)).toEqual([504]);
  });
});

describe("a match", () => {
  const TRIED = [
    ["GET", "/v1/wallets"],
    ["GET", "/v1/wallets/"],
    ["GET", "/v1/wallets/balance"],
    ["GET", "/v1/wallets?currency=BRL"],
    ["GET", "/v1/charges/ch_1"],
    ["POST", "/v1/charges"],
    ["POST", "/v1/charges/ch_1"],
    ["POST", "/v1/payments"],
    ["DELETE", "/v1/webhooks/endpoints/we_1"],
    ["PATCH", "/v1/webhooks/endpoints/we_1"],
    ["PUT", "/v1/nothing"],
  ] as const;
  const everything = TRIED.map(([method, path]) => `${method} ${path}`);

  it.each<[string, object, string[]]>([
    ["nothing", {}, everything],
    ["/v1*", { path: "/v1*" }, everything],
    ["/v1/*", { path: "/v1/*" }, everything],
    ["a method", { method: "POST" }, everything.filter((one) => one.startsWith("POST "))],
    ["an exact path", { path: "/v1/wallets" }, ["GET /v1/wallets", "GET /v1/wallets?currency=BRL"]],
    ["a longer exact path", { path: "/v1/charges/ch_1" }, ["GET /v1/charges/ch_1", "POST /v1/charges/ch_1"]],
    ["a prefix", { path: "/v1/charges*" }, ["GET /v1/charges/ch_1", "POST /v1/charges", "POST /v1/charges/ch_1"]],
    ["a prefix with its slash", { path: "/v1/charges/*" }, ["GET /v1/charges/ch_1", "POST /v1/charges/ch_1"]],
    ["half a word", { path: "/v1/wal*" }, everything.filter((one) => one.includes("wallets"))],
    ["method and path", { method: "POST", path: "/v1/charges*" }, ["POST /v1/charges", "POST /v1/charges/ch_1"]],
    ["another case", { path: "/v1/Wallets" }, []],
  ])("of %s", async (_what, match, expected) => {
    await add({ status: 504 }, { match });
    const hit: string[] = [];
    for (const [method, path] of TRIED) if ((await status(method, path)) === 504) hit.push(`${method} ${path}`);
    expect(hit).toEqual(expected);
  });

  it("never applies to the control interface, pages, files or a malformed address", async () => {
    const rule = await add({ drop: "before" });
    for (const path of ["/console/", "/"]) expect(await status("GET", path, { key: null })).toBe(200);
    for (const path of ["/_sandbox", "/_sandbox/requests"]) expect(await status("GET", path)).toBe(200);
    for (const path of ["/checkout/none", "/uploads/evidence/none", "/v2/wallets", "/v1"]) {
      expect(await status("GET", path, { key: null })).toBeGreaterThanOrEqual(400);
    }
    expect((await faultRules(emulator))[0]).toMatchObject({ id: rule.id, applied: 0 });
  });

  it("is not used up by a page of another origin, which is refused as always", async () => {
    await add({ status: 503 }, { times: 1 });
    expect(await status("GET", "/v1/wallets", { headers: { origin: "https://elsewhere.test" } })).toBe(403);
    expect(await statuses(1)).toEqual([503]);
  });
});

describe("when several rules match a request", () => {
  it("the rule that was added first applies, and the next one when it is used up or deleted", async () => {
    const first = await add({ status: 500 }, { times: 2 });
    const second = await add({ status: 503 });
    await add({ status: 504 });
    expect(await statuses(3)).toEqual([500, 500, 503]);
    await remove(second.id);
    expect(await statuses(2)).toEqual([504, 504]);
    expect(await faultRules(emulator)).toMatchObject([
      { id: first.id, times: 2, remaining: 0, applied: 2 },
      { times: null, remaining: null, applied: 2 },
    ]);
  });

  it("only one of them applies: a latency is not combined with the refusal of the next rule", async () => {
    await add({ latency_ms: 0 }, { times: 1 });
    await add({ status: 503 });
    expect(await statuses(2)).toEqual([200, 503]);
  });
});

describe("times", () => {
  it("lets that many requests in a row fail, and the next one of the same client succeeds", async () => {
    await add({ status: 503 }, { times: 2 });
    expect(await statuses(4)).toEqual([503, 503, 200, 200]);
  });

  it("counts requests that match the rule, and no others", async () => {
    await add({ status: 503 }, { times: 1, match: { path: "/v1/wallets/balance" } });
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await status("GET", "/v1/wallets/balance")).toBe(503);
    expect(await status("GET", "/v1/wallets/balance")).toBe(200);
  });

  it("is never exceeded, however many requests come at the same moment", async () => {
    await add({ drop: "before" }, { times: 3 });
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => outcome(emulator.call("GET", "/v1/wallets"))));
    expect(outcomes.filter((one) => one === "cut")).toHaveLength(3);
  });
});

describe("probability", () => {
  it("lets chance decide about each request that matches", async () => {
    await add({ status: 503 }, { probability: 0.3, match: { method: "GET" } });
    chances.push(0.29, 0.3, 0.9, 0);
    expect(await status("POST", "/v1/charges")).toBe(400);
    expect(await statuses(4)).toEqual([503, 200, 200, 503]);
    expect((await faultRules(emulator))[0]).toMatchObject({ applied: 2, remaining: null });
  });

  it("passes a request on to the next matching rule when chance decides against this rule", async () => {
    await add({ status: 500 }, { probability: 0.5, times: 1 });
    await add({ status: 503 }, { probability: 0.5 });
    chances.push(0.7, 0.2, 0.7, 0.7, 0.2, 0.2);
    expect(await statuses(4)).toEqual([503, 200, 500, 503]);
  });

  it("of 1 needs no random number", async () => {
    await add({ status: 500 }, { probability: 0 });
    await add({ status: 503 }, { probability: 1 });
    expect(await statuses(2)).toEqual([503, 503]);
  });
});

it("without a rule that can still apply the size is 0, so that no request is checked against rules", () => {
  const { random, real } = createHeldRuntime();
  const faults = createFaultRules({ ids: { next: () => "one" }, random, real, clock: { now: () => 0 } });
  expect(faults.size).toBe(0);
  faults.add({ match: {}, effect: { drop: "before" }, times: 1, probability: 1 });
  expect(faults.size).toBe(1);
  expect(faults.take("GET", "/v1/wallets")).not.toBeNull();
  expect([faults.size, faults.list().length]).toEqual([0, 1]);
  faults.add({ match: {}, effect: { drop: "before" }, times: null, probability: 1 });
  faults.clear();
  expect([faults.size, faults.list().length]).toEqual([0, 0]);
});

describe("a wait", () => {
  const waits = () => {
    const timers = { over: [] as (() => void)[], cancelled: 0 };
    const { random, real } = createHeldRuntime();
    const after = (_ms: number, callback: () => void) => {
      timers.over.push(callback);
      return { cancel: () => void timers.cancelled++ };
    };
    const parts = { ids: { next: () => "one" }, random, real: { ...real, after }, clock: { now: () => 0 } };
    return { faults: createFaultRules(parts), timers };
  };
  const refused = { code: "service_unavailable" };

  it("that has ended is removed from the list of waits", async () => {
    const { faults, timers } = waits();
    const wait = faults.wait(5, 0);
    timers.over[0]?.();
    await wait;
    faults.interrupt();
    expect(timers.cancelled).toBe(0);
  });

  it("is refused at once while waiting requests hold 64 MB with their bodies, until one has ended", async () => {
    const { faults, timers } = waits();
    const large = 1_048_576 - 4_096;
    const many = Array.from({ length: 64 }, () => faults.wait(5, large));
    await expect(faults.wait(5, 0)).rejects.toMatchObject(refused);
    timers.over[0]?.();
    await many[0];
    await expect(faults.wait(5, large + 1)).rejects.toMatchObject(refused);
    many[0] = faults.wait(5, large);
    expect(timers.over).toHaveLength(65);
    faults.interrupt();
    for (const wait of many) await expect(wait).rejects.toMatchObject(refused);
    const next = faults.wait(5, 63 * 1_048_576);
    timers.over.at(-1)?.();
    await next;
  });

  it("ends with an interruption, after which new waits can begin, and with a stop, after which none can", async () => {
    const { faults, timers } = waits();
    const [one, two] = [faults.wait(5, 0), faults.wait(5, 0)];
    faults.add({ match: {}, effect: { latency_ms: 5 }, times: null, probability: 1 });
    faults.interrupt();
    expect(faults.size).toBe(1);
    await expect(one).rejects.toMatchObject(refused);
    await expect(two).rejects.toMatchObject(refused);
    const three = faults.wait(5, 0);
    faults.stop();
    await expect(three).rejects.toMatchObject(refused);
    await expect(faults.wait(5, 0)).rejects.toMatchObject(refused);
    expect([timers.over.length, timers.cancelled]).toEqual([3, 3]);
  });
});

describe("a rule is refused", () => {
  const effect = { status: 503 };
  const long = `/v1/${"x".repeat(497)}`;

  it.each<[string, object, string]>([
    ["an empty effect", { effect: {} }, "effect"],
    ["a retry_after alone", { effect: { retry_after: 1 } }, "effect"],
    ["a code of another status", { effect: { status: 500, code: "not_found" } }, "effect.code"],
    ["a code of a status that has one alone", { effect: { status: 504, code: "internal_error" } }, "effect.code"],
    ["a code without status", { effect: { code: "not_found", latency_ms: 1 } }, "effect.code"],
    ["a cut and a status", { effect: { drop: "after", status: 503 } }, "effect.drop"],
    ["a retry_after with a 500", { effect: { status: 500, retry_after: 1 } }, "effect.retry_after"],
    ["a retry_after without status", { effect: { latency_ms: 1, retry_after: 1 } }, "effect.retry_after"],
    ["an effect that is misspelt", { effect: { latency: 5 } }, "effect"],
    ["an empty path", { effect, match: { path: "" } }, "match.path"],
    ["a path elsewhere", { effect, match: { path: "/_sandbox/reset" } }, "match.path"],
    ["a path that only looks alike", { effect, match: { path: "/v10/charges" } }, "match.path"],
    ["every path", { effect, match: { path: "*" } }, "match.path"],
    ["the root alone", { effect, match: { path: "/v1" } }, "match.path"],
    ["a star inside", { effect, match: { path: "/v1/*/refund" } }, "match.path"],
    ["two stars", { effect, match: { path: "/v1/**" } }, "match.path"],
    ["a query", { effect, match: { path: "/v1/charges?limit=1" } }, "match.path"],
    ["a placeholder", { effect, match: { path: "/v1/charges/{id}" } }, "match.path"],
    ["a slash at the end", { effect, match: { path: "/v1/charges/" } }, "match.path"],
    ["a path without end", { effect, match: { path: long } }, "match.path"],
  ])("with %s", async (_what, body, param) => {
    expectRefused(await emulator.call("POST", "/_sandbox/faults", { body }), "invalid_request", param);
    expect(await faultRules(emulator)).toEqual([]);
  });

  it.each([
    ["the bounds", { effect: { status: 400, latency_ms: 600_000 }, times: 1, probability: 1 }],
    ["the other bounds", { effect: { status: 599, latency_ms: 0 }, probability: 0 }],
    ["fields that nobody knows", { effect: { ...effect, foo: 1 }, match: { bar: "POST" }, baz: 1 }],
    ["a day to wait", { effect: { status: 503, retry_after: 86_400 } }],
    ["a code of the status", { effect: { status: 409, code: "EVIDENCE_NOT_UPLOADED" } }],
    ["latency and a cut", { effect: { latency_ms: 1, drop: "after" }, match: { path: "/v1*" } }],
  ])("but not for its edges: %s are taken", async (_what, body) => {
    const answer = await emulator.call("POST", "/_sandbox/faults", { body });
    expect([answer.status, await faultRules(emulator)]).toEqual([201, [answer.body]]);
  });
});
