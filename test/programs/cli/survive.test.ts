import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULT_NAMES } from "../../../src/checks/survive/faults.js";
import { sharedCli } from "../../support/shared.js";

/** `survive`: the list of faults, and what is refused before a shop is started. The rest: test/checks/survive and test/binary. */

const cli = sharedCli();
const DOORS = ["--buy", "/buy", "--orders", "/orders"];
/** A shop that leaves a trace when it is started. */
const SHOP = ["--", process.execPath, "-e", "require('node:fs').writeFileSync('started', '')"];

test("--list shows every fault, and needs no shop", async () => {
  const { code, out } = await cli.run(["survive", "--list"]);
  expect(code).toBe(0);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => line.split(" ")[0]),
  ).toEqual(FAULT_NAMES);
  const json = await cli.run(["survive", "--list", "--json"]);
  expect(JSON.parse(json.out).faults[0]).toEqual({ name: "duplicate", about: "a webhook comes more than once" });
});

test.each([
  [["--faults", "duplicat"], "There is no fault duplicat.", "Did you mean duplicate?"],
  [["--faults", ""], "There is no fault ''.", ""],
  [["--only", "0"], "--only takes a whole number from 1 on, not 0.", ""],
  [["--schedules", "many"], "--schedules takes a whole number from 1 on, not many.", ""],
  [["--for", "5"], "--for takes a duration such as 500ms or 5m, not 5.", ""],
  [["--settle", "-1s"], "--settle takes a duration such as 500ms or 5m, not -1s.", ""],
  [["--events", "charge.payed"], "--events: there is no event charge.payed; did you mean charge.paid?", ""],
  [["--junit", "/dev/null/survive.xml"], "/dev/null/survive.xml cannot be written", ""],
])("survive %j is refused, and no shop is started", async (flags, message, hint) => {
  const { code, err } = await cli.run(["survive", ...DOORS, ...flags, ...SHOP]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  expect(err).toContain(hint);
  expect(existsSync(join(cli.folder, "started"))).toBe(false);
});

test.each([
  [[...DOORS], "survive needs the command that starts your shop, after two dashes."],
  [["--orders", "/orders", ...SHOP], "survive needs --buy: the page of your shop that takes an order."],
  [["--buy", "/buy", ...SHOP], "survive needs --orders: where your shop lists its orders."],
])("survive %j lacks something", async (words, message) => {
  const err = `Error: ${message}\n\`qa-pay survive --help\` has examples.\n`;
  expect(await cli.run(["survive", ...words])).toMatchObject({ code: 2, err });
});

test("a shop that does not start is exit 7, with what it wrote", async () => {
  const words = ["survive", ...DOORS, "--", process.execPath, "-e", "console.error('no database'); process.exit(3)"];
  const { code, err, out } = await cli.run(words);
  expect({ code, out }).toEqual({ code: 7, out: "" });
  expect(err).toMatch(/The shop ended with code 3 before it answered[\s\S]*no database/);
});

test.each(["survive", "rush"])("%s reports a shop that does not start to the build server too", async (name) => {
  const words = [name, ...DOORS, "--junit", `reports/${name}.xml`, "--", process.execPath, "-e", "process.exit(3)"];
  const { code, err } = await cli.run(words, { env: { GITHUB_ACTIONS: "true" } });
  expect(code).toBe(7);
  const title = `::error title=qa-pay ${name}%3A starts and takes an order::The shop ended with code 3 `;
  expect(err.split("\n").filter((line) => line.startsWith("::"))).toEqual([expect.stringContaining(title)]);
  expect(readFileSync(join(cli.folder, `reports/${name}.xml`), "utf8")).toMatch(
    /tests="1" failures="1" [\s\S]*classname="shop" name="starts and takes an order" time="\d+\.\d{3}"><failure message="The shop ended with code 3/,
  );
});
