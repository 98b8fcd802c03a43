import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands against a running service: the request, the output and the exit code. */

const emulator = sharedEmulator();
const cli = sharedCli(emulator);

async function json(...words: string[]) {
  const { code, out, err } = await cli.run([...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("a command", () => {
  it("sends null for the word null where a field can be null", async () => {
    const create = ["charges", "create", "--amount", "9", "--customer-name", "M"];
    const { id } = await json(...create, "--expected-payer-tax-id", "52998224725");
    expect(await json("sandbox", "pay", id, "--payer-document", "null")).toMatchObject({ outcome: "processing" });
    expect((await cli.run(["sandbox", "pay", id, "--payer-document", "nobody"])).code).toBe(5);
  });

  it("takes lists with commas or repeated", async () => {
    const url = ["--url", "http://127.0.0.1:9/"];
    const one = await json("webhooks", "endpoints", "create", ...url, "--events", "charge.paid,charge.failed");
    const two = await json("webhooks", "endpoints", "create", ...url, "--events", "charge.paid", "charge.failed");
    expect(one.events).toEqual(["charge.paid", "charge.failed"]);
    expect(two.events).toEqual(one.events);
  });
});

it("another account is shown with its users and their passwords, which are never shown again", async () => {
  const { code, out } = await cli.run(["sandbox", "accounts", "create", "--name", "Second Shop"]);
  expect(code).toBe(0);
  expect(out.match(/^User \d +\S+@\S+\nPassword +\S+-\S+$/gm)).toHaveLength(3);
  expect((await cli.run(["sandbox", "account"])).out).not.toContain("Password");
});

it("a refusal comes before sending when a number would be sent as a different one", async () => {
  const before = await json("payments", "list");
  const file = join(cli.folder, "large.json");
  writeFileSync(file, '{"order":12345678901234567890}');
  for (const metadata of [`@${file}`, '{"order":12345678901234567890}']) {
    const { code, out, err } = await cli.run(["charges", "create", "--amount", "1", "--metadata", metadata]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("--metadata holds 12345678901234567890, a number that cannot be kept exactly");
  }
  expect(await json("payments", "list")).toEqual(before);
});
