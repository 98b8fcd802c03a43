import { beforeAll, describe, expect, it } from "vitest";
import type { Contract } from "../../src/kernel/contract.js";
import { openApiDocument } from "../../src/openapi/document.js";
import { registry } from "../../src/registry.js";
import { addressOf, type Call, preparedCall } from "../support/calls.js";
import { type Answer, freshKey, type Loose } from "../support/emulator.js";
import { faultsBy } from "../support/schemas.js";
import { sharedEmulator } from "../support/shared.js";

/**
 * What a running service answers, held against what the document promises. What each operation answers is among the examples
 * of the document (test/docs/openapi-examples.test.ts), which fit their schemas (test/openapi/examples.test.ts).
 */

const document: Loose = openApiDocument(
  registry.map(({ contract }) => contract),
  { previews: new Set(["charge-list"]), sandbox: true, version: "0" },
);

const faultsIn = faultsBy(document);

function promised(method: string, path: string, status: number): Loose {
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  if (response === undefined) throw new Error(`${method} ${path} does not document ${status}`);
  return response.$ref === undefined ? response : document.components.responses[response.$ref.split("/").at(-1)];
}

const emulator = sharedEmulator({ settings: { previews: new Set(["charge-list"]) } });
let charge: Loose;

beforeAll(async () => {
  const body = { url: "http://127.0.0.1:9/", events: ["charge.created", "charge.paid", "payment.completed"] };
  await emulator.call("POST", "/v1/webhooks/endpoints", { body });
  charge = await emulator.charge({ customer: { name: "Maria" }, description: "Order 42" });
  await emulator.sandbox(`/charges/${charge.id}/pay`);
});

function expectPromised({ method, path }: Pick<Contract, "method" | "path">, status: number, answer: Answer): void {
  expect(answer.status).toBe(status);
  const { content, headers } = promised(method, path, status);
  for (const name of Object.keys(headers))
    if (name !== "Idempotent-Replayed") expect(answer.headers.has(name)).toBe(true);
  const schema = content?.["application/json"]?.schema;
  if (schema) expect(faultsIn(schema, answer.body)).toEqual([]);
}

async function check(method: "GET" | "POST", path: string, status: number, options: Loose = {}): Promise<void> {
  const real = path.replace("{id}", options.id ?? charge.id) + (options.query ?? "");
  expectPromised({ method, path }, status, await emulator.call(method, real, options));
}

describe("an answer is what the document promises", () => {
  const headersOf = ({ method, path, success }: Contract) =>
    Object.keys(promised(method, path, success.status).headers);
  // One operation for each set of headers that answers have.
  const contracts = registry.map(({ contract }) => contract as Contract);
  const sets = contracts.map((contract) => String(headersOf(contract)));
  const firsts = contracts.filter((_contract, index) => sets.indexOf(sets[index] ?? "") === index);
  it.each(firsts)("with the headers of $id", async (contract) => {
    const call: Call = await preparedCall(contract.id, emulator);
    const answer = await emulator.call(contract.method, addressOf(contract.path, call), call);
    expectPromised(contract, contract.success.status, answer);
  });

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

  it("also for what is delivered", async () => {
    const { body } = await emulator.call("GET", "/v1/webhooks/deliveries");
    const types = body.data.map(({ eventType }: Loose) => eventType);
    expect(new Set(types)).toEqual(new Set(["charge.created", "charge.paid", "payment.completed"]));
    for (const { eventType, payload } of body.data) {
      const { schema } = document.webhooks[eventType].post.requestBody.content["application/json"];
      expect(faultsIn(schema, payload)).toEqual([]);
    }
  });
});
