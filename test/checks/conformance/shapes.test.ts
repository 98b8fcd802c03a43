import { beforeAll, expect, it } from "vitest";
import type { CheckedExchange } from "../../../src/checks/conformance/run-context.js";
import { knownShapes } from "../../../src/checks/conformance/shapes.js";
import { sharedEmulator } from "../../support/shared.js";

/** The words for a body that is not what the document says. */

const emulator = sharedEmulator();
let charge: Record<string, unknown>;
beforeAll(async () => {
  const { id } = await emulator.charge();
  charge = (await emulator.call("GET", `/v1/charges/${id}`)).body;
});

const check = (json: unknown) => knownShapes().check({ json } as CheckedExchange, "GET /v1/charges/{id}");

it("an answer of the service is what the document says", () => {
  expect(() => check(charge)).not.toThrow();
});

it.each([
  ["a body of another kind", () => 7, /^the body must be object$/],
  ["a missing field", () => ({ ...charge, id: undefined }), /must have required property 'id'$/],
  ["a wrong value, with the right ones", () => ({ ...charge, status: "lost" }), /^status must .*: \[.*"paid".*\]$/],
])("%s is named", (_title, json, words) => {
  expect(() => check(JSON.parse(JSON.stringify(json())))).toThrow(words);
});

it("an event that the document does not have is a difference", () => {
  expect(knownShapes().eventIssues("charge.lost", {})).toBe("the document has no event charge.lost");
});
