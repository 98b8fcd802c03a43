import { expect, it } from "vitest";
import { examplesText, recordExamples } from "./openapi-examples.js";

it("the examples of the OpenAPI document are what a running service answers", async () => {
  await expect(examplesText(await recordExamples())).toMatchFileSnapshot("../../src/service/openapi/examples.json");
});
