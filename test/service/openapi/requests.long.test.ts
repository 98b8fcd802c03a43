import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { openApiDocument } from "../../../src/service/openapi/document.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import { DOCUMENTS } from "../../support/charges.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { faultsBy } from "../../support/schemas.js";
import { sharedEmulator } from "../../support/shared.js";

/** Compares the requests of the document with those that the service takes and refuses. */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);
const previews = new Set(["charge-list"] as const);
const document: Loose = openApiDocument(contracts, { previews, sandbox: true, version: "0" });

const faultsIn = faultsBy(document);
const allows = (schema: Loose, value: unknown) => faultsIn(schema, value).length === 0;

function operation(id: string): Loose {
  const { path, method } = contracts.find((contract) => contract.id === id) ?? {};
  return document.paths[path ?? ""][String(method).toLowerCase()];
}

const bodySchema = (id: string): Loose => operation(id).requestBody?.content["application/json"]?.schema;

function querySchema(id: string, name: string): Loose {
  return operation(id).parameters.find((parameter: Loose) => parameter.name === name).schema;
}

const emulator = sharedEmulator({ frozen: true, preview: previews });

/** The body with one more member at a dotted path; null when an object on the way is not there. */
function withMember(body: Loose, path: string, value: unknown): Loose {
  const [name = "", ...rest] = path.split(".");
  if (rest.length === 0) return { ...body, [name]: value };
  return body[name] === undefined ? null : { ...body, [name]: withMember(body[name], rest.join("."), value) };
}

/** The optional members of a body, those of inner objects by their dotted paths. */
function optionalMembers(schema: Loose, prefix = ""): string[] {
  return Object.entries<Loose>(schema.properties ?? {}).flatMap(([name, member]) => [
    ...(schema.required?.includes(name) ? [] : [prefix + name]),
    ...optionalMembers(member, `${prefix}${name}.`),
  ]);
}

describe("null for an optional field of a body", () => {
  const withBody = contracts.filter(({ body }) => body !== undefined);
  it.each(withBody.map(({ id }) => id))("%s: the document allows it and the service takes it", async (id) => {
    const contract = contracts.find((one) => one.id === id) as Contract;
    for (const member of optionalMembers(bodySchema(id))) {
      const call: Call = await prepareCall(id, emulator);
      const given = (call.body ?? {}) as Loose;
      const isGiven = member.split(".").reduce((found, name) => found?.[name], given) !== undefined;
      const body = isGiven ? null : withMember(given, member, null);
      if (body === null) continue;
      expect([member, allows(bodySchema(id), body)]).toEqual([member, true]);
      const { status } = await emulator.call(contract.method, addressOf(contract.path, call), { ...call, body });
      expect([member, status]).toEqual([member, contract.success.status]);
    }
  });
});

/** True if the service takes a body, beside what the document says of it. */
async function verdicts(id: string, path: string, body: Loose): Promise<{ document: boolean; service: boolean }> {
  const headers = { "idempotency-key": freshKey() };
  const { status, body: answer } = await emulator.call("POST", path, { body, headers });
  if (status !== 400 && status >= 300) throw new Error(`${status} ${JSON.stringify(answer)}`);
  return { document: allows(bodySchema(id), body), service: status < 300 };
}

const both = (verdict: boolean) => ({ document: verdict, service: verdict });

