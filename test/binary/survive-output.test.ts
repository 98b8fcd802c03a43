import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newPlace, run } from "../support/binary.js";
import { fresh } from "../support/shared.js";
import { writeSmallShop } from "../support/small-shop.js";

/** `survive` as a person runs it: a shop that is a process, few schedules and what is printed. */

const place = fresh(newPlace);
const DOORS = ["survive", "--buy", "/buy", "--orders", "/orders", "--seed", "winter"];

test("a shop that receives no webhook is reported with its shortest schedule, in all forms, and its command finds it again", async () => {
  const shop = writeSmallShop(place.folder);
  const env = { WRONG: "unfulfilled", GITHUB_ACTIONS: "true" };
  const few = ["--faults", "duplicate", "--schedules", "1", "--settle", "20ms"];
  const human = await run(place, [...DOORS, ...few, "--junit", "survive.xml", "--", ...shop], { env });
  expect(human.code).toBe(1);
  expect(human.out).toMatch(
    /paid_not_fulfilled in schedule 1\n {2}Order \S+ is open in the shop, but R\$ \S+ was paid/,
  );
  expect(human.out).toMatch(/1\. the customer buys for R\$ 10,00\n {2}2\. the customer pays\n/);
  expect(human.out).toContain("0 of 1 fault survived.");
  expect(human.err).toMatch(/^Watch it at http:\S+\/console\/open\?k=\S+&to=survive\n/);
  expect(human.err).toMatch(/^::error title=qa-pay survive%3A schedule 1::/m);
  expect(readFileSync(join(place.folder, "survive.xml"), "utf8")).toMatch(
    /<testcase classname="paid_not_fulfilled".*<failure/,
  );
  expect(human.out).not.toMatch(/qa_test_/);
  const [word = "", ...words] = (/survive --buy .* --only 1 -- .*/.exec(human.out)?.[0] ?? "").split(" ");
  const again = await run(place, [word, "--json", ...words], { env });
  expect(JSON.parse(again.out)).toMatchObject({
    schedules: 1,
    failures: [{ schedule: 1, oracle: "paid_not_fulfilled", steps: [expect.any(String), "the customer pays"] }],
  });
});
