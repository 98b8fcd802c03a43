import { describe, expect, it } from "vitest";
import { z } from "zod";
import { bodyParser } from "../../../src/api/http/validation.js";
import { registry } from "../../../src/api/registry.js";
import { ApiError } from "../../../src/base/kernel/errors.js";
import { type Answer, type CallOptions, freshKey } from "../../support/emulator.js";
import { payment } from "../../support/payments.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** A refusal stays short, however many faults a request has. */

const emulator = sharedEmulator({ frozen: true });
/** Almost as long as a body may be. */
const LONG = "x".repeat(1_000_000);
const MOST = 16_384;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  emulator.call("POST", path, { body, headers });
function expectShort(answer: Answer): void {
  expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(MOST);
  expect(answer.body.error.message.length).toBeLessThanOrEqual(1_000);
  expect(answer.body.error.details?.length ?? 0).toBeLessThanOrEqual(20);
}

describe("the refusal of a very long value stays short", () => {
  const charge = { amount: 1, payment_method: "pix" };
  const payment = { amount: 1, paymentMethods: ["PIX"], idempotencyKey: freshKey() };
  const many = Array.from({ length: 120_000 }, () => "wrong");
  const path = `/v1/${LONG}`;
  it.each<[what: string, path: string, body: unknown, param?: string | undefined, code?: string]>([
    ["event names", "/v1/webhooks/endpoints", { url: "https://a.example", events: many }, "events"],
    ["payment methods", "/v1/payments", { ...payment, paymentMethods: many }, "paymentMethods"],
    ["a directive", "/v1/charges", { ...charge, metadata: { _sandbox: { [LONG]: 1 } } }],
    ["a currency", "/v1/charges", { ...charge, currency: LONG }, "currency"],
    ["a URL", "/v1/webhooks/endpoints", { url: LONG, events: ["charge.paid"] }, "url"],
    ["an idempotency key", "/v1/payments", { ...payment, idempotencyKey: LONG }, "idempotencyKey"],
    ["an e-mail address", "/v1/payments", { ...payment, customerEmail: LONG }, "customerEmail"],
    ["an id in a body", "/_sandbox/med-cases", { charge_id: LONG }, undefined, "not_found"],
    ["the name of a snapshot", "/_sandbox/snapshots", { name: LONG }, "name"],
    ["a fault rule's path", "/_sandbox/faults", { match: { path }, effect: { status: 500 } }, "match.path"],
    ["a number", "/v1/charges", { ...charge, amount: "9".repeat(999_000) }, "amount", "invalid_amount"],
  ])("%s", async (_what, to, body, param, code = "invalid_request") => {
    const answer = await post(to, body, { "idempotency-key": freshKey() });
    expectRefused(answer, code, param);
    expectShort(answer);
  });

  it.each([
    [
      "numbers that JavaScript has no equal of",
      `{"amount":1,"payment_method":"pix","metadata":{"all":[${"1e999,".repeat(150_000)}0]}}`,
    ],
    ["no JSON at all", LONG],
  ])("%s", async (_what, raw) => {
    const answer = await emulator.call("POST", "/v1/charges", { raw, headers: { "idempotency-key": freshKey() } });
    expectRefused(answer, "invalid_request");
    expectShort(answer);
  });

  const long = "y".repeat(10_000);
  it.each<[string, string, string]>([
    ["a path", `/v1/${long}`, "not_found"],
    ["an id in a path", `/v1/charges/ch_${long}`, "not_found"],
    ["the name of a parameter", `/v1/payments?${long}=1`, "invalid_request"],
    ["a parameter given twice", `/v1/payments?${long.slice(5_000)}=1&${long.slice(5_000)}=2`, "invalid_request"],
    ["an address as long as all headers may be", `/v1/payments?${long}=1&${long}=2`, "headers_too_large"],
    ["a field to sort by", `/v1/payments?sortBy=${long}`, "invalid_request"],
    ["a status", `/v1/payments?status=${long}`, "invalid_request"],
    ["an id to filter by", `/v1/webhooks/deliveries?endpointId=${long}`, "invalid_request"],
    ["a cursor", `/_sandbox/events?after=${long}`, "invalid_request"],
    ["a date", `/v1/payments?startDate=${long}`, "invalid_request"],
  ])("%s", async (_what, path, code) => {
    const headers = { apikey: emulator.key, host: new URL(emulator.url).host };
    const answer = await send(emulator.url, { target: path, headers });
    expectRefused(answer, code);
    expectShort(answer);
  });

  it("a header", async () => {
    const headers = { "idempotency-key": "k".repeat(10_000) };
    const answer = await post("/v1/charges", { amount: 1, payment_method: "pix" }, headers);
    expectRefused(answer, "invalid_request", "Idempotency-Key");
    expectShort(answer);
  });

  it("and does not end in half a character", async () => {
    const name = `${"n".repeat(98)}😀😀`;
    const body = { ...charge, metadata: { _sandbox: { [name]: 1 } } };
    const answer = await post("/v1/charges", body, { "idempotency-key": freshKey() });
    const { param } = expectRefused(answer, "invalid_request");
    expect([param.isWellFormed(), param.endsWith("…"), param.length]).toEqual([true, true, 100]);
  });
});

