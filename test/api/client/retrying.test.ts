import { describe, expect, it } from "vitest";
import { createClient, ServiceError } from "../../../src/index.js";
import { networkError, type Reaction, scriptedClient } from "../../support/client.js";
import { startHost } from "../../support/running.js";
import { ownEmulator } from "../../support/shared.js";
import { failureOf } from "../../support/thrown.js";

const envelope = (type: string, code: string) => ({ error: { type, code, message: code }, request_id: "req_1" });
const limited = (retryAfter?: string): Reaction => ({
  status: 429,
  headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  body: envelope("rate_limit_error", "rate_limited"),
});
const broken = (status: number): Reaction => ({ status, body: envelope("api_error", "internal_error") });
const good: Reaction = { status: 200, body: { id: "ch_1" } };
const charge = { body: { amount: 5, payment_method: "pix" as const }, idempotencyKey: "order-12345678" };

const failure = (call: Promise<unknown>) => failureOf(call, ServiceError);

describe("a request that is repeated", () => {
  it.each<[string, Reaction]>([
    ["a 500", broken(500)],
    ["a 503", broken(503)],
    ["a lost connection", networkError("ECONNRESET")],
    ["a refused connection", networkError("ECONNREFUSED")],
    ["a 429", limited()],
  ])("has the same idempotency key and body after %s", async (_name, first) => {
    const { client, sent } = scriptedClient([first, { ...good, status: 201 }]);
    await client["charges.create"](charge);
    const seen = await Promise.all(sent.map(async (one) => [one.headers.get("idempotency-key"), await one.text()]));
    expect(seen).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[0]).toEqual(["order-12345678", JSON.stringify(charge.body)]);
  });

  it("is a read, or has its key in the body", async () => {
    const read = scriptedClient([broken(502), good]);
    await read.client["charges.get"]({ params: { id: "ch_1" } });
    const refund = scriptedClient([broken(502), good]);
    await refund.client["payments.refund"]({ params: { id: "tx_1" }, body: { idempotencyKey: "refund-12345678" } });
    expect([read.sent, refund.sent].map(({ length }) => length)).toEqual([2, 2]);
  });

  it("waits twice as long each time, with a random part, when the answer names no time", async () => {
    const { client, waiting } = scriptedClient([broken(500), broken(500), broken(500), broken(500), good], {
      maxRetries: 4,
    });
    await client["wallets.balance"]();
    expect(waiting.pauses).toEqual([375, 750, 1_500, 3_000]);
  });

  it("waits as long as Retry-After says, in seconds or until a date", async () => {
    const seconds = scriptedClient([limited("7"), good]);
    await seconds.client["wallets.balance"]();
    const date = scriptedClient([limited("Sat, 21 Nov 2026 12:00:09 GMT"), good]);
    await date.client["wallets.balance"]();
    const neither = scriptedClient([limited("soon"), good]);
    await neither.client["wallets.balance"]();
    expect([seconds, date, neither].map(({ waiting }) => waiting.pauses)).toEqual([[7_000], [9_000], [375]]);
  });

  it("is sent three times at most, or as often as maxRetries says", async () => {
    const counts = [undefined, 0, 5].map(async (maxRetries) => {
      const { client, sent } = scriptedClient([broken(500)], maxRetries === undefined ? {} : { maxRetries });
      expect(await failure(client["wallets.balance"]())).toMatchObject({ status: 500, type: "api_error" });
      return sent.length;
    });
    expect(await Promise.all(counts)).toEqual([3, 1, 6]);
  });

  it("stops when the pause is longer than the rest of the time limit", async () => {
    const { client, sent, waiting } = scriptedClient([limited("3600")]);
    expect(await failure(client["wallets.balance"]())).toMatchObject({ status: 429, type: "rate_limit_error" });
    expect([sent.length, waiting.pauses]).toEqual([1, []]);
  });
});

describe("a request that is not repeated", () => {
  const unsafe = (scripted: ReturnType<typeof scriptedClient>) =>
    scripted.client["sandbox.payouts.create"]({ body: { amount: 5 } });

  it.each<[string, Reaction, object]>([
    ["a 500", broken(500), { status: 500 }],
    ["a 503", broken(503), { status: 503 }],
    ["a lost connection", networkError("ECONNRESET"), { status: 0, type: "connection_error", code: "unreachable" }],
  ])("changes something and has no idempotency key, after %s", async (_name, reaction, facts) => {
    const scripted = scriptedClient([reaction, good]);
    expect(await failure(unsafe(scripted))).toMatchObject(facts);
    expect(scripted.sent).toHaveLength(1);
  });

  it("has a key that is missing in a program without types", async () => {
    const scripted = scriptedClient([broken(500), good]);
    await failure(scripted.client["charges.create"]({ body: charge.body } as typeof charge));
    expect(scripted.sent).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 413, 422])("was refused with %i", async (status) => {
    const { client, sent } = scriptedClient([{ status, body: envelope("invalid_request_error", "some_code") }]);
    expect(await failure(client["charges.create"](charge))).toMatchObject({ status, code: "some_code" });
    expect(sent).toHaveLength(1);
  });

  it("is repeated all the same after a 429 and without a connection, because nothing was done", async () => {
    for (const first of [limited(), networkError("ECONNREFUSED")]) {
      const scripted = scriptedClient([first, { ...good, status: 201 }]);
      await unsafe(scripted);
      expect(scripted.sent).toHaveLength(2);
    }
  });
});

describe("against a service", () => {
  it("a charge is created once, although the answer to the first request was lost", async () => {
    const emulator = await ownEmulator();
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.key });
    await emulator.sandbox("/faults", {
      match: { method: "POST", path: "/v1/charges" },
      effect: { drop: "after" },
      times: 1,
    });
    const { id } = await client["charges.create"](charge);
    const { data, total } = await client["payments.list"]();
    expect([total, data.map((payment) => payment.id)]).toEqual([1, [id.replace("ch_", "tx_")]]);
  });

  it("a connection that breaks in the middle of an answer is not repeated without a key", async () => {
    let count = 0;
    const host = await startHost((_request, response) => {
      count += 1;
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    });
    const client = createClient({ baseUrl: host.url, apiKey: "qa_test_12345678" });
    const error = await failure(client["sandbox.clock.freeze"]());
    expect(error).toMatchObject({ status: 0, type: "connection_error", requestId: null });
    expect(count).toBe(1);
    await host.close();
  });
});
