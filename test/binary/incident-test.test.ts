import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { newPlace, run } from "../support/binary.js";
import { LOADED_BY_NODE } from "../support/loaded-by-node.js";
import { testWith } from "../support/programs.js";
import { shared, sharedEmulator, sharedReceiver } from "../support/shared.js";
import { settle, subscribe } from "../support/webhooks.js";

/** The tests that `incident test` writes, run by their frameworks against a receiver that is right and one that is wrong. */

const ROOT = new URL("../..", import.meta.url).pathname;
const emulator = sharedEmulator({ frozen: true });
/** Takes the webhooks of the source. */
const source = sharedReceiver();
const shop = sharedReceiver();
const place = shared(() => ({ ...newPlace(), close: () => undefined }));

/** A test for each of two incidents, of which the shop takes one and refuses the payment of the other. */
async function written(framework: string, files: Readonly<Record<string, readonly string[]>> = {}): Promise<void> {
  for (const name of ["right", "wrong"]) {
    const words = ["incident", "test", `${name}.json`, "--framework", framework, "--forward-to", `${shop.url}/${name}`];
    const { code, out, err } = await run(place, [...words, ...(files[name] ?? [])]);
    expect([code, out.trim().startsWith(place.folder), err]).toEqual([0, true, expect.stringContaining("YOURS")]);
  }
}

/** The framework's report of both. */
async function ended(command: string, ...args: string[]): Promise<string> {
  shop.received.length = 0;
  const env = { ...place.env, PATH: `${join(place.folder, "programs")}${delimiter}${process.env.PATH}` };
  // It ends with another code than 0, because one of the tests fails.
  const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: place.folder, env }).catch(
    (error) => error,
  );
  const taken = shop.received.map(({ path, type }) => `${basename(path)} ${type}`).sort();
  const said = stdout + stderr;
  expect([taken, said]).toEqual([
    ["right charge.created", "right charge.paid", "wrong charge.created", "wrong charge.paid"],
    expect.any(String),
  ]);
  return said;
}

beforeAll(async () => {
  shop.respond = ({ path, type }) => ({ status: path.endsWith("/wrong") && type === "charge.paid" ? 500 : 204 });
  mkdirSync(join(place.folder, "programs"));
  symlinkSync(join(ROOT, "bin/qa-pay.js"), join(place.folder, "programs", "qa-pay"));
  mkdirSync(join(place.folder, "node_modules"));
  symlinkSync(ROOT, join(place.folder, "node_modules", "qa-pay"));
  symlinkSync(join(ROOT, "node_modules/vitest"), join(place.folder, "node_modules", "vitest"));
  writeFileSync(join(place.folder, "vitest.config.mjs"), LOADED_BY_NODE);
  await subscribe(emulator, source.url, ["charge.created", "charge.paid"]);
  const { id } = await emulator.charge({ amount: 1990 });
  await settle(emulator);
  await emulator.sandbox(`/charges/${id}/pay`, {});
  await settle(emulator);
  const host = ["--base-url", emulator.url, "--api-key", emulator.key];
  expect((await run(place, ["incident", "save", id, "--output", "right.json", ...host])).code).toBe(0);
  copyFileSync(join(place.folder, "right.json"), join(place.folder, "wrong.json"));
});

it("Vitest passes where the shop takes every webhook, and fails where it refuses one", async () => {
  await written("vitest");
  const said = await ended(process.execPath, join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--no-color");
  expect(said).toMatch(/Tests +1 failed \| 1 passed/);
  expect(said).toMatch(/FAIL +wrong\.test\.mjs[\s\S]*charge\.paid: 500/);
});

testWith("pytest-3", "pytest does the same", async () => {
  await written("pytest");
  const said = await ended("pytest-3", "-q", "-p", "no:cacheprovider", "test_right.py", "test_wrong.py");
  expect(said).toMatch(/charge\.paid: 500[\s\S]*FAILED test_wrong\.py[\s\S]*1 failed, 1 passed/);
});

testWith("phpunit", "PHPUnit does the same, with tests in a folder of their own", async () => {
  mkdirSync(join(place.folder, "php"));
  const file = (name: string) => ["--output", `php/${name}Test.php`];
  await written("phpunit", { right: file("Right"), wrong: file("Wrong") });
  const said = await ended("phpunit", "php");
  expect(said).toMatch(/WrongTest::test[\s\S]*charge\.paid: 500[\s\S]*Tests: 2, .*Failures: 1\./);
});
