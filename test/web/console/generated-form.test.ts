import { describe, expect, it } from "vitest";
import { pick } from "../../../src/base/kernel/pick.js";
import { commands } from "../../../src/web/console/browser/facts/commands.js";
import type { FieldSpec } from "../../../src/web/console/browser/parts/field-values.js";
import { formOf, inputOf } from "../../../src/web/console/browser/resource/contract-form.js";

/** The generated forms of the palette. */

const VALUES = { text: "a text", number: 7, choice: "?", json: { a: 1 }, list: ["one", "two"] } as const;
const valueFor = ({ kind, choices }: FieldSpec): unknown =>
  kind === "choice" ? choices?.[0] : VALUES[kind as keyof typeof VALUES];

describe.each(Object.entries(commands))("the form of %s", (_id, fact) => {
  it("has a field for each argument and each flag, and a filled form fills all of them", () => {
    const fields = formOf(fact);
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
    const { params, query, body } = inputOf(
      fact,
      Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])),
    );
    for (const { name, field } of fact.arguments) {
      const type = fact.flags.find((flag) => flag.field === field)?.type;
      const value = field === undefined ? params?.[name] : (pick(body, field) ?? query?.[field]);
      expect(value).toBe(type === "integer" || type === "number" ? VALUES.number : VALUES.text);
    }
    const arguments_ = fact.arguments.map(({ field }) => field);
    for (const { field, place, type } of fact.flags.filter((flag) => !arguments_.includes(flag.field))) {
      const value = place === "query" ? query?.[field] : pick(body, field);
      expect(value, field).not.toBeUndefined();
      if (type === "boolean") expect(value).toBe(true);
    }
  });

  it("sends nothing for empty fields but what the command sends by itself", () => {
    expect(inputOf(fact, {})).toEqual({ params: {}, query: {}, body: { ...fact.sends } });
  });
});