describe("a field with a form of its own is taken as the document says", () => {
  const { cpf } = DOCUMENTS;
  const taxIds = [
    [cpf, true],
    ["12ABC34501DE35", true],
    ["12abc34501de35", false],
    ["12.abc.345/01de-35", false],
    ["529982247-25", false],
    ["5299822472", false],
    [` ${cpf}`, false],
    ["", false],
  ] as const;

  it.each([...taxIds, ["529.982.247-25", true], ["12.ABC.345/01DE-35", true]] as const)(
    "customer.document %j: %j",
    async (taxId, verdict) => {
      const body = { amount: 100, payment_method: "pix", customer: { document: taxId } };
      expect(await verdicts("charges.create", "/v1/charges", body)).toEqual(both(verdict));
    },
  );

  it.each([...taxIds, ["529.982.247-25", false], ["12.ABC.345/01DE-35", false]] as const)(
    "expected_payer_tax_id %j: %j",
    async (taxId, verdict) => {
      const customer = { name: "Maria" };
      const body = { amount: 100, payment_method: "pix", customer, expected_payer_tax_id: taxId };
      expect(await verdicts("charges.create", "/v1/charges", body)).toEqual(both(verdict));
    },
  );

  const payment = (more: object) => ({ amount: 100, paymentMethods: ["PIX"], idempotencyKey: freshKey(), ...more });

  it.each([
    ["maria@example.com", true],
    ["m.a+r'ia@sub.example.co", true],
    ["maria", false],
    ["maria@", false],
    ["ma ria@example.com", false],
    ["", false],
  ])("customerEmail %j: %j", async (customerEmail, verdict) => {
    expect(await verdicts("payments.create", "/v1/payments", payment({ customerEmail }))).toEqual(both(verdict));
  });

  it.each([
    ["https://shop.example/webhooks?x=1", true],
    ["http://127.0.0.1:3000/", true],
    ["shop.example/webhooks", false],
    ["https://shop .example/", false],
    [`https://shop.example/${"x".repeat(2_048)}`, false],
    ["", false],
  ])("webhookUrl and url %j: %j", async (url, verdict) => {
    expect(await verdicts("payments.create", "/v1/payments", payment({ webhookUrl: url }))).toEqual(both(verdict));
    const endpoint = { url, events: ["charge.paid"] };
    const told = await verdicts("webhooks.endpoints.create", "/v1/webhooks/endpoints", endpoint);
    expect(told).toEqual(both(verdict));
  });

  it.each([
    [["PIX", "BOLETO"], true],
    [["PIX", "PIX"], false],
    [[], false],
  ])("paymentMethods %j: %j", async (paymentMethods, verdict) => {
    expect(await verdicts("payments.create", "/v1/payments", payment({ paymentMethods }))).toEqual(both(verdict));
  });

  const phone = "+351912345678";
  it.each([
    [{ metadata: { phone } }, true],
    [{ metadata: { phone, order: 1 } }, true],
    [{ customerPhone: 912345678, metadata: { phone } }, true],
    [{}, false],
    [{ metadata: null }, false],
    [{ metadata: { order: 1 } }, false],
    [{ metadata: { phone: null } }, false],
    [{ metadata: { phone: "912345678" } }, false],
    [{ metadata: { phone: 912345678 } }, false],
    [{ customerPhone: phone }, false],
    [{ customerPhone: phone, metadata: { phone: null } }, false],
  ])("a payment by MBWAY with %j: %j", async (more, verdict) => {
    const body = payment({ currency: "EUR", paymentMethods: ["MBWAY"], ...more });
    expect(await verdicts("payments.create", "/v1/payments", body)).toEqual(both(verdict));
  });

  it.each([
    ["  why ", true],
    ["     ", false],
    ["\u00a0\u2028\ufeff\t\n", false],
    ["why", false],
  ])("the reason of an appeal %j: %j", async (reason, verdict) => {
    const { id } = await openCase(emulator);
    expect(await verdicts("med.appeal", `/v1/med/cases/${id}/appeal`, { reason })).toEqual(both(verdict));
  });
});

