import { afterEach, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { kindOf } from "../../../src/base/kernel/ids.js";
import { openApiDocument } from "../../../src/service/openapi/document.js";
import { EXAMPLES } from "../../../src/service/openapi/examples.js";
import { addressOf, prepareCall } from "../../support/calls.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

/** The requests that a person sends first: what a program such as Postman fills in from the document, sent as it is. */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);
const previews = new Set(["charge-list"] as const);
const document: Loose = openApiDocument(contracts, { previews, sandbox: true, version: "0", examples: EXAMPLES });
const emulator = sharedEmulator({ frozen: true, preview: previews });

const operation = ({ path, method }: Contract): Loose => document.paths[path][method.toLowerCase()];
const exampleOf = (contract: Contract): Loose => operation(contract).requestBody.content["application/json"].example;

/** Values that no document can know: ids of objects, and the login of the server. */
const OF_A_SERVER = ["email", "password"];
const isOfAServer = (name: string, value: unknown) =>
  OF_A_SERVER.includes(name) || (typeof value === "string" && (kindOf(value) !== null || /^[0-9a-f]{8}-/.test(value)));

const withBody = contracts.filter(({ body }) => body !== undefined);

describe("the example of a request", () => {
  afterEach(() => emulator.call("DELETE", "/_sandbox/faults"));

  it.each(withBody.map((contract) => [contract.id, contract] as const))(
    "%s succeeds as it is",
    async (id, contract) => {
      const call = await prepareCall(id, emulator);
      const given = exampleOf(contract);
      const own: Loose = Object(call.body);
      const body = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, isOfAServer(name, value) ? own[name] : value]),
      );
      const key = operation(contract).parameters?.some(({ $ref }: Loose) => $ref?.endsWith("/IdempotencyKey"));
      const { example } = document.components.parameters.IdempotencyKey;
      const headers = { ...call.headers, ...(key ? { "idempotency-key": example } : {}) };
      const answer = await emulator.call(contract.method, addressOf(contract.path, call), { ...call, headers, body });
      expect([answer.status, answer.body?.error]).toEqual([contract.success.status, undefined]);
      if (answer.status === 201) expect(answer.body?.status).not.toBe("failed");
    },
  );

  it("creates a Pix charge in reais for a shop", () => {
    const bodies = new Map(withBody.map((contract) => [contract.id, exampleOf(contract)]));
    const ordinary = { amount: 1990, currency: "BRL" };
    expect(bodies.get("charges.create")).toMatchObject({ ...ordinary, payment_method: "pix" });
    expect(bodies.get("pix.charges.create")).toMatchObject(ordinary);
    expect(bodies.get("payments.create")).toMatchObject({ ...ordinary, paymentMethods: ["PIX"] });
    expect(bodies.get("payments.create").webhookUrl).toBe("https://shop.example/webhooks");
    for (const id of ["webhooks.endpoints.create", "webhooks.endpoints.update"])
      expect(bodies.get(id).url).toBe("https://shop.example/webhooks");
  });

  it("has nothing in it that only a test would send", () => {
    const all = JSON.stringify([...withBody.map(exampleOf), EXAMPLES.operations]);
    expect(all).not.toMatch(/"_sandbox":|127\.0\.0\.1:9\b/);
    expect(JSON.stringify(withBody.map(exampleOf))).not.toMatch(/EUR|USDT|MBWAY|AC06_|\/none|nowhere/);
  });
});
