import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { expectRefused } from "../../support/refusals.js";
import { shared, sharedEmulator } from "../../support/shared.js";
import { postRestore, postSave } from "../../support/snapshots.js";

/** The name of a snapshot is a valid file name on every system, and never a path to another file. */

describe.each(["in a file", "in memory"])("the name of a snapshot of a database %s", (where) => {
  const folder = shared(newFolder);
  const emulator = sharedEmulator(() => (where === "in a file" ? { db: folder.db } : {}));

  const names = async () =>
    (await emulator.call("GET", "/_sandbox/snapshots?limit=100")).body.data.map((one: Loose) => one.name);

  it.each(["a", "Z9", "before-refund", "v1.2_final", "1", "a..b", "x".repeat(64), "console", "nullable"])(
    "may be called %s",
    async (name) => {
      expect((await postSave(emulator, name)).body.name).toBe(name);
      expect((await postRestore(emulator, name)).status).toBe(200);
    },
  );

  it.each([
    ...["", ".", "..", ".hidden", "-flag", "_under", "a/b", "a\\b", "../a", "a b", "a\n", "ação", "x".repeat(65)],
    ...["a:b", "a\u0000", "con", "NUL", "nul.txt", "COM1", "Lpt9.a", "%2e", 5, true, null, {}, ["a"], undefined],
  ])("cannot be called %j", async (name) => {
    const answer = await postSave(emulator, name);
    // A NUL is refused in every text of a request.
    expectRefused(answer, "invalid_request", name === "a\u0000" ? undefined : "name");
    expect(await names()).not.toContain(name);
  });

  it.each(["unknown", ".", "..", "%2e%2e", "..%2f..%2fqa", "a%00", "%2e%2e%2fqa", "x".repeat(5_000), "%", "%ff"])(
    "of an unknown name cannot be restored: %s",
    async (name) => {
      expectRefused(await postRestore(emulator, name), "not_found");
    },
  );
});
