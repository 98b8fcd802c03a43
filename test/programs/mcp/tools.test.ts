import type { JsonSchemaType } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { registry } from "../../../src/api/registry.js";
import { type Contract, PREVIEWS } from "../../../src/base/kernel/contract.js";
import { argumentsOf, inputSchema } from "../../../src/programs/mcp/arguments.js";
import { toolOf } from "../../../src/programs/mcp/operation-tool.js";
import type { HostContext } from "../../../src/programs/mcp/service-port.js";
import { isOffered, toListedTool } from "../../../src/programs/mcp/tools.js";

/** Tools are made from the contracts alone. */

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);
const tools = contracts.map(toolOf);
const EMULATOR: HostContext = {
  host: "http://127.0.0.1:1",
  mode: "test",
  isEmulator: true,
  previews: PREVIEWS,
  readOnly: null,
  mayStart: false,
};
const shown = (name: string) => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return toListedTool(tool, EMULATOR, true);
};

describe.each(tools.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const { description, inputSchema: input, outputSchema, annotations } = toListedTool(tool, EMULATOR, true);

  it("has a name that every agent accepts, and shows its method and path", () => {
    expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
    expect(tools.filter((other) => other.name === name)).toHaveLength(1);
    expect(description).toContain(`${tool.contract.method} ${tool.contract.path}`);
  });

  it("has valid schemas without references", () => {
    const validator = new AjvJsonSchemaValidator();
    for (const schema of [input, outputSchema].filter((one) => one !== undefined)) {
      expect(() => validator.getValidator(schema as JsonSchemaType)).not.toThrow();
      expect(JSON.stringify(schema)).not.toContain('"$ref"');
    }
    expect(input.type).toBe("object");
  });

  it("has an argument for each parameter of the path, the query and the body, and no two of one name", () => {
    const { path, query, body } = tool.contract;
    const fields = [
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field),
      ...Object.keys(query?.shape ?? {}),
      ...Object.keys(body?.shape ?? {}),
    ];
    const given = tool.arguments.filter(({ field }) => field !== "idempotency_key" && field !== "file");
    expect(given.map(({ field }) => field)).toEqual(fields);
    expect(Object.keys(input.properties ?? {})).toHaveLength(tool.arguments.length);
  });

  it("says whether it only reads", () => {
    const isFile = tool.contract.path.endsWith("/file");
    expect(annotations?.readOnlyHint).toBe(tool.contract.method === "GET" && !isFile);
    expect(annotations?.destructiveHint === true && annotations.readOnlyHint === true).toBe(false);
  });
});

it("what removes or replaces something, or cannot be undone, is destructive, and nothing else", () => {
  const destructive = tools.filter((tool) => toListedTool(tool, EMULATOR, true).annotations?.destructiveHint === true);
  expect(destructive.map(({ name }) => name).sort()).toEqual([
    "api_keys_revoke",
    "api_keys_rotate",
    "med_accept",
    "payments_cancel",
    "payments_refund",
    "sandbox_collectors_delete",
    "sandbox_faults_clear",
    "sandbox_faults_remove",
    "sandbox_reset",
    "sandbox_snapshots_delete",
    "sandbox_snapshots_import",
    "sandbox_snapshots_restore",
    "webhooks_endpoints_delete",
    "webhooks_endpoints_rotate_secret",
    "webhooks_endpoints_update",
  ]);
});

it("what creates or moves something does more with each call, and what sets something does not", () => {
  const posts = tools.filter(({ contract }) => contract.method === "POST");
  const repeatable = posts.filter((tool) => toListedTool(tool, EMULATOR, true).annotations?.idempotentHint === true);
  expect(repeatable.map(({ name }) => name).sort()).toEqual([
    "auth_logout",
    "sandbox_chaos",
    "sandbox_clock_freeze",
    "sandbox_clock_resume",
    "sandbox_clock_speed",
    "sandbox_reset",
    "sandbox_snapshots_restore",
  ]);
});

it("a field with one possible value and the idempotency key may be left out", () => {
  expect(shown("charges_create").inputSchema.required).toEqual(["amount"]);
  expect(shown("charges_create").inputSchema.properties).toMatchObject({
    payment_method: { const: "pix", default: "pix" },
    idempotency_key: { type: "string" },
  });
  expect(shown("payments_refund").inputSchema.required).toEqual(["id"]);
});

it("fields of one name in different places keep apart", () => {
  const contract: Contract = {
    ...{ id: "things.move", method: "POST", path: "/v1/things/{id}/move", auth: "key", surface: "api", errors: [] },
    ...{ summary: "Move a thing", description: "Moves it." },
    query: z.object({ id: z.string() }),
    body: z.object({ id: z.int(), to: z.string() }),
    success: { status: 200, description: "Moved", schema: z.object({}) },
  };
  const all = argumentsOf(contract);
  expect(all.map(({ name, place, field }) => [name, place, field])).toEqual([
    ["id", "path", "id"],
    ["query_id", "query", "id"],
    ["body_id", "body", "id"],
    ["to", "body", "to"],
  ]);
  expect(inputSchema(all).required).toEqual(["id", "query_id", "body_id", "to"]);
});

it("simulators are offered on an emulator only, and changes only where they are sent", () => {
  const offered = (situation: Partial<HostContext>) =>
    tools.filter((tool) => isOffered(tool, { ...EMULATOR, ...situation })).map(({ contract }) => contract);
  expect(offered({})).toHaveLength(registry.length);
  expect(offered({ previews: [] })).toHaveLength(registry.length - 1);
  expect(new Set(offered({ isEmulator: false }).map(({ surface }) => surface))).toEqual(new Set(["api"]));
  expect(new Set(offered({ readOnly: "It is." }).map(({ method }) => method))).toEqual(new Set(["GET"]));
});
