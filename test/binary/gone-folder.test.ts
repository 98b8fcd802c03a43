import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import { fresh } from "../support/shared.js";

/** Commands whose working folder was deleted, as a build server does while a shell still stands in it. */

const place = fresh(newPlace);

/** Runs the built command in a folder that a shell has deleted. */
function runGone(words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "qa-pay-gone-"));
  const script = `cd "$0" && "$1" -e 'require("node:fs").rmdirSync(process.argv[1])' "$0" && exec "$@"`;
  const { ended } = launch(place, ["sh", "-c", script, folder, ...QA_PAY, ...words], { input: "" });
  return ended.finally(() => rmSync(folder, { recursive: true, force: true }));
}

it.each(["charges list", "serve --detach", "exec -- true"])("%s says it in one sentence", async (line) => {
  const { code, out, err } = await runGone(line.split(" "));
  expect([code, out]).toEqual([2, ""]);
  expect(err).toBe(
    "Error: The working folder no longer exists.\nChange to another folder, and run the command again.\n",
  );
});

it.each(["--version", "webhooks sample charge.paid"])("%s needs no folder", async (line) => {
  expect((await runGone(line.split(" "))).code).toBe(0);
});

it("a command goes where flags say", async () => {
  const { code, err } = await runGone([
    "wallets",
    "list",
    "--base-url",
    "http://127.0.0.1:9",
    "--api-key",
    "qa_test_01234567",
  ]);
  expect([code, err]).toEqual([7, expect.stringContaining("Nobody answers at http://127.0.0.1:9")]);
});
