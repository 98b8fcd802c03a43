import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Failure, unreadable } from "../../src/cli/terminal/failure.js";
import { readNamed, statNamed } from "../../src/cli/terminal/named-file.js";
import { ownFolder } from "../support/shared.js";

/** Files that a user names on the command line. */

it.each([
  ["none.json", "there is no such file"],
  ["file/below.json", "there is no such file"],
  ["folder", "it is a folder"],
  ["circle", "ELOOP: too many symbolic links encountered"],
])("of %s that cannot be read it is said why: %s", async (name, why) => {
  const cwd = ownFolder().path;
  writeFileSync(join(cwd, "file"), "");
  mkdirSync(join(cwd, "folder"));
  symlinkSync("circle", join(cwd, "circle"));
  const failure = { exitCode: 2, message: expect.stringContaining(`The file ${name} cannot be read: ${why}`) };
  await expect(readNamed({ cwd }, name)).rejects.toMatchObject(failure);
  await expect(statNamed({ cwd }, name)).rejects.toMatchObject(failure);
});

it.each(["EACCES", "EPERM"])("a file of others (%s) is told in words", (code) => {
  const { message }: Failure = unreadable("theirs.json", Object.assign(new Error(`${code}: not permitted`), { code }));
  expect(message).toBe("The file theirs.json cannot be read: this user may not read it.");
});
