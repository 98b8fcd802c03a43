import { expect, it } from "vitest";
import { byName, isNameOf, namesOf } from "../../../src/base/kernel/names.js";

const TABLE = { second: 2, first: 1 };

it("returns the names of a table in its order", () => {
  expect(namesOf(TABLE)).toEqual(["second", "first"]);
});

it.each([
  ["first", true],
  ["third", false],
  ["toString", false],
])("knows whether %s is a name of the table", (text, isName) => {
  expect(isNameOf(TABLE, text)).toBe(isName);
});

it("creates an object with a value for each name", () => {
  expect(byName(["a", "b"], (name) => `${name}!`)).toEqual({ a: "a!", b: "b!" });
});
