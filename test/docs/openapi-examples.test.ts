import { expect, it } from "vitest";
import { examplesText, recordExamples } from "./openapi-examples.js";

/** A server is started for each operation. On a machine that is busy with others this takes a while. */
const LONGEST_MS = 180_000;

it(
  "the examples of the OpenAPI document are what a running service answers",
  async () => {
    await expect(examplesText(await recordExamples())).toMatchFileSnapshot("../../src/openapi/examples.json");
  },
  LONGEST_MS,
);
