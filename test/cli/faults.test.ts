import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { faultRules, outcome } from "../support/faults.js";

/** `qa-pay sandbox faults`. */

let emulator: TestEmulator;
let cli: TestCli;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  await emulator.close();
  cli.remove();
});
afterEach(() => emulator.sandbox("/reset"));

const faults = (...words: string[]) => cli.run(["sandbox", "faults", ...words]);
async function added(...flags: string[]) {
  const { code, out, err } = await faults("add", ...flags, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("sandbox faults add", () => {
  it("takes every field of a rule as a flag", async () => {
    const rule = await added(
      ...["--match-method", "POST", "--match-path", "/v1/charges*", "--effect-status", "429"],
      ...["--effect-code", "rate_limited", "--effect-retry-after", "3", "--effect-latency-ms", "0"],
      ...["--times", "2", "--probability", "0.5"],
    );
    expect(rule).toMatchObject({
      match: { method: "POST", path: "/v1/charges*" },
      effect: { status: 429, code: "rate_limited", retry_after: 3, latency_ms: 0 },
      times: 2,
      probability: 0.5,
    });
    expect(await faultRules(emulator)).toEqual([rule]);
    expect((await added("--effect-drop", "after")).effect).toEqual({ drop: "after" });
  });

  it("says how to remove the rule again", async () => {
    const { code, out, err } = await faults("add", "--effect-status", "503");
    const [rule] = await faultRules(emulator);
    expect([code, err]).toEqual([0, `Take it away again: qa-pay sandbox faults remove ${rule.id}\n`]);
    expect(out).toMatch(/Status +503\nCode +service_unavailable\n/);
  });

  it.each([
    [["--effect-drop", "during"], 2],
    [["--effect-status", "soon"], 2],
    [["--match-method", "PUT", "--effect-status", "503"], 2],
    [["--times", "1"], 2],
    [["--effect-status", "200"], 5],
  ])("refuses %o with %d", async (flags, expected) => {
    const { code, err } = await faults("add", ...flags);
    expect([code, await faultRules(emulator)]).toEqual([expected, []]);
    expect(err).toMatch(/\S/);
  });

  it("explains its flags, with examples that work as they stand", async () => {
    const { out } = await faults("add", "--help");
    for (const flag of ["match-method", "match-path", "effect-status", "effect-latency-ms", "effect-drop", "times"]) {
      expect(out).toContain(`--${flag} `);
    }
    const examples = [...out.matchAll(/\$ qa-pay (sandbox faults add .*)/g)].map((found) => found[1] ?? "");
    expect(examples.length).toBeGreaterThan(2);
    for (const example of examples) {
      const words = example.split(" ").map((word) => word.replaceAll("'", ""));
      expect((await cli.run(words)).code).toBe(0);
    }
  });
});

describe("the other commands", () => {
  it("list the rules in order, remove one, and clear them", async () => {
    const [one, two] = [await added("--effect-status", "503", "--times", "1"), await added("--effect-drop", "before")];
    await emulator.call("GET", "/v1/wallets");
    const { out } = await faults("list");
    const lines = out.split("\n");
    expect(lines[0]).toMatch(/^Fault +Method +Path +Status +Code/);
    expect(lines[1]).toMatch(new RegExp(`^${one.id} +503 +service_unavailable +1 +1 +0$`));
    expect(lines[2]).toMatch(new RegExp(`^${two.id} +before +1 +0$`));
    expect(await faults("remove", one.id)).toMatchObject({ code: 0, out: "✓ done\n" });
    expect((await faults("remove", one.id)).code).toBe(4);
    expect(await faults("clear")).toMatchObject({ code: 0, out: "✓ done\n" });
    expect(await faults("list")).toMatchObject({ code: 0, out: "", err: "Nothing to show.\n" });
  });

  it("let a person pick the rule to remove", async () => {
    const { id } = await added("--effect-status", "503");
    const { code } = await cli.run(["sandbox", "faults", "remove"], { answers: [id] });
    expect([code, await faultRules(emulator)]).toEqual([0, []]);
  });
});

describe("a request that a rule applied to", () => {
  it("is in sandbox requests with the rule's id", async () => {
    const { id } = await added("--effect-drop", "before");
    await outcome(emulator.call("GET", "/v1/wallets"));
    const { out } = await cli.run(["sandbox", "requests"]);
    expect(out.split("\n")[1]).toMatch(new RegExp(`/v1/wallets +0 +[\\d.]+ +node +${id}$`));
  });

  it("ends a command with the exit code of the failure that the rule simulates", async () => {
    await added("--effect-status", "503", "--times", "1");
    expect((await cli.run(["wallets", "list"])).code).toBe(7);
    await added("--effect-status", "429", "--times", "1");
    expect((await cli.run(["wallets", "list"])).code).toBe(6);
    await added("--effect-drop", "before");
    const { code, err } = await cli.run(["wallets", "list", "--json"]);
    expect([code, JSON.parse(err).error.code]).toEqual([7, "unreachable"]);
  });
});