describe("many failed fields", () => {
  const parameters = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join("&");
  const ask = (count: number, options: CallOptions = {}) =>
    emulator.call("GET", `/v1/payments?${parameters(count)}`, options);

  it("are all listed, up to twenty", async () => {
    const { details, message } = expectRefused(await ask(20), "invalid_request");
    expect(details).toHaveLength(20);
    expect(message).not.toContain("more");
    expect(message).toContain("p19");
  });

  it("are the first twenty when there are more, and the message says how many others there are", async () => {
    const answer = await ask(1_000);
    const { details, message } = expectRefused(answer, "invalid_request");
    expect(details.map(({ param }: { param: string }) => param)).toEqual(
      Array.from({ length: 20 }, (_, index) => `p${index}`),
    );
    expect(message).toMatch(/; and 980 more$/);
    expectShort(answer);
  });

  it("with long names leave room for the count", async () => {
    const long = Array.from({ length: 12 }, (_, index) => `${"n".repeat(500)}${index}=1`).join("&");
    const answer = await emulator.call("GET", `/v1/payments?${long}`);
    const { message } = expectRefused(answer, "invalid_request");
    expect(message).toMatch(/; and \d+ more$/);
    expectShort(answer);
  });
});

describe("a list in a body", () => {
  it("has a maximum in every operation", () => {
    for (const { contract } of registry) if ("body" in contract) bodyParser(contract.body);
    expect(() => bodyParser(z.object({ names: z.array(z.string()) }))).toThrow("names");
  });

  it("that is too long is refused without a check of its entries", () => {
    let looked = 0;
    const counting = z.string().refine(() => {
      looked += 1;
      return false;
    });
    const parser = bodyParser(z.object({ in: z.object({ names: z.array(counting).max(3).nullable() }).optional() }));
    expect(() => parser.parse({ in: { names: ["a", "b", "c", "d"] } })).toThrow("in.names must have at most 3 items");
    expect(looked).toBe(0);
    expect(() => parser.parse({ in: { names: ["a", "b", "c"] } })).toThrow(ApiError);
    expect(looked).toBe(3);
  });

  it("of the maximum length is accepted", async () => {
    const twice = (await emulator.call("GET", "/v1/webhooks/event-catalog")).body.flatMap(
      ({ event }: { event: string }) => [event, event],
    );
    const answer = await post("/v1/webhooks/endpoints", { url: "https://a.example", events: twice });
    expect([answer.status, answer.body.events.length]).toEqual([201, twice.length / 2]);
    const methods = ["PIX", "BOLETO", "CREDIT_CARD"];
    expect((await payment(emulator, { paymentMethods: methods })).paymentMethods).toEqual(methods);
  });
});
