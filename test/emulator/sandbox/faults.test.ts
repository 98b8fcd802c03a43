import { afterEach, describe, expect, it } from "vitest";
import { type CallOptions, freshKey, type Loose, startEmulator } from "../../support/emulator.js";
import { addFault, createHeldRuntime, faultRules, LATENCY, outcome } from "../../support/faults.js";
import { CODES, expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";
import { openStream } from "../../support/stream.js";

/** Each effect of a fault rule for a client, and the changes that the failed request leaves in the service. */

const runtime = createHeldRuntime();
const emulator = sharedEmulator({ frozen: true, runtime });
let waits = 0;

afterEach(() => emulator.sandbox("/reset"));

const wallets = (options: CallOptions = {}) => emulator.call("GET", "/v1/wallets", options);
const create = (key: string, amount = 100) =>
  emulator.call("POST", "/v1/charges", {
    body: { amount, payment_method: "pix" },
    headers: { "idempotency-key": key },
  });
/** The amounts of all charges, sorted. */
const amounts = async () =>
  (await emulator.call("GET", "/v1/payments")).body.data.map(({ amount }: Loose) => amount).sort();
const logged = async (query = "", key = emulator.key) =>
  (await emulator.call("GET", `/_sandbox/requests${query}`, { key })).body.data;
/** Resolves when one more request waits. */
const oneWaits = () => runtime.waitForBegin(++waits);

describe("a status", () => {
  it.each(Object.entries(CODES).map(([code, [status]]) => ({ status, code })))(
    "is answered in the error envelope with a code of it: $status $code",
    async ({ status, code }) => {
      await addFault(emulator, { status, code });
      expectRefused(await wallets(), code);
    },
  );

  it.each([
    [400, "invalid_request", "invalid_request_error"],
    [401, "unauthorized", "authentication_error"],
    [403, "fraud.customer_velocity_exceeded", "permission_error"],
    [404, "not_found", "not_found_error"],
    [409, "idempotency_key_reused", "conflict_error"],
    [413, "payload_too_large", "invalid_request_error"],
    [422, "unprocessable_entity", "invalid_request_error"],
    [429, "rate_limited", "rate_limit_error"],
    [500, "internal_error", "api_error"],
    [503, "service_unavailable", "api_error"],
    // The service has no code for this status, so it uses the general code of the class.
    [418, "invalid_request", "invalid_request_error"],
    [502, "service_unavailable", "api_error"],
    [504, "service_unavailable", "api_error"],
    [599, "service_unavailable", "api_error"],
  ])("of %d is the code %s when none is named", async (status, code, type) => {
    const rule = await addFault(emulator, { status });
    expect(rule.effect).toEqual({ status, code });
    const answer = await wallets({ headers: { "x-request-id": "mine" } });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([status, "mine"]);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toStrictEqual({
      error: { type, code, message: expect.stringMatching(/\S/) },
      request_id: "mine",
    });
  });

  it("comes before authentication, validation and unknown addresses", async () => {
    await addFault(emulator, { status: 503 });
    for (const answer of [
      await wallets({ key: null }),
      await wallets({ key: "qa_test_nobody-knows-me" }),
      await emulator.call("POST", "/v1/charges", { raw: "no json" }),
      await emulator.call("POST", "/v1/auth/login", { key: null, body: {} }),
      await emulator.call("GET", "/v1/nothing/here"),
      await emulator.call("PUT", "/v1/charges", { body: {} }),
    ]) {
      expect(answer.status).toBe(503);
    }
  });

  it("changes nothing: no charge, no event, and the idempotency key stays unused", async () => {
    await addFault(emulator, { status: 500 }, { times: 1 });
    const key = freshKey();
    expectRefused(await create(key, 100), "internal_error");
    expect((await emulator.sandbox("/events")).data).toEqual([]);
    const second = await create(key, 200);
    expect([second.status, second.headers.has("idempotent-replayed")]).toEqual([201, false]);
    expect(await amounts()).toEqual([200]);
  });
});

describe("retry_after", () => {
  const tellings = ["retry-after", "x-ratelimit-limit-minute", "x-ratelimit-remaining-minute"];
  const told = async (effect: object, on = emulator) => {
    await addFault(on, effect);
    const { headers } = await on.call("GET", "/v1/wallets");
    return tellings.map((name) => headers.get(name));
  };

  it("becomes the header Retry-After of a 503, without rate limit headers", async () => {
    expect(await told({ status: 503, retry_after: 7 })).toEqual(["7", null, null]);
  });

  it("becomes the header of a 429, which names no limit where there is none", async () => {
    expect(await told({ status: 429, retry_after: 0 })).toEqual(["0", null, null]);
  });

  it("is one second for a 429 whose rule has no retry_after", async () => {
    expect(await told({ status: 429 })).toEqual(["1", null, null]);
  });

  it("is sent with the server's real limit, and the request uses nothing of that limit", async () => {
    const limited = await ownEmulator({ rateLimit: 3 });
    expect(await told({ status: 429, retry_after: 2 }, limited)).toEqual(["2", "3", "0"]);
    await limited.call("DELETE", "/_sandbox/faults");
    const { headers } = await limited.call("GET", "/v1/wallets");
    expect(headers.get("x-ratelimit-remaining-minute")).toBe("2");
  });
});

it("a connection that is cut before the request is carried out carries no answer, and nothing happened", async () => {
  await addFault(emulator, { drop: "before" }, { times: 2 });
  const key = freshKey();
  expect(await outcome(create(key, 100))).toBe("cut");
  expect(await outcome(wallets({ key: null }))).toBe("cut");
  expect(await amounts()).toEqual([]);
  const answer = await create(key, 200);
  expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
});

describe("a connection that is cut after the request is carried out", () => {
  it("loses the answer; a retry with the same idempotency key gets it, and there is one charge", async () => {
    const rule = await addFault(emulator, { drop: "after" }, { times: 1, match: { path: "/v1/charges" } });
    const key = freshKey();
    expect(await outcome(create(key))).toBe("cut");
    const [entry] = await logged();
    expect(entry).toMatchObject({ status: 0, fault: rule.id, idempotency_key: key, request_body: { amount: 100 } });
    const retried = await create(key);
    expect([retried.status, retried.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(retried.body).toEqual(entry.response_body);
    expect(await amounts()).toEqual([100]);
  });

  it("leads to a second charge when the client retries with a new idempotency key", async () => {
    await addFault(emulator, { drop: "after" }, { times: 1 });
    expect(await outcome(create(freshKey()))).toBe("cut");
    await create(freshKey());
    expect(await amounts()).toEqual([100, 100]);
  });

  it("is cut too when the answer would be a refusal", async () => {
    await addFault(emulator, { drop: "after" }, { times: 2 });
    expect(await outcome(wallets({ key: null }))).toBe("cut");
    expect(await outcome(emulator.call("GET", "/v1/nothing/here"))).toBe("cut");
    const codes = (await logged()).map(({ response_body }: Loose) => response_body.error.code);
    expect(codes).toEqual(["not_found", "unauthorized"]);
  });

  it("loses an answer without a body too, and the answer to a user's request", async () => {
    const [owner] = emulator.users;
    const body = { email: owner?.email, password: owner?.password };
    const login = await emulator.call("POST", "/v1/auth/login", { key: null, body });
    const headers = { authorization: `Bearer ${login.body.token}` };
    await addFault(emulator, { drop: "after" }, { times: 1 });
    expect(await outcome(emulator.call("POST", "/v1/auth/logout", { key: null, headers }))).toBe("cut");
    expect((await emulator.call("GET", "/v1/api-keys", { key: null, headers })).status).toBe(401);
  });
});

describe("a latency", () => {
  it("delays the request, which is carried out afterwards", async () => {
    await addFault(emulator, { latency_ms: LATENCY });
    const answer = create(freshKey());
    await oneWaits();
    await emulator.sandbox("/clock/advance", { seconds: 1_000 });
    expect((await emulator.sandbox("/events")).data).toEqual([]);
    runtime.pass();
    expect((await answer).status).toBe(201);
  });

  it.each([
    ["a status", { status: 503 }, 503],
    ["a cut before", { drop: "before" }, "cut"],
    ["a cut after", { drop: "after" }, "cut"],
  ])("delays the request before %s", async (_what, effect, expected) => {
    await addFault(emulator, { ...effect, latency_ms: LATENCY }, { times: 1 });
    const ended = outcome(create(freshKey()));
    await oneWaits();
    expect(await logged()).toEqual([]);
    runtime.pass();
    const answer = await ended;
    expect(answer === "cut" ? answer : answer.status).toBe(expected);
    expect(await amounts()).toEqual("drop" in effect && effect.drop === "after" ? [100] : []);
  });

  it("of 0 does not wait", async () => {
    await addFault(emulator, { latency_ms: 0 });
    expect((await wallets()).status).toBe(200);
  });

  it("does not delay requests that do not match the rule, nor a request with a refused body", async () => {
    await addFault(emulator, { latency_ms: LATENCY }, { match: { method: "POST" } });
    const answer = emulator.call("POST", "/v1/charges", { raw: new Uint8Array([0xff, 0xfe]) });
    await oneWaits();
    expect((await wallets()).status).toBe(200);
    runtime.pass();
    expectRefused(await answer, "invalid_request");
  });

  it("does not prevent the charge when the client stops waiting", async () => {
    const stream = await openStream(emulator, "/_sandbox/requests?path=/v1/charges");
    await addFault(emulator, { latency_ms: LATENCY }, { times: 1 });
    const [key, patience] = [freshKey(), new AbortController()];
    const given = fetch(`${emulator.url}/v1/charges`, {
      method: "POST",
      headers: { apikey: emulator.key, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ amount: 100, payment_method: "pix" }),
      signal: patience.signal,
    }).catch(() => "gave up");
    await oneWaits();
    patience.abort();
    expect(await given).toBe("gave up");
    await wallets();
    runtime.pass();
    const told = await stream.next();
    expect(told?.data).toMatchObject({ status: 201, idempotency_key: key });
    const retried = await create(key);
    expect([retried.headers.get("idempotent-replayed"), retried.body.id]).toEqual([
      "true",
      told?.data.response_body.id,
    ]);
    expect(await amounts()).toEqual([100]);
    stream.close();
  });

  it("ends with a reset: waiting requests are refused and change nothing", async () => {
    await addFault(emulator, { latency_ms: LATENCY });
    const answer = create(freshKey());
    await oneWaits();
    await emulator.sandbox("/reset");
    expect(await answer).toMatchObject({ status: 503, body: { error: { code: "service_unavailable" } } });
    expect([await amounts(), await faultRules(emulator), runtime.countHeld()]).toEqual([[], [], 0]);
  });

  it("does not keep the server from stopping", async () => {
    const own = createHeldRuntime();
    const other = await startEmulator({ runtime: own });
    await addFault(other, { latency_ms: LATENCY });
    const waiting = [other.call("GET", "/v1/wallets"), other.call("POST", "/v1/charges", { body: { amount: 1 } })];
    await own.waitForBegin(2);
    await other.close();
    for (const { status, body } of await Promise.all(waiting)) {
      expect([status, body.error.code]).toEqual([503, "service_unavailable"]);
    }
    expect(own.countHeld()).toBe(0);
  });

  it("does not keep the server from stopping when the client has disconnected", async () => {
    const own = createHeldRuntime();
    const other = await startEmulator({ runtime: own });
    await addFault(other, { latency_ms: LATENCY });
    const patience = new AbortController();
    const gone = fetch(`${other.url}/v1/wallets`, { signal: patience.signal }).catch(() => "gave up");
    await own.waitForBegin(1);
    patience.abort();
    expect(await gone).toBe("gave up");
    await other.close();
    expect(own.countHeld()).toBe(0);
  });
});

describe("in the request log", () => {
  it("a request has the id of the rule that applied to it, and is otherwise like any other", async () => {
    const refused = await addFault(emulator, { status: 503 }, { times: 1 });
    const cut = await addFault(emulator, { drop: "before" }, { times: 1 });
    const slow = await addFault(emulator, { latency_ms: 1 }, { times: 1 });
    const answer = await wallets();
    await outcome(wallets());
    await wallets();
    await wallets();
    const entries = await logged();
    expect(entries.map(({ status, fault }: Loose) => [status, fault])).toEqual([
      [200, null],
      [200, slow.id],
      [0, cut.id],
      [503, refused.id],
    ]);
    expect(entries[3]).toMatchObject({ method: "GET", path: "/v1/wallets", response_body: answer.body });
    expect(entries[2].response_body).toBeNull();
    expect(await logged("?status=503")).toEqual([entries[3]]);
  });

  it("a request is listed for the API key that it carried; an unknown key has no fingerprint", async () => {
    await addFault(emulator, { status: 503 });
    await wallets();
    expect(await logged("", emulator.live)).toEqual([]);
    await wallets({ key: emulator.live });
    const [entry] = await logged("", emulator.live);
    expect(entry.key_fingerprint).toMatch(/^[0-9a-f]{16}$/);
    await wallets({ key: "qa_test_nobody-knows-me" });
    expect((await logged())[0]).toMatchObject({ status: 503, key_fingerprint: null });
  });

  it("a request that was not carried out shows no secret", async () => {
    await addFault(emulator, { status: 503 });
    const body = { email: "a@example.com", password: "open-sesame" };
    await emulator.call("POST", "/v1/auth/login?password=open-sesame", { key: null, body });
    expect(JSON.stringify(await logged())).not.toContain("open-sesame");
  });

  it("a request with a fault is streamed live", async () => {
    const stream = await openStream(emulator, "/_sandbox/requests");
    const rule = await addFault(emulator, { drop: "after" });
    await outcome(wallets());
    expect((await stream.next())?.data).toMatchObject({ path: "/v1/wallets", status: 0, fault: rule.id });
    stream.close();
  });
});
