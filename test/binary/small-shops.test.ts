import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import { testWith } from "../support/programs.js";
import { fresh } from "../support/shared.js";

/** The small shops of the guides survive every fault but a kill, which forgets what they have in memory. */

const place = fresh(newPlace);
const shopFile = (name: string) => new URL(`../../examples/small-shop/${name}`, import.meta.url).pathname;

async function expectToSurvive(...shop: readonly string[]): Promise<void> {
  const doors = ["--buy", "/buy", "--orders", "/orders"];
  const words = ["survive", "--json", "--seed", "small", "--schedules", "12", ...doors, "--", ...shop];
  const { code, out, err } = await launch(place, [...QA_PAY, ...words]).ended;
  expect(code, out + err).toBe(0);
  const { survived, faults } = JSON.parse(out);
  expect(survived).toBe(12);
  const shown = Object.values<{ readonly could_show: number }>(faults).filter((fault) => fault.could_show > 0);
  expect(shown.length).toBeGreaterThan(10);
}

test.each(["shop.mjs", "shop.py", "shop.php"])("%s has fewer than 60 lines of at most 120 characters", (name) => {
  const lines = readFileSync(shopFile(name), "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(60);
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
});

test("the small shop in Node survives", () => expectToSurvive("node", shopFile("shop.mjs")));

testWith("python3", "the small shop in Python survives", () => expectToSurvive("python3", shopFile("shop.py")));

testWith("php", "the small shop in PHP survives", () =>
  expectToSurvive("sh", "-c", `exec php -S 127.0.0.1:$PORT ${shopFile("shop.php")}`),
);
