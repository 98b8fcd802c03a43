import { expect, it } from "vitest";
import { fill } from "../../../src/base/kernel/message.js";

it("a text has its values, and a dash for one that is missing", () => {
  expect(fill("{paid} of {all}", { paid: 2 })).toBe("2 of —");
});

it("what stands in brackets goes with a value that is missing", () => {
  const text = "paid[: {amount:money}]";
  expect(fill(text, {})).toBe("paid");
  expect(fill(text, { amount: 1_990, currency: "BRL" })).toBe("paid: R$ 19,90");
});

it("a plural is the branch of its number, or else the last one", () => {
  const text = "{count, plural, =0 {Nothing ran.} =1 {One thing ran.} other {{count} things ran at {place}.}}";
  const filled = [0, 1, 2, 11].map((count) => fill(text, { count, place: "home" }));
  expect(filled).toEqual(["Nothing ran.", "One thing ran.", "2 things ran at home.", "11 things ran at home."]);
});

it("a value that looks like a parameter stays what it is", () => {
  expect(fill("{name}: {text}", { name: "{text}", text: "a [b] {name}" })).toBe("{text}: a [b] {name}");
});
