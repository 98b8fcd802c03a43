import { describe, expect, it } from "vitest";
import { operations } from "../../../src/programs/cli/tree/command-tree.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** Commands that delete everything on the server ask a person first, also in test mode on this machine. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
const host = () => new URL(emulator.url).host;

const RESET = ["sandbox", "reset"];
const RESTORE = ["sandbox", "snapshots", "restore", "empty"];
const isThere = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).status === 200;

/** A charge that the command would delete. */
async function charge(): Promise<string> {
  await emulator.sandbox("/reset");
  await emulator.sandbox("/snapshots", { name: "empty" });
  return (await emulator.charge()).id;
}

const titled = [RESET, RESTORE].map((words) => [words.join(" "), words] as const);

describe("a command that empties the server", () => {
  it.each(titled)("%s asks at a terminal, and names what will be lost", async (_title, words) => {
    const id = await charge();
    const asked: string[] = [];
    const { code, err } = await cli.run(words, { answers: [true], asked });
    expect(asked).toEqual([expect.stringMatching(/^[A-Z].* (is|are) lost\b.*\. [A-Z].*\?$/)]);
    expect([code, err]).toEqual([0, expect.stringMatching(/^POST \/_sandbox\/\S+ on /)]);
    expect(err).toContain(host());
    expect(await isThere(id)).toBe(false);
  });

  it.each(titled)("%s does nothing when the person says no", async (_title, words) => {
    const id = await charge();
    const { code, out, err } = await cli.run(words, { answers: [false] });
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(/^POST \S+ on \S+\nError: Nothing was sent\.\n$/)]);
    expect(await isThere(id)).toBe(true);
  });

  it.each(titled)("%s asks nothing with --yes, --json or --quiet, nor without a terminal", async (_title, words) => {
    for (const [more, options] of [
      [["--yes"], { answers: [] }],
      [["--json"], { answers: [] }],
      [["--quiet"], { answers: [] }],
      [[], {}],
    ] as const) {
      const id = await charge();
      expect((await cli.run([...words, ...more], options)).code).toBe(0);
      expect(await isThere(id)).toBe(false);
    }
  });

  it.each(titled)("%s --dry-run shows the request without a question", async (_title, words) => {
    const id = await charge();
    const { code, out } = await cli.run([...words, "--dry-run"], { answers: [] });
    expect([code, out.split("\n")[0]]).toEqual([0, expect.stringMatching(/^POST \S+\/_sandbox\//)]);
    expect(await isThere(id)).toBe(true);
  });

  it.each(titled)("%s with a live key asks one question about both", async (_title, words) => {
    const asked: string[] = [];
    const live = [...words, "--api-key", emulator.live];
    const { code, err } = await cli.run(live, { answers: [false], asked });
    expect([code, asked]).toEqual([2, [expect.stringMatching(/ lost\b.*\. [A-Z].*\?$/)]]);
    expect(err).toMatch(/^POST \S+ on \S+ \(LIVE mode\)$/m);
    expect((await cli.run(live)).err).toContain("Add --yes");
  });

  it("is one of these, or deletes a snapshot: no other command asks in test mode on this machine", () => {
    const asking = operations.filter(({ loses }) => loses !== undefined).map(({ command }) => command);
    expect(asking.toSorted()).toEqual(["sandbox reset", "sandbox snapshots delete", "sandbox snapshots restore"]);
  });
});
