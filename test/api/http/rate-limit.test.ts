import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createRateLimiter } from "../../../src/api/http/rate-limit.js";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { bearer, issue, tokenOf } from "../../support/access.js";
import { type Answer, type CallOptions, freshKey } from "../../support/emulator.js";
import { sendHalf } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";

const LIMIT = 4;

const emulator = sharedEmulator({ frozen: true, rateLimit: LIMIT });
afterEach(() => emulator.sandbox("/reset"));

const ask = (options: CallOptions = {}) => emulator.call("GET", "/v1/wallets", options);
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });

/** Limit, remaining requests and Retry-After, from the headers. */
function quota({ headers }: Answer): (string | null)[] {
  return [
    headers.get("x-ratelimit-limit-minute"),
    headers.get("x-ratelimit-remaining-minute"),
    headers.get("retry-after"),
  ];
}

async function useUp(options: CallOptions = {}): Promise<void> {
  for (let count = 0; count < LIMIT; count++) await ask(options);
}

const NONE = [null, null, null];

describe("an API key", () => {
  it("can send as many requests a minute as the limit says, and each answer says how many are left", async () => {
    for (const left of [3, 2, 1, 0]) {
      const answer = await ask();
      expect([answer.status, ...quota(answer)]).toEqual([200, "4", String(left), null]);
    }
    const refused = await ask();
    expectRefused(refused, "rate_limited");
    expect(quota(refused)).toEqual(["4", "0", "60"]);
  });

  it("can send the next request after exactly the seconds of Retry-After, and not a millisecond earlier", async () => {
    await ask();
    await advance(0.25);
    for (let count = 1; count < LIMIT; count++) await ask();
    await advance(20);
    expect(quota(await ask())).toEqual(["4", "0", "40"]);
    await advance(39.749);
    expect(quota(await ask())).toEqual(["4", "0", "1"]);
    await advance(0.001);
    expect(quota(await ask())).toEqual(["4", "0", null]);
    // The oldest request is over a minute old and makes room for one. The others came a quarter of a second after it.
    expect(quota(await ask())).toEqual(["4", "0", "1"]);
    await advance(1);
    expect(quota(await ask())).toEqual(["4", "2", null]);
  });

  it("has a quota of its own, independent of other keys of the account", async () => {
    await useUp();
    expectRefused(await ask(), "rate_limited");
    expect(quota(await ask({ key: emulator.live }))).toEqual(["4", "3", null]);
    expectRefused(await ask(), "rate_limited");
  });

  it("has its whole quota after a reset, also when the reset sets the clock back", async () => {
    await advance(86_400);
    await useUp();
    await emulator.sandbox("/reset");
    expect(quota(await ask())).toEqual(["4", "3", null]);
  });
});

