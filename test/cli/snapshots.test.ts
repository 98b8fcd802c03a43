import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { newFolder, snapshotFile } from "../support/snapshots.js";

/** Commands that save the state of the server and restore it. */

const folder = newFolder();
let emulator: TestEmulator;
let cli: TestCli;

beforeAll(async () => {
  emulator = await startEmulator({ db: folder.db, frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
  folder.remove();
});

const run = (...words: string[]) => cli.run(["sandbox", "snapshots", ...words]);
const status = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body.status;

describe("sandbox snapshots", () => {
  it("saves a snapshot, lists it and restores it", async () => {
    expect(await run("list")).toEqual({ code: 0, out: "", err: "Nothing to show.\n" });
    const { id } = await emulator.charge();
    const saved = await run("save", "before-payment");
    expect(saved.code).toBe(0);
    expect(saved.out).toMatch(
      /^Snapshot +before-payment\nSaved +\d{4}-\d\d-\d\d .*\nClock +\d{4}-\d\d-\d\d .*\nCharges +1\nEvents +\d+\nBytes +\d+\nFile +\S+before-payment\.db\n$/,
    );
    expect(saved.err).toBe("Come back to it: qa-pay sandbox snapshots restore before-payment\n");
    expect((await run("list")).out).toMatch(/^Snapshot .*\nbefore-payment .*\n$/);
    await emulator.sandbox(`/charges/${id}/pay`);
    const back = await run("restore", "before-payment");
    expect([back.code, back.out.split("\n")[0]]).toEqual([0, "Snapshot  before-payment"]);
    expect(await status(id)).toBe("pending");
  });

  it("takes the name as an argument or as a flag", async () => {
    for (const words of [
      ["save", "one"],
      ["save", "--name", "one"],
    ]) {
      const { code, out } = await run(...words, "--json");
      expect([code, JSON.parse(out).name]).toEqual([0, "one"]);
    }
  });

  it("refuses an argument and a flag with different names", async () => {
    const { code, out, err } = await run("save", "one", "--name", "two");
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("<name> and --name say different things: one and two.");
    expect((await run("save", "one", "--name", "one")).code).toBe(0);
  });

  it("names a missing argument", async () => {
    for (const word of ["save", "restore"]) {
      const { code, err } = await run(word);
      expect([code, err]).toEqual([2, expect.stringMatching(/<name> is missing/)]);
      expect(err).toContain(`qa-pay sandbox snapshots ${word} before-refund`);
    }
  });

  it("lets a person choose the snapshot to restore", async () => {
    await run("save", "chosen");
    const asked: string[] = [];
    const { code, out } = await cli.run(["sandbox", "snapshots", "restore"], { answers: ["chosen", true], asked });
    expect([code, asked.join()]).toEqual([0, expect.stringContaining("Name of the snapshot")]);
    expect(out).toMatch(/^Snapshot +chosen$/m);
  });

  it("ends with 5 for an invalid name, and with 4 for an unknown one", async () => {
    const bad = await run("save", "../escape");
    expect([bad.code, bad.out, bad.err]).toEqual([5, "", expect.stringContaining("name must be 1 to 64 letters")]);
    const unknown = await run("restore", "nobody", "--json");
    expect([unknown.code, unknown.out]).toEqual([4, ""]);
    expect(JSON.parse(unknown.err).error.message).toContain("There is no snapshot nobody");
  });

  it("ends with 5 for a damaged one, and says what to do", async () => {
    await run("save", "broken");
    writeFileSync(snapshotFile(folder.db, "broken"), "nothing");
    const { code, err } = await run("restore", "broken");
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(/broken is damaged.*Save it anew, or remove .*broken\.db\. Nothing was changed/),
    ]);
  });
});
