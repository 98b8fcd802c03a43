import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";

/** Flags of `serve` with values that it cannot use. test/binary/serve.test.ts has two of them with the built command. */

let cli: TestCli;
beforeAll(() => {
  cli = testCli();
});
afterAll(() => cli.remove());

async function refused(...args: string[]): Promise<string> {
  const { code, out, err } = await cli.run(["serve", "--port", "0", "--db", ":memory:", ...args]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  return err;
}

describe("a refusal to start", () => {
  it.each([
    [["--port", "x"]],
    [["--port", "65536"]],
    [["--port", "-1"]],
    [["--retry-base", "10"]],
    [["--retry-base", "soon"]],
    [["--settlement-hold", "1w"]],
    [["--max-attempts", "0"]],
    [["--fees", "{"]],
    [["--fees", '{"PIX":{"platform":{"bps":10001}}}']],
    [["--qr", "png"]],
    [["--preview", "nothing"]],
    [["--test-key", "qa_live_wrong-mode"]],
    [["--live-key", "secret"]],
    [["--events", "charge.paid"]],
    [["--forward-to", "http://localhost:1/", "--events", "withdrawal.*"]],
    [["--nonsense"]],
    [["stray"]],
  ])("because of %j is exit 2", async (args) => {
    expect(await refused(...args)).not.toBe("");
  });

  it.each(["http://example.com/hooks", "nonsense", "https://user:secret@example.com/"])(
    "because of --forward-to %s is exit 2",
    async (url) => {
      expect(await refused("--forward-to", url)).toMatch(/--forward-to/);
    },
  );
});
