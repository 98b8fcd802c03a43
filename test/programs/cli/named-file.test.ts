import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inputText } from "../../../src/programs/cli/terminal/bounded-read.js";
import { type Failure, unreadable } from "../../../src/programs/cli/terminal/failure.js";
import { readNamed, statNamed } from "../../../src/programs/cli/terminal/named-file.js";
import { ownFolder, sharedCli, sharedEmulator } from "../../support/shared.js";

/** Files that a user names on the command line. */

it.each([
  ["none.json", "there is no such file"],
  ["file/below.json", "there is no such file"],
  ["folder", "it is a folder"],
  ["circle", "its links lead in a circle"],
])("of %s that cannot be read it is said why: %s", async (name, why) => {
  const cwd = ownFolder().path;
  writeFileSync(join(cwd, "file"), "");
  mkdirSync(join(cwd, "folder"));
  symlinkSync("circle", join(cwd, "circle"));
  const failure = { exitCode: 2, message: expect.stringContaining(`The file ${name} cannot be read: ${why}`) };
  expect(() => readNamed({ cwd }, name)).toThrow(expect.objectContaining(failure));
  await expect(statNamed({ cwd }, name)).rejects.toMatchObject(failure);
});

it.each(["EACCES", "EPERM"])("a file of others (%s) is refused with a reason", (code) => {
  const { message }: Failure = unreadable("theirs.json", Object.assign(new Error(`${code}: not permitted`), { code }));
  expect(message).toBe("The file theirs.json cannot be read: this user may not read it.");
});

const MOST = 64 * 1_048_576;

it("of more than 64 MB is not read", () => {
  const cwd = ownFolder().path;
  const file = join(cwd, "large.json");
  writeFileSync(file, "");
  truncateSync(file, MOST + 1);
  expect(() => readNamed({ cwd }, "large.json")).toThrow("The file large.json cannot be read: it has more than 64 MB.");
});

it("in many pieces is read as it is", () => {
  const cwd = ownFolder().path;
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251));
  writeFileSync(join(cwd, "pieces"), content);
  expect(readNamed({ cwd }, "pieces").equals(content)).toBe(true);
});

it("standard input that never ends is refused", async () => {
  async function* endless() {
    for (;;) yield Buffer.alloc(1_048_576);
  }
  await expect(inputText(endless())).rejects.toThrow("Standard input cannot be read: it has more than 64 MB.");
});

// The device has no end, and its size is 0.
describe.skipIf(process.platform === "win32")("a device that never ends is refused", () => {
  const cli = sharedCli(sharedEmulator());

  it.each(["incident replay /dev/zero", "api POST /v1/charges --data @/dev/zero", "med evidence add med_1 /dev/zero"])(
    "by %s",
    async (line) => {
      const { code, err } = await cli.run(line.split(" "));
      expect(err).toContain("The file /dev/zero cannot be read: it has more than 64 MB.");
      expect(code).toBe(2);
    },
  );
});
