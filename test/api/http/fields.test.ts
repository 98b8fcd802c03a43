import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { registry } from "../../../src/api/registry.js";
import type { Contract } from "../../../src/base/kernel/contract.js";
import { tokenOf } from "../../support/access.js";
import { addressOf, type Call, prepareCall } from "../../support/calls.js";
import type { Loose } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/**
 * Every field of every body, by its contract: what it refuses for its type, its length, its size or because it is none of
 * the names that there are. Which texts and sums a field takes beyond that is tested beside its noun.
 */

const emulator = sharedEmulator({ frozen: true });
beforeAll(async () => {
  // The users of a start are stored before the first login is answered.
  await tokenOf(emulator);
});

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Values of other types than that of the field. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  string: [5, true, [], {}, ["x"]],
  integer: ["5", "", true, [], {}, [5], 1.5],
  number: ["5", "", true, [], {}],
  boolean: ["true", "", 1, 0, [], {}],
  array: ["x", 5, true, {}],
  object: ["x", 5, true, [], [{ a: 1 }]],
};

function wrongValues(given: Schema): unknown[] {
  const schema = given.anyOf?.find(({ type }) => type !== "null") ?? given;
  const names = schema.const === undefined ? schema.enum : [schema.const];
  const values = [...(OTHERS[schema.type ?? ""] ?? [])];
  if (names?.every((name) => typeof name === "string")) {
    const [first = ""] = names;
    values.push("", "nope", "toString", first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase());
  }
  if (schema.minimum !== undefined) values.push(schema.minimum - 1);
  if (schema.maximum !== undefined && schema.maximum < 1e15) values.push(schema.maximum + 1);
  if (schema.minLength) values.push("x".repeat(schema.minLength - 1));
  if (schema.maxLength) values.push("x".repeat(schema.maxLength + 1));
  if (schema.minItems) values.push([]);
  return values;
}

interface Field {
  readonly name: string;
  readonly wrong: readonly unknown[];
}

/** The fields of a body with those of its inner objects, by their dotted names. */
function fieldsOf({ properties = {}, required = [] }: Schema, within = ""): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const missing = required.includes(name) && within === "" ? [null, undefined] : [];
    const inner = schema.anyOf?.find(({ type }) => type === "object") ?? schema;
    return [
      { name: within + name, wrong: [...wrongValues(schema), ...missing] },
      ...fieldsOf(inner, `${within}${name}.`),
    ];
  });
}

/** The body with another value at a dotted name. */
function changed(body: Loose, name: string, value: unknown): Loose {
  const [first = "", ...rest] = name.split(".");
  return { ...body, [first]: rest.length === 0 ? value : changed(body?.[first] ?? {}, rest.join("."), value) };
}

const operations = registry.map(({ contract }) => contract as Contract).filter(({ body }) => body !== undefined);

it.each(operations)(
  "$id refuses each field that is none by its name",
  async ({ id, method, path, success, body: form }) => {
    const call: Call = await prepareCall(id, emulator);
    const schema = z.toJSONSchema(form as z.ZodType, { io: "input", unrepresentable: "any" }) as Schema;
    for (const { name, wrong } of fieldsOf(schema)) {
      const code = name === "amount" ? "invalid_amount" : "invalid_request";
      for (const value of wrong) {
        const body = changed(call.body as Loose, name, value);
        const answer = await emulator.call(method, addressOf(path, call), { ...call, body });
        const told = answer.body.error?.details?.[0]?.param;
        expect([name, value, answer.status, told]).toEqual([name, value, 400, name]);
        expectRefused(answer, code);
      }
    }
    // The same call with good values shows that only the fields were wrong, and that no refusal changed anything.
    expect((await emulator.call(method, addressOf(path, call), call)).status).toBe(success.status);
  },
);
