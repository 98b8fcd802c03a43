// @ts-check
// Usage: node scripts/zoo.mjs [wrong|right|blind [NAME]] [--schedules N], after `npm run build`
// Prints what `qa-pay survive` finds in the shops of test/zoo: how soon, how short, and how surely; and that it finds nothing in right ones.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DOORS, RIGHT, WRONG, wrongShop } from "../test/zoo/shops.mjs";

const BINARY = fileURLToPath(new URL("../bin/qa-pay.js", import.meta.url));
const SEED = "zoo";
const AGAIN = 20;
/** The first schedules are tried alone, so that it is known which one finds it. */
const MOST = 100;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { schedules: { type: "string" } } });
const [kind = "all", only] = positionals;

/**
 * @typedef {{ schedule: number, oracle: string, text: string, steps: string[], command: string, shortened_from?: number }} Failure
 * @typedef {{ schedules: number, failed: number, failures: Failure[], seconds: number }} Survival
 */

/**
 * @param {readonly string[]} shop
 * @param {readonly string[]} flags
 * @returns {Promise<Survival>}
 */
async function survive(shop, flags) {
  const cwd = mkdtempSync(join(tmpdir(), "qa-pay-zoo-"));
  const begun = performance.now();
  try {
    const words = [BINARY, "survive", "--json", "--seed", SEED, ...DOORS, ...flags, "--", ...shop];
    const text = await new Promise((resolve, reject) => {
      execFile(process.execPath, words, { cwd, maxBuffer: 1e9 }, (error, out, err) =>
        error !== null && error.code !== 1 ? reject(new Error(err)) : resolve(out),
      );
    });
    return { ...JSON.parse(text), seconds: (performance.now() - begun) / 1_000 };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** @param {readonly (string | number)[]} cells */
const row = (cells) => console.log(`| ${cells.join(" | ")} |`);

/** The first schedule that fails, found by doubling. @param {string} name */
async function firstFailure(name) {
  for (let schedules = 4; schedules <= MOST; schedules *= 2) {
    const result = await survive(wrongShop(name), ["--schedules", String(schedules)]);
    if (result.failed > 0) return result;
  }
  return null;
}

async function wrong() {
  row(["Shop", "Found by", "Schedule", "Seconds", "Steps before", "Steps after", "Again"]);
  row(["---", "---", "---", "---", "---", "---", "---"]);
  for (const [name, { oracle }] of Object.entries(WRONG)) {
    if (oracle === null || (only !== undefined && only !== name)) continue;
    const found = await firstFailure(name);
    const failure = found?.failures.find((one) => one.oracle === oracle) ?? found?.failures[0];
    if (failure === undefined) {
      row([name, "not found", `more than ${MOST}`, "", "", "", ""]);
      continue;
    }
    let again = 0;
    for (let turn = 0; turn < AGAIN; turn++) {
      const { failures } = await survive(wrongShop(name), ["--only", String(failure.schedule)]);
      if (failures.some((one) => one.oracle === failure.oracle)) again += 1;
    }
    const before = failure.shortened_from ?? "?";
    row([
      name,
      failure.oracle,
      failure.schedule,
      found.seconds.toFixed(1),
      before,
      failure.steps.length,
      `${again} of ${AGAIN}`,
    ]);
  }
}

async function blind() {
  row(["Shop that survives though it is wrong", "Schedules", "Failed"]);
  row(["---", "---", "---"]);
  for (const [name, { oracle }] of Object.entries(WRONG)) {
    if (oracle !== null || (only !== undefined && only !== name)) continue;
    const { schedules, failed } = await survive(wrongShop(name), ["--schedules", values.schedules ?? "200"]);
    row([name, schedules, failed]);
  }
}

async function right() {
  row(["Right shop", "Schedules", "Failed", "Seconds"]);
  row(["---", "---", "---", "---"]);
  for (const [name, shop] of Object.entries(RIGHT)) {
    if (only !== undefined && !name.startsWith(only)) continue;
    for (const flags of [[], ["--restart"]]) {
      const { schedules, failed, seconds, failures } = await survive(shop, [
        "--schedules",
        values.schedules ?? "1000",
        ...flags,
      ]);
      row([`${name} ${flags.join("")}`, schedules, failed, seconds.toFixed(0)]);
      for (const { text, command } of failures) console.log(`${text}\n${command}`);
    }
  }
}

/** @type {Record<string, () => Promise<void>>} */
const parts = { wrong, blind, right };
assert(kind === "all" || kind in parts, `There is wrong, blind and right, not ${kind}.`);
for (const [name, part] of Object.entries(parts)) if (kind === "all" || kind === name) await part();
