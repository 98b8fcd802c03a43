import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newPlace, type Place } from "../support/binary.js";
import { PATIENCE } from "../support/patience.js";

/** The shop of examples/shop survives, and nothing of it is left behind. */

const repository = (name: string) => new URL(`../../${name}`, import.meta.url).pathname;

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

/** The shop writes its process id each time it is started. */
function survive(...flags: readonly string[]) {
  const doors = ["--buy", "/buy", "--orders", "/orders"];
  const shop = ["sh", "-c", `echo $$ >> pids; exec node ${repository("examples/shop/shop.mjs")} orders.json`];
  const args = [
    repository("bin/qa-pay.js"),
    "survive",
    "--json",
    "--seed",
    "the example",
    ...doors,
    ...flags,
    "--",
    ...shop,
  ];
  const child = spawn(process.execPath, args, { cwd: place.folder, env: place.env });
  const text = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text.out += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    text.err += part;
  });
  const ended = new Promise((resolve) => child.on("close", resolve));
  return { child, text, ended };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const pids = () => readFileSync(join(place.folder, "pids"), "utf8").trim().split("\n").map(Number);

test("the example survives each fault, a kill too, and ends with the command", async () => {
  const { text, ended } = survive("--schedules", "24", "--restart");
  expect({ code: await ended, err: text.err }).toMatchObject({ code: 0 });
  expect(JSON.parse(text.out)).toMatchObject({ schedules: 24, survived: 24, failures: [] });
  expect(pids().length).toBeGreaterThan(1);
  expect(pids().filter(isRunning)).toEqual([]);
});

test("Ctrl-C ends the shop too, and tells what was found until then", async () => {
  const { child, text, ended } = survive("--schedules", "100000");
  await vi.waitUntil(() => existsSync(join(place.folder, "orders.json")), PATIENCE);
  child.kill("SIGINT");
  await ended;
  expect(JSON.parse(text.out)).toMatchObject({ failures: [] });
  expect(pids().filter(isRunning)).toEqual([]);
});