describe("the rate limit headers are on every answer to the key", () => {
  it("also on refusals by validation, for unknown objects and by business rules", async () => {
    const headers = { "idempotency-key": freshKey() };
    expect(quota(await emulator.call("POST", "/v1/charges", { raw: "nonsense", headers }))).toEqual(["4", "3", null]);
    expect(quota(await emulator.call("GET", "/v1/charges/ch_unknown"))).toEqual(["4", "2", null]);
    // This route is refused without its preview, but the request has a valid key.
    expect(quota(await emulator.call("GET", "/v1/charges"))).toEqual(["4", "1", null]);
    expect(quota(await emulator.call("GET", "/v1/nothing/here"))).toEqual(["4", "0", null]);
    expectRefused(await emulator.call("GET", "/v1/nothing/here"), "rate_limited");
  });

  it("also on replays of stored answers, which count like any request", async () => {
    const request = { body: { amount: 1, payment_method: "pix" }, headers: { "idempotency-key": freshKey() } };
    expect(quota(await emulator.call("POST", "/v1/charges", request))).toEqual(["4", "3", null]);
    const replay = await emulator.call("POST", "/v1/charges", request);
    expect([replay.status, replay.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(quota(replay)).toEqual(["4", "2", null]);
  });

  it("also on injected faults, which do not count: the request did not reach the service", async () => {
    const fault = async (effect: object) => {
      await emulator.call("DELETE", "/_sandbox/faults");
      await emulator.call("POST", "/_sandbox/faults", { body: { effect } });
      return ask();
    };
    expect(quota(await fault({ status: 503 }))).toEqual(["4", "4", null]);
    expect(quota(await fault({ status: 429, retry_after: 7 }))).toEqual(["4", "0", "7"]);
    expect(quota(await fault({ latency_ms: 1 }))).toEqual(["4", "3", null]);
  });

  it("also on refusals of a body that is too large, ends early or is not JSON", async () => {
    const large = { raw: "x".repeat(1_048_577), headers: { "idempotency-key": freshKey() } };
    expect(quota(await emulator.call("POST", "/v1/charges", large))).toEqual(["4", "3", null]);
    const [method, path] = ["POST", "/v1/payments/tx_unknown/cancel"];
    expect(quota(await emulator.call(method, path, { raw: "{bad" }))).toEqual(["4", "2", null]);
    const typed = { raw: "{}", headers: { "content-type": "text/plain" } };
    expect(quota(await emulator.call(method, path, typed))).toEqual(["4", "1", null]);
  });

  it("also when the key stops working while its request arrives", async () => {
    const token = await tokenOf(emulator);
    const { id, apiKey } = await issue(emulator, token, { test: true });
    const headers = { apikey: apiKey, "idempotency-key": freshKey() };
    const body = '{"amount":1,"payment_method":"pix"}';
    const request = await sendHalf(`${emulator.url}/v1/charges`, { method: "POST", headers, body });
    await emulator.call("DELETE", `/v1/api-keys/${id}`, bearer(token));
    const answer = await request.finish();
    expectRefused(answer, "unauthorized");
    expect(quota(answer)).toEqual(["4", "3", null]);
  });

  it("also on answers without a body", async () => {
    const body = { url: "http://127.0.0.1:9/", events: ["charge.paid"] };
    const { id } = (await emulator.call("POST", "/v1/webhooks/endpoints", { body })).body;
    expect(quota(await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`))).toEqual(["4", "2", null]);
  });
});

describe("a request that does not count", () => {
  it("is one without a valid key", async () => {
    for (const key of [null, "", "qa_test_unknown0", `${emulator.key}x`]) {
      const answer = await ask({ key });
      expectRefused(answer, "unauthorized");
      expect(quota(answer)).toEqual(NONE);
    }
    expect(quota(await ask())).toEqual(["4", "3", null]);
  });

  it("is one that needs no key; with a known key its answer still has the quota", async () => {
    expect(quota(await emulator.call("GET", "/v1/webhooks/event-catalog", { key: null }))).toEqual(NONE);
    expect(quota(await emulator.call("GET", "/v1/webhooks/event-catalog"))).toEqual(["4", "4", null]);
    await useUp();
    const catalogue = await emulator.call("GET", "/v1/webhooks/event-catalog");
    expect([catalogue.status, ...quota(catalogue)]).toEqual([200, "4", "0", null]);
  });

  it("is one of another origin, which is refused before its key is checked", async () => {
    expect(quota(await ask({ headers: { origin: "https://elsewhere.test" } }))).toEqual(NONE);
    expect(quota(await ask())).toEqual(["4", "3", null]);
  });

  it("is one of a dashboard user, also when it has a key beside the token", async () => {
    const [owner] = emulator.users;
    const body = { email: owner?.email, password: owner?.password };
    const login = await emulator.call("POST", "/v1/auth/login", { key: null, body });
    expect([login.status, ...quota(login)]).toEqual([200, ...NONE]);
    const headers = { authorization: `Bearer ${login.body.token}` };
    const listed = await emulator.call("GET", "/v1/api-keys", { key: null, headers });
    expect([listed.status, ...quota(listed)]).toEqual([200, ...NONE]);
    const both = await emulator.call("GET", "/v1/api-keys", { headers });
    expect([both.status, ...quota(both)]).toEqual([200, "4", "4", null]);
    const refused = await emulator.call("GET", "/v1/api-keys");
    expect([refused.status, ...quota(refused)]).toEqual([401, "4", "4", null]);
    expect(quota(await ask())).toEqual(["4", "3", null]);
  });

  it("is one to the control interface, which also answers a key that has to wait", async () => {
    await useUp();
    for (const path of ["/_sandbox", "/_sandbox/clock", "/_sandbox/requests"]) {
      const answer = await emulator.call("GET", path);
      expect([answer.status, ...quota(answer)]).toEqual([200, ...NONE]);
    }
    expect(quota(await emulator.call("GET", "/_sandbox/nothing"))).toEqual(NONE);
    expectRefused(await ask(), "rate_limited");
  });
});

describe("a refused request", () => {
  it("changes nothing and leaves its idempotency key unused", async () => {
    await useUp();
    const key = freshKey();
    const create = (amount: number) => {
      const body = { amount, payment_method: "pix" };
      return emulator.call("POST", "/v1/charges", { body, headers: { "idempotency-key": key } });
    };
    expectRefused(await create(1), "rate_limited");
    await advance(60);
    const answer = await create(2);
    expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });

  it("is in the request log of the account of its key", async () => {
    await useUp();
    await ask();
    const { data } = await emulator.sandbox("/requests?limit=1");
    expect(data[0]).toMatchObject({ path: "/v1/wallets", status: 429 });
  });
});

describe("every operation of the service", () => {
  const contracts: readonly Contract[] = registry.map(({ contract }) => contract);
  const counted = contracts.filter(({ auth, surface }) => auth === "key" && surface === "api");

  it.each(counted.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((route) => [method, route])))(
    "that takes an API key counts its requests: %s %s",
    async (method = "", route = "") => {
      const answer = await emulator.call(method, route.replace(/\{\w+\}/g, "unknown"));
      expect(quota(answer)).toEqual(["4", "3", null]);
    },
  );
});

it("without --rate-limit no request is counted and no answer has the headers", async () => {
  const free = await ownEmulator({ frozen: true });
  const answers = await Promise.all(Array.from({ length: 50 }, () => free.call("GET", "/v1/wallets")));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map(quota)).toEqual(answers.map(() => NONE));
});

/** The answer that the limiter must give, computed from every request that was ever let through. */
function naiveLimiter(limit: number) {
  const passed: { readonly key: string; readonly at: number }[] = [];
  return (key: string, now: number) => {
    const counting = passed.filter((one) => one.key === key && now - one.at < 60_000);
    if (counting.length < limit) {
      passed.push({ key, at: now });
      return { limit, remaining: limit - counting.length - 1, retryAfter: null };
    }
    let seconds = 1;
    while (counting.filter(({ at }) => now + seconds * 1_000 - at < 60_000).length >= limit) seconds += 1;
    return { limit, remaining: 0, retryAfter: seconds };
  };
}

describe("the limiter", () => {
  const steps = fc.array(
    fc.record({
      key: fc.constantFrom("a", "b", "c"),
      wait: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 4, arbitrary: fc.integer({ min: 1, max: 5_000 }) },
        { weight: 1, arbitrary: fc.constantFrom(59_999, 60_000, 60_001, 10_000_000) },
      ),
    }),
    { maxLength: 120 },
  );

  const clockAt = (now: () => number, speed = 1) => ({ now, realMs: (ms: number) => ms / speed });

  it("names the seconds of real time for a clock that is faster", () => {
    const limiter = createRateLimiter(
      1,
      clockAt(() => 0, 10),
    );
    expect([limiter.take("a").retryAfter, limiter.take("a").retryAfter]).toEqual([null, 6]);
  });

  it("decides by all requests of the last minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), steps, (limit, requests) => {
        let now = 1_700_000_000_000;
        const limiter = createRateLimiter(
          limit,
          clockAt(() => now),
        );
        const naive = naiveLimiter(limit);
        for (const { key, wait } of requests) {
          now += wait;
          const taken = limiter.take(key);
          expect(taken).toEqual(naive(key, now));
          // Asking for the quota does not count as a request.
          for (let count = 0; count < 2; count++) expect(limiter.countRemaining(key)).toBe(taken.remaining);
        }
      }),
    );
  });

  it("lets a request through after the seconds that it named", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), steps, (limit, requests) => {
        let now = 0;
        const limiter = createRateLimiter(
          limit,
          clockAt(() => now),
        );
        for (const { key, wait } of requests) {
          now += wait;
          const { retryAfter } = limiter.take(key);
          if (retryAfter === null) continue;
          now += retryAfter * 1_000;
          expect(limiter.take(key).retryAfter).toBeNull();
        }
      }),
    );
  });

  it("forgets requests of a key that lie in the future", () => {
    let now = 1_000_000;
    const limiter = createRateLimiter(
      1,
      clockAt(() => now),
    );
    limiter.take("a");
    now = 5;
    expect(limiter.take("a")).toEqual({ limit: 1, remaining: 0, retryAfter: null });
    expect(limiter.take("a")).toEqual({ limit: 1, remaining: 0, retryAfter: 60 });
  });
});