describe("a filter with a form of its own is taken as the document says", () => {
  async function check(id: string, path: string, name: string, text: string, verdict: boolean): Promise<void> {
    const { status } = await emulator.call("GET", `${path}?${name}=${encodeURIComponent(text)}`);
    expect([text, allows(querySchema(id, name), text), status]).toEqual([text, verdict, verdict ? 200 : 400]);
  }

  it.each([
    ["2026-11-23", true],
    ["2026-11-23T00:00:00Z", true],
    ["2026-11-23T00:00:00.123456789-03:00", true],
    ["2026-11-23T00:00Z", true],
    ["2026-11-23T00:00-03:00", true],
    ["2026-11-23T00:00:00", false],
    ["2026-11-23T00:00:00z", false],
    ["2026-11-23 00:00:00Z", false],
    ["2026-11-23T00:00:60Z", false],
    ["23/11/2026", false],
    ["20261123", false],
    ["", false],
  ])("startDate, endDate and created_after %j: %j", async (text, verdict) => {
    await check("payments.list", "/v1/payments", "startDate", text, verdict);
    await check("payments.list", "/v1/payments", "endDate", text, verdict);
    await check("charges.list", "/v1/charges", "created_after", text, verdict);
    const isDate = text === "2026-11-23";
    await check("med.list", "/v1/med/cases", "created_after", text, verdict && !isDate);
  });

  const filters = contracts.flatMap(({ id, method, path }) =>
    (method === "GET" ? (operation(id).parameters ?? []) : []).flatMap(({ in: place, name, schema }: Loose) =>
      place === "query" && /uuid|0-9a-f/.test(schema.pattern ?? "") && name !== "starting_after"
        ? [[id, name, path, schema.pattern] as const]
        : [],
    ),
  );

  it("is in the document for every filter that takes an id", () => {
    const names = filters.map(([id, name]) => `${id} ${name}`);
    expect(names).toEqual(expect.arrayContaining(["med.list charge_id", "webhooks.deliveries endpointId"]));
    expect(names.length).toBeGreaterThan(8);
  });

  it.each(filters)("%s: %s takes every id of its pattern, and nothing else", async (_id, name, path, pattern) => {
    const like = fc.stringMatching(new RegExp(pattern));
    const unlike = fc.oneof(
      like.map((text) => text.toUpperCase()),
      like.map((text) => `${text}0`),
      like.map((text) => `zz_${text}`),
      fc.constant(""),
    );
    const ask = async (text: string) =>
      (await emulator.call("GET", `${path}?${name}=${encodeURIComponent(text)}`)).status;
    // A filter by one object also answers 404 when there is none; it has understood the id.
    await fc.assert(
      fc.asyncProperty(like, async (text) => void expect([200, 404]).toContain(await ask(text))),
      { numRuns: 10 },
    );
    const differing = unlike.filter((text) => !new RegExp(pattern).test(text));
    await fc.assert(
      fc.asyncProperty(differing, async (text) => void expect(await ask(text)).toBe(400)),
      { numRuns: 10 },
    );
  });
});

describe("an id in a path", () => {
  // Clients choose the ids of their requests, so `why` takes every text.
  const paths = contracts.filter(({ id, path }) => /\{(?:id|evidence_id)\}/.test(path) && id !== "sandbox.why");

  it.each(paths.map(({ id }) => id))("%s: the document says which ids there are", async (id) => {
    const call = await prepareCall(id, emulator);
    const ids = operation(id).parameters.filter(({ in: place }: Loose) => place === "path");
    for (const { name, schema } of ids) {
      expect(schema.pattern).toMatch(/0-9a-f/);
      expect(allows(schema, call[name as "id"])).toBe(true);
      for (const other of ["unknown", "zz_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa"])
        expect(allows(schema, other)).toBe(false);
    }
  });

  const ofAnyKind = ["sandbox.timeline", "sandbox.incident"];
  const reads = paths.filter(({ id, method }) => method === "GET" && !ofAnyKind.includes(id));
  it.each(reads.map(({ id }) => id))(
    "%s takes it with its prefix, and without where the document says so",
    async (id) => {
      const { path } = contracts.find((one) => one.id === id) as Contract;
      const call = await prepareCall(id, emulator);
      const bare = String(call.id).replace(/^[a-z]+_/, "");
      const { schema } = operation(id).parameters.find(({ name }: Loose) => name === "id");
      for (const form of [String(call.id), bare, `tx_${bare}`, `ch_${bare}`]) {
        const { status } = await emulator.call("GET", addressOf(path, { ...call, id: form }), call);
        expect([form, status !== 404]).toEqual([form, allows(schema, form)]);
      }
    },
  );
});
