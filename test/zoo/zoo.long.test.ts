import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEmulator } from "../../src/library/create-emulator.js";
import { ORACLE_NAMES } from "../../src/survive/faults.js";
import { shared } from "../support/shared.js";
import { RIGHT, WRONG, wrongShop } from "./shops.mjs";
import { openShop } from "./trial.js";

/**
 * What `qa-pay survive` is for: it finds shops that are wrong, and none that is right. Here with few schedules that are aimed at
 * each mistake; `node scripts/simulate.mjs zoo` prints how long it takes when nothing is aimed, and how short the stories are.
 */

const SCHEDULES = 12;
const emulator = shared(() => createEmulator());
const seen = Object.entries(WRONG).flatMap(([name, { faults, oracle }]) =>
  oracle === null ? [] : [{ name, faults, oracle }],
);

test.for(seen)("$name is found by $oracle", async ({ name, faults, oracle }) => {
  const shop = await openShop(emulator, wrongShop(name), faults);
  try {
    expect(await shop.firstFailure(oracle, { schedules: SCHEDULES })).not.toBeNull();
  } finally {
    await shop.close();
  }
});

test.each(["docs/guides/survive.md", "docs/pt-br/guides/survive.md"])("%s tells of each wrong shop", (path) => {
  const [, table = ""] = /\n\| (?:A shop that|Uma loja que) …(.*?)\n\n/s.exec(readFileSync(path, "utf8")) ?? [];
  const oracles = table.split("\n").flatMap((row) => /`(\w+)` \|$/.exec(row)?.[1] ?? []);
  expect(oracles).toEqual(seen.map(({ oracle }) => oracle));
});

test("every oracle finds a shop", () => {
  expect(new Set(seen.map(({ oracle }) => oracle))).toEqual(new Set(ORACLE_NAMES));
});

test("a shop that believes webhooks alone survives each fault", async () => {
  const shop = await openShop(emulator, RIGHT["Node, believes webhooks alone"]);
  try {
    const result = await shop.survive({ schedules: 24 });
    expect(result).toMatchObject({ schedules: 24, survived: 24, failures: [] });
    expect(Object.values(result.faults).filter(({ schedules }) => schedules === 0)).toEqual([]);
  } finally {
    await shop.close();
  }
});
