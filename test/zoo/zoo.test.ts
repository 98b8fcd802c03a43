import { expect, test } from "vitest";
import { testCli } from "../support/cli.js";
import { DOORS, RIGHT, WRONG, wrongShop } from "./shops.mjs";

/**
 * What `qa-pay survive` is for: it finds shops that are wrong, and none that is right. Here with few schedules that are aimed at
 * each mistake; `node scripts/zoo.mjs` prints how long it takes when nothing is aimed.
 */

interface Survival {
  readonly schedules: number;
  readonly survived: number;
  readonly failures: readonly {
    readonly oracle: string;
    readonly steps: readonly string[];
    readonly command: string;
  }[];
}

async function survive(shop: readonly string[], flags: readonly string[]) {
  const cli = testCli({ PATH: process.env.PATH ?? "" });
  try {
    const words = ["survive", "--json", "--seed", "zoo", "--settle", "200ms", ...DOORS, ...flags, "--", ...shop];
    const { code, out, err } = await cli.run(words);
    if (code > 1) throw new Error(err);
    return { code, ...(JSON.parse(out) as Survival) };
  } finally {
    cli.remove();
  }
}

const seen = Object.entries(WRONG).filter(([, { oracle }]) => oracle !== null);

test.for(seen)("the shop is found that is wrong in this way: %s", async ([name, { faults, oracle }]) => {
  const aim = faults.length === 0 ? [] : ["--faults", faults.join(",")];
  const { code, failures } = await survive(wrongShop(name), ["--schedules", "6", ...aim]);
  expect({ code, oracles: failures.map((failure) => failure.oracle) }).toEqual({
    code: 1,
    oracles: expect.arrayContaining([oracle]),
  });
});

test("a shop that believes webhooks alone survives each fault", async () => {
  const { code, schedules, survived, failures } = await survive(RIGHT["Node, believes webhooks alone"], [
    "--schedules",
    "24",
  ]);
  expect({ code, schedules, survived, failures }).toEqual({ code: 0, schedules: 24, survived: 24, failures: [] });
});
