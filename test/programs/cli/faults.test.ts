import { afterEach, expect, it } from "vitest";
import { faultRules, outcome } from "../../support/faults.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

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

it("sandbox faults add says how to remove the rule again", async () => {
  const { code, out, err } = await faults("add", "--effect-status", "503");
  const [rule] = await faultRules(emulator);
  expect([code, err]).toEqual([0, `Remove it: qa-pay sandbox faults remove ${rule.id}\n`]);
  expect(out).toMatch(/Status +503\nCode +service_unavailable\n/);
});

it("the other commands let a person pick the rule to remove", async () => {
  const { id } = await added("--effect-status", "503");
  const { code } = await cli.run(["sandbox", "faults", "remove"], { answers: [id] });
  expect([code, await faultRules(emulator)]).toEqual([0, []]);
});

it("a request that a rule applied to is in sandbox requests with the rule's id", async () => {
  const { id } = await added("--effect-drop", "before");
  await outcome(emulator.call("GET", "/v1/wallets"));
  const { out } = await cli.run(["sandbox", "requests"]);
  expect(out.split("\n")[1]).toMatch(new RegExp(`/v1/wallets +0 +[\\d.]+ +node +${id}$`));
});
