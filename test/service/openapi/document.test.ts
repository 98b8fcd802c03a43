import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { ERROR_CATALOGUE } from "../../../src/base/kernel/errors.js";
import { INSTANT_PATTERN } from "../../../src/base/kernel/time.js";
import { EVENT_CATALOGUE } from "../../../src/service/features/webhooks/catalogue.js";
import { type OperationObject, openApiDocument } from "../../../src/service/openapi/document.js";
import type { Parameter } from "../../../src/service/openapi/schemas.js";
import type { Loose } from "../../support/emulator.js";

const contracts = registry.map(({ contract }) => contract);
const whole = openApiDocument(contracts, { previews: new Set(["charge-list"]), sandbox: true, version: "1.2.3" });
const released = openApiDocument(contracts, { previews: new Set(), sandbox: false, version: "1.2.3" });

function operationsOf(document: typeof whole): OperationObject[] {
  return Object.values(document.paths).flatMap((item) => Object.values(item));
}

function operation(id: string): Loose {
  const found = operationsOf(whole).find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

/** Every object of the document with the way to it. */
function* objectsOf(value: unknown, way = "#"): Generator<[way: string, object: Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [way, value as Record<string, unknown>];
  for (const [key, member] of Object.entries(value)) yield* objectsOf(member, `${way}/${key}`);
}

function lookUp(reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<Loose>((found, key) => found?.[key], whole);
}

describe("the document", () => {
  it("is OpenAPI 3.1 and names its version, server, key and nouns", () => {
    expect(whole.openapi).toMatch(/^3\.1\.\d$/);
    expect(whole.info).toMatchObject({ title: "qa-pay", version: "1.2.3" });
    expect(whole.servers).toHaveLength(1);
    expect(whole.info.contact).toEqual({ name: "qa-pay contributors" });
    expect(whole.components.securitySchemes.apikey).toMatchObject({ type: "apiKey", in: "header", name: "apikey" });
    expect(whole.tags.map(({ name }) => name)).toEqual([
      "charges",
      "wallets",
      "payments",
      "webhooks",
      "med",
      "api-keys",
      "auth",
      "sandbox",
    ]);
    expect(released.tags.map(({ name }) => name)).toEqual(whole.tags.map(({ name }) => name).slice(0, -1));
    expect(whole.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  });

  it("has every operation of the registry where the router has it, once for each of its addresses", () => {
    const listed = Object.entries(whole.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = contracts.flatMap(({ method, path, aliases = [] }) =>
      [path, ...aliases].map((address) => `${method} ${address}`),
    );
    expect(listed.sort()).toEqual(served.sort());
    for (const { id, method, path } of contracts) {
      expect(whole.paths[path]?.[method.toLowerCase()]?.operationId).toBe(id);
    }
  });

  it("calls an alias by an id of its own, and otherwise describes the same operation", () => {
    const aliases = Object.entries(whole.paths).filter(([path]) => path.startsWith("/v1/infractions"));
    const ids = aliases.flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
    expect(ids.sort()).toEqual([
      "infractions.accept",
      "infractions.appeal",
      "infractions.evidence.complete",
      "infractions.evidence.create",
      "infractions.evidence.list",
      "infractions.get",
      "infractions.list",
    ]);
    for (const id of ids) {
      const primary = id.replace("infractions.", "med.");
      const { operationId, description, ...rest } = operation(id);
      const { operationId: _id, description: described, ...same } = operation(primary);
      expect(rest).toEqual(same);
      expect([operationId, description]).toEqual([id, `Another address of \`${primary}\`. ${described}`]);
    }
    const all = operationsOf(whole).map(({ operationId }) => operationId);
    expect(new Set(all).size).toBe(all.length);
  });

  it("has a summary and a description of every operation and event, the second in sentences", () => {
    const sent = Object.values(whole.webhooks).map((item: Loose) => item.post);
    for (const { operationId, summary, description } of [...operationsOf(whole), ...sent]) {
      expect([operationId, description]).toEqual([operationId, expect.stringMatching(/^[A-Z].{60,}\.$/s)]);
      expect(description).not.toContain(summary);
      expect(description).not.toMatch(/ {2}|undefined/);
    }
    const summaries = contracts.map(({ summary }) => summary);
    expect(new Set(summaries).size).toBe(summaries.length);
    expect(new Set(contracts.map(({ description }) => description)).size).toBe(contracts.length);
  });

  it("names in its descriptions only operations and events that exist", () => {
    const ids = new Set<string>(contracts.map(({ id }) => id));
    for (const { id, description } of contracts) {
      const names = [...description.matchAll(/`([a-z][\w-]*(?:\.[\w-]+)+)`/g)].map(([, name]) => String(name));
      const unknown = names.filter(
        (name) => !ids.has(name) && !Object.hasOwn(EVENT_CATALOGUE, name) && !/^(?:metadata|access)\./.test(name),
      );
      expect([id, unknown]).toEqual([id, []]);
    }
  });

  it("leaves out previews and the control interface by default", () => {
    const left = contracts.filter(({ surface, preview }) => surface === "api" && preview === undefined);
    const ids = operationsOf(released).map(({ operationId }) => operationId);
    // The document groups operations by path, so their order may differ from the registry's.
    expect(ids.filter((id) => !id.startsWith("infractions.")).sort()).toEqual(left.map(({ id }) => id).sort());
    expect(released.paths["/v1/charges"]).not.toHaveProperty("get");
    expect(Object.keys(released.paths).filter((path) => path.startsWith("/_sandbox"))).toEqual([]);
    expect(whole.paths["/v1/charges"]).toHaveProperty("get");
  });

  it("refers only to what it holds, and holds nothing that is not referred to", () => {
    const references = [...objectsOf(whole)].flatMap(([, { $ref }]) => (typeof $ref === "string" ? [$ref] : []));
    expect(references.filter((reference) => lookUp(reference) === undefined)).toEqual([]);
    const { securitySchemes: _named, ...components } = whole.components;
    const held = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    );
    expect(held.filter((name) => !references.includes(name))).toEqual([]);
  });

  it("contains no nested `$schema` and no leftover of zod", () => {
    const odd = [...objectsOf(whole)].filter(
      ([, object]) =>
        "$schema" in object || "$defs" in object || "~standard" in object || object.maximum === Number.MAX_SAFE_INTEGER,
    );
    expect(odd.map(([way]) => way)).toEqual([]);
  });

  it("declares exactly the parameters that a path has, each parameter once", () => {
    for (const [path, item] of Object.entries(whole.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const { parameters = [] } of Object.values(item)) {
        const inPath = parameters.filter((one): one is Parameter => "in" in one && one.in === "path");
        expect(inPath.map(({ name, required }) => [name, required])).toEqual(names.map((name) => [name, true]));
        const keys = parameters.map((one) => ("in" in one ? `${one.in} ${one.name}` : one.$ref));
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });
});

describe("an operation", () => {
  it("has for the parameters of its query the type that their text stands for", () => {
    const byName = Object.fromEntries(operation("charges.list").parameters.map((one: Loose) => [one.name, one]));
    expect(byName.limit.schema).toEqual({ type: "integer", minimum: 1, maximum: 100, default: 25 });
    expect(byName.status.schema.enum).toContain("disputed");
    expect(byName.created_after).toMatchObject({ in: "query", schema: { type: "string" } });
    expect(byName.created_after.schema).toEqual({ type: "string", pattern: INSTANT_PATTERN });
    expect(byName.created_after.description).toBeTruthy();
    const requests = operation("sandbox.requests").parameters.find((one: Loose) => one.name === "status");
    expect(requests.schema).toEqual({ type: "integer", minimum: 100, maximum: 599 });
  });

  it("has patterns that other programs can write into their code: no escaped slash, and no other rule for the form beside one", () => {
    const strings: Loose[] = [];
    JSON.stringify(whole, (_name, value) => {
      if (typeof value?.pattern === "string") strings.push(value);
      return value;
    });
    expect(strings.length).toBeGreaterThan(50);
    for (const { pattern, ...rest } of strings) {
      expect(pattern).not.toContain("\\/");
      expect(Object.keys(rest).filter((rule) => ["anyOf", "oneOf", "allOf", "format"].includes(rule))).toEqual([]);
    }
  });

  it("describes its body, and says when there must be one", () => {
    const create = operation("charges.create").requestBody;
    const { schema } = create.content["application/json"];
    expect(create.required).toBe(true);
    expect(schema.required).toEqual(["amount", "payment_method"]);
    expect(schema.properties.amount).toMatchObject({ type: "integer", minimum: 1, maximum: 999_999_999_999 });
    expect(schema.properties.expires_in).toMatchObject({ type: ["integer", "null"], minimum: 60 });
    expect(operation("pix.charges.create").requestBody.content["application/json"].schema.required).toEqual(["amount"]);
    expect(operation("sandbox.charges.pay").requestBody.required).toBe(false);
    expect(operation("sandbox.charges.expire")).not.toHaveProperty("requestBody");
  });

  it("says of every field of a body what it is", () => {
    const unsaid = (schema: Loose, way: string): string[] =>
      Object.entries<Loose>(schema?.properties ?? {}).flatMap(([name, member]) => [
        ...(/\S/.test(member.description ?? "") ? [] : [`${way} ${name}`]),
        ...unsaid(member, `${way} ${name}`),
      ]);
    const bodies = contracts.map(({ id }) => [id, operation(id).requestBody?.content["application/json"]] as const);
    expect(bodies.flatMap(([id, content]) => unsaid(content?.schema, id))).toEqual([]);
  });

  it("requires an Idempotency-Key where the contract does, and nowhere else", () => {
    const key = { $ref: "#/components/parameters/IdempotencyKey" };
    const asking = operationsOf(whole).filter(({ parameters }) => JSON.stringify(parameters)?.includes(key.$ref));
    expect(asking.map(({ operationId }) => operationId)).toEqual(["charges.create", "pix.charges.create"]);
    expect(whole.components.parameters.IdempotencyKey).toMatchObject({
      name: "Idempotency-Key",
      in: "header",
      required: true,
      schema: { minLength: 8, maxLength: 128 },
    });
  });

  it("documents each refusal under its status, with the codes that this operation answers", () => {
    const statuses = (id: string) => Object.keys(operation(id).responses);
    expect(statuses("charges.create")).toEqual(["201", "400", "401", "403", "409", "413", "415", "429", "500", "503"]);
    expect(statuses("charges.get")).toEqual(["200", "401", "403", "404", "429", "500", "503"]);
    expect(statuses("webhooks.events")).toEqual(["200", "400", "403", "500", "503"]);
    expect(statuses("api-keys.issue")).toEqual(["201", "400", "401", "403", "413", "415", "500", "503"]);
    expect(statuses("auth.login")).toEqual(["200", "400", "401", "403", "413", "415", "500", "503"]);
    expect(statuses("webhooks.endpoints.delete")).toEqual([
      "200",
      "400",
      "401",
      "403",
      "404",
      "413",
      "415",
      "429",
      "500",
      "503",
    ]);
    expect(statuses("sandbox.account")).not.toContain("429");
    const refused: Loose = lookUp(operation("charges.create").responses["400"].$ref);
    const [envelope, narrowed] = refused.content["application/json"].schema.allOf;
    expect(envelope.$ref).toBe("#/components/schemas/Error");
    expect(narrowed.properties.error.properties.code.enum).toEqual(["invalid_amount", "invalid_request"]);
  });

  it("sends the time to wait with a 429, and with nothing else", () => {
    const headersOf = (status: string): Loose => lookUp(operation("charges.create").responses[status].$ref);
    const names = ["X-Request-Id", "Retry-After", "X-RateLimit-Limit-Minute", "X-RateLimit-Remaining-Minute"];
    expect(Object.keys(headersOf("429").headers)).toEqual(names);
    expect(Object.keys(headersOf("403").headers)).toEqual(["X-Request-Id"]);
    expect(whole.components.headers["Retry-After"]).toMatchObject({ schema: { type: "integer", minimum: 1 } });
  });

  it("keeps every code of a refusal at the status of the catalogue", () => {
    for (const { responses } of operationsOf(whole)) {
      for (const [status, response] of Object.entries(responses)) {
        if (!("$ref" in response)) continue;
        const { error } = (lookUp(response.$ref) as Loose).content["application/json"].schema.allOf[1].properties;
        for (const code of error.properties.code.enum) {
          expect(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status).toBe(Number(status));
        }
      }
    }
    const all = (whole.components.schemas.Error as Loose).properties.error.properties.code.enum;
    expect(all).toEqual(Object.keys(ERROR_CATALOGUE));
  });

  it("needs a key or a user's token unless it is public, and always documents the request id", () => {
    const asUser = ["api-keys.issue", "api-keys.list", "api-keys.rotate", "api-keys.revoke", "auth.logout"];
    for (const { operationId, security, responses } of operationsOf(whole)) {
      const anyone = ["webhooks.events", "auth.login"].includes(operationId);
      const scheme = asUser.includes(operationId) ? "bearer" : "apikey";
      expect(security).toEqual(anyone ? [] : [{ [scheme]: [] }]);
      for (const response of Object.values(responses)) {
        const { headers } = ("$ref" in response ? lookUp(response.$ref) : response) as Loose;
        expect(headers["X-Request-Id"]).toEqual({ $ref: "#/components/headers/X-Request-Id" });
      }
    }
  });

  it("answers JSON, nothing at all with a 204, a file, and a live stream where there is one", () => {
    for (const { id, success, stream } of contracts) {
      const { content = {} } = operation(id).responses[success.status];
      const types = success.status === 204 ? [] : [success.file ?? "application/json"];
      expect(Object.keys(content)).toEqual(stream === undefined ? types : [...types, "text/event-stream"]);
    }
    expect(contracts.filter(({ stream }) => stream !== undefined)).toHaveLength(3);
    const files = contracts.flatMap(({ id, success }) => (success.file === undefined ? [] : [id]));
    expect(files).toEqual(["sandbox.snapshots.export"]);
  });

  it("takes a file as its body where there is one", () => {
    const file = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
    expect(operation("sandbox.snapshots.import").requestBody).toEqual({ required: true, content: file });
  });

  it("shows an answer by name where others use the same", () => {
    const { schema } = operation("charges.create").responses["201"].content["application/json"];
    expect(schema).toEqual({ $ref: "#/components/schemas/Charge" });
    expect(whole.components.schemas.Charge).toMatchObject({ type: "object", required: expect.arrayContaining(["id"]) });
    expect(whole.components.schemas.Charge).not.toHaveProperty("additionalProperties");
  });
});

it("webhooks are the events of a charge's life, each with its envelope and signature", () => {
  const names = Object.keys(whole.webhooks);
  expect(names).toEqual(expect.arrayContaining(["charge.created", "charge.paid", "charge.failed", "charge.expired"]));
  expect(names.filter((name) => !Object.hasOwn(EVENT_CATALOGUE, name))).toEqual([]);
  const paid: Loose = whole.webhooks["charge.paid"]?.post;
  const { properties } = paid.requestBody.content["application/json"].schema;
  expect(properties.data.properties.object).toEqual({ $ref: "#/components/schemas/Charge" });
  expect(paid.parameters.map(({ name }: Loose) => name)).toEqual([
    "X-QA-Signature",
    "X-QA-Delivery-Id",
    "X-QA-Event-Type",
  ]);
  expect(paid.deprecated).toBe(false);
  expect((whole.webhooks["payment.completed"] as Loose).post.deprecated).toBe(true);
});

it("two schemas of one name are an error", async () => {
  const { z } = await import("zod");
  const [first] = contracts;
  const clash = { ...first, success: { ...first?.success, schema: z.object({}).meta({ id: "Clash" }) } } as Loose;
  const other = {
    ...clash,
    path: "/v1/other",
    success: { ...clash.success, schema: z.string().meta({ id: "Clash" }) },
  };
  expect(() => openApiDocument([clash, other], { previews: new Set(), sandbox: false, version: "1" })).toThrow(/Clash/);
});
