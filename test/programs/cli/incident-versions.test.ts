import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { canonicalJson } from "../../../src/base/kernel/json.js";
import type { Loose } from "../../support/emulator.js";
import { eventfulCharge } from "../../support/incident.js";
import { sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";

/** A file of `incident save` that a version of qa-pay with fewer or more columns wrote. */

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
const cli = sharedCli(emulator);
let file: Loose = {};

beforeAll(async () => {
  const id = await eventfulCharge(emulator, receiver);
  await cli.run(["incident", "save", id, "--output", "incident.json"]);
  file = JSON.parse(readFileSync(join(cli.folder, "incident.json"), "utf8"));
});

/** Replays the file with other rows of refunds, and the digest that its writer would have made. */
function replayed(changed: (refund: Loose) => Loose) {
  const { digest: _old, ...content } = { ...file, rows: { ...file.rows, refunds: file.rows.refunds.map(changed) } };
  const digest = `sha256:${createHash("sha256").update(canonicalJson(content)).digest("hex")}`;
  writeFileSync(join(cli.folder, "other.json"), JSON.stringify({ ...content, digest }));
  return cli.run(["incident", "replay", "other.json"]);
}

it("is replayed where it lacks a column that was added later", async () => {
  const { code, err } = await replayed(({ fee: _later, ...refund }) => refund);
  expect([code, err]).toEqual([0, expect.not.stringContaining("changed")]);
});

it("is refused where it has a column that is not known, and is not said to be changed for certain", async () => {
  const { code, err } = await replayed((refund) => ({ ...refund, added_later: 1 }));
  expect(code).toBe(5);
  expect(err).toContain(
    "other.json was changed after it was saved, or another version of qa-pay saved it: " +
      "the columns of refunds are not those of qa-pay.",
  );
  expect(err).toContain("Replay it with the version that saved it");
});
