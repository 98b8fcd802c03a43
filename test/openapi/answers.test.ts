import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openApiDocument } from "../../src/openapi/document.js";
import { registry } from "../../src/registry.js";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";

/** What a running service answers, held against what the document promises. */

const document: Loose = openApiDocument(
  registry.map(({ contract }) => contract),
  { previews: new Set(["charge-list"]), sandbox: true, version: "0" },
);

/** A schema of the document as a validator of its own. */
function validator(schema: Loose): z.ZodType {
  const alone = { ...schema, $defs: document.components.schemas };
  return z.fromJSONSchema(JSON.parse(JSON.stringify(alone).replaceAll("#/components/schemas/", "#/$defs/")));
}

function promised(method: string, path: string, status: number): Loose {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (response === undefined) throw new Error(`${method} ${path} does not document ${status}`);
  return response.$ref === undefined ? response : document.components.responses[response.$ref.split("/").at(-1)];
}

let emulator: TestEmulator;
let charge: Loose;

beforeAll(async () => {
  emulator = await startEmulator({ settings: { previews: new Set(["charge-list"]) } });
  const body = { url: "http://127.0.0.1:9/", events: ["charge.created", "charge.paid", "payment.completed"] };
  await emulator.call("POST", "/v1/webhooks/endpoints", { body });
  charge = await emulator.charge({ customer: { name: "Maria" }, description: "Order 42" });
  await emulator.sandbox(`/charges/${charge.id}/pay`);
});
afterAll(() => emulator.close());

async function check(method: string, path: string, status: number, options: Loose = {}): Promise<void> {
  const real = path.replace("{id}", options.id ?? charge.id) + (options.query ?? "");
  const answer = await emulator.call(method, real, options);
  expect(answer.status).toBe(status);
  const { content, headers } = promised(method, path, status);
  for (const name of Object.keys(headers))
    if (name !== "Idempotent-Replayed") expect(answer.headers.has(name)).toBe(true);
  const result = validator(content["application/json"].schema).safeParse(answer.body);
  expect(result.error?.message ?? "").toBe("");
}

describe("an answer is what the document promises", () => {
  it.each([
    ["GET", "/v1/charges/{id}"],
    ["GET", "/v1/charges"],
    ["GET", "/v1/wallets"],
    ["GET", "/v1/wallets/balance"],
    ["GET", "/v1/webhooks/endpoints"],
    ["GET", "/v1/webhooks/event-catalog"],
    ["GET", "/v1/webhooks/deliveries"],
    ["GET", "/v1/webhooks/stats"],
    ["GET", "/_sandbox"],
    ["GET", "/_sandbox/clock"],
    ["GET", "/_sandbox/events"],
    ["GET", "/_sandbox/requests"],
    ["GET", "/_sandbox/account"],
  ])("%s %s", (method, path) => check(method, path, 200));

  it("POST /v1/charges", () =>
    check("POST", "/v1/charges", 201, {
      body: { amount: 100, payment_method: "pix" },
      headers: { "idempotency-key": freshKey() },
    }));

  it("each refusal", async () => {
    const headers = { "idempotency-key": freshKey() };
    await check("POST", "/v1/charges", 400, { body: { amount: 0, payment_method: "pix" }, headers });
    await check("POST", "/v1/charges", 400, { body: { amount: 1, payment_method: "card" }, headers });
    await check("POST", "/v1/charges", 401, { key: null, body: {} });
    await check("POST", "/v1/charges", 413, { raw: "x".repeat(1_048_577), headers });
    await emulator.call("POST", "/v1/charges", { body: { amount: 1, payment_method: "pix" }, headers });
    await check("POST", "/v1/charges", 409, { body: { amount: 2, payment_method: "pix" }, headers });
    await check("GET", "/v1/charges/{id}", 404, { id: "ch_none" });
    await check("GET", "/v1/charges", 400, { query: "?limit=0" });
    await check("GET", "/v1/wallets", 403, { headers: { origin: "https://elsewhere.test" } });
    // A body is read also for an operation without one, and refused when it is too large.
    await check("POST", "/_sandbox/charges/{id}/expire", 413, { raw: "x".repeat(1_048_577) });
  });

  it("refuses what differs, so that this test can fail", () => {
    const schema = promised("GET", "/v1/charges/{id}", 200).content["application/json"].schema;
    expect(validator(schema).safeParse(charge).success).toBe(true);
    expect(validator(schema).safeParse({ ...charge, status: "PAID" }).success).toBe(false);
    expect(validator(schema).safeParse({ ...charge, created_at: undefined }).success).toBe(false);
  });

  it("also for what is delivered", async () => {
    const { body } = await emulator.call("GET", "/v1/webhooks/deliveries");
    const types = body.data.map(({ eventType }: Loose) => eventType);
    expect(new Set(types)).toEqual(new Set(["charge.created", "charge.paid", "payment.completed"]));
    for (const { eventType, payload } of body.data) {
      const { schema } = document.webhooks[eventType].post.requestBody.content["application/json"];
      expect(validator(schema).safeParse(payload).error?.message ?? "").toBe("");
    }
  });
});
