import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ORACLE_NAMES } from "../../src/checks/survive/faults.js";
import { createEmulator } from "../../src/programs/library/create-emulator.js";
import { shared } from "../support/shared.js";
import { WRONG, wrongShop } from "./shops.mjs";
import { openShop } from "./trial.js";

/**
 * `qa-pay survive` finds wrong shops. Here with few schedules that are aimed at each mistake; `node scripts/simulate.mjs zoo`
 * prints how long it takes when nothing is aimed, and how short the stories are. That it finds nothing in a shop that is right:
 * test/checks/survive/survive.long.test.ts.
 */

const SCHEDULES = 12;
const emulator = shared(() => createEmulator());
const seen = Object.entries(WRONG).flatMap(([name, { faults, oracle }]) =>
  oracle === null ? [] : [{ name, faults, oracle }],
);

/** One shop for each oracle: `node scripts/zoo.mjs` runs them all. */
const shown = seen.filter(({ oracle }, index) => seen.findIndex((one) => one.oracle === oracle) === index);

test.for(shown)("$name is found by $oracle", async ({ name, faults, oracle }) => {
  const shop = await openShop(emulator, wrongShop(name), faults);
  try {
    expect(await shop.firstFailure(oracle, { schedules: SCHEDULES })).not.toBeNull();
  } finally {
    await shop.close();
  }
});

test.each(["docs/guides/survive.md", "docs/pt-br/guides/survive.md"])("%s names each wrong shop", (path) => {
  const [, table = ""] = /\n\| (?:A shop that|Uma loja que) …(.*?)\n\n/s.exec(readFileSync(path, "utf8")) ?? [];
  const oracles = table.split("\n").flatMap((row) => /`(\w+)` \|$/.exec(row)?.[1] ?? []);
  expect(oracles).toEqual(seen.map(({ oracle }) => oracle));
});

test("every oracle finds a shop", () => {
  expect(new Set(seen.map(({ oracle }) => oracle))).toEqual(new Set(ORACLE_NAMES));
});
