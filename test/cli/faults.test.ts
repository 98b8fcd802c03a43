import { afterEach, describe, expect, it } from "vitest";
import { faultRules, outcome } from "../support/faults.js";
import { sharedCli, sharedEmulator } from "../support/shared.js";

/** `qa-pay sandbox faults`. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

afterEach(() => emulator.sandbox("/reset"));

const faults = (...words: string[]) => cli.run(["sandbox", "faults", ...words]);
async function added(...flags: string[]) {
  const { code, out, err } = await faults("add", ...flags, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("sandbox faults add", () => {
  it("says how to remove the rule again", async () => {
    const { code, out, err } = await faults("add", "--effect-status", "503");
    const [rule] = await faultRules(emulator);
    expect([code, err]).toEqual([0, `Take it away again: qa-pay sandbox faults remove ${rule.id}\n`]);
    expect(out).toMatch(/Status +503\nCode +service_unavailable\n/);
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

it("a request that a rule applied to is in sandbox requests with the rule's id", async () => {
  const { id } = await added("--effect-drop", "before");
  await outcome(emulator.call("GET", "/v1/wallets"));
  const { out } = await cli.run(["sandbox", "requests"]);
  expect(out.split("\n")[1]).toMatch(new RegExp(`/v1/wallets +0 +[\\d.]+ +node +${id}$`));
});
