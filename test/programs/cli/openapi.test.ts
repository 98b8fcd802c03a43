import { afterAll, describe, expect, it } from "vitest";
import { VERSION } from "../../../src/base/platform/version.js";
import { testCli } from "../../support/cli.js";

const cli = testCli();
afterAll(() => cli.remove());

async function printed(...flags: string[]) {
  const { code, out, err } = await cli.run(["openapi", ...flags]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("qa-pay openapi", () => {
  it("prints the released operations without a running server", async () => {
    const document = await printed();
    expect(document.info.version).toBe(VERSION);
    expect(document.paths["/v1/charges"]).toHaveProperty("post");
    expect(document.paths["/v1/charges"]).not.toHaveProperty("get");
    expect(Object.keys(document.paths).some((path) => path.startsWith("/_sandbox"))).toBe(false);
  });

  it("adds previews and the control interface when flags ask for them", async () => {
    const document = await printed("--sandbox", "--preview", "charge-list");
    expect(document.paths["/v1/charges"].get.operationId).toBe("charges.list");
    expect(document.paths).toHaveProperty("/_sandbox/clock/advance");
  });
});
