import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import { PATIENCE } from "../support/patience.js";
import { fresh } from "../support/shared.js";
import { writeSmallShop } from "../support/small-shop.js";

/** `rush` as a process. The rest: test/programs/cli/rush.long.test.ts, test/checks/rush. */

const place = fresh(newPlace);

it("reports on Ctrl-C what it found so far, and leaves no shop behind", async () => {
  const [node, file] = writeSmallShop(place.folder);
  const noted = join(place.folder, "shop.json");
  const note = `require("node:fs").writeFileSync("shop.json", JSON.stringify({ port: process.env.PORT, pid: process.pid }));`;
  writeFileSync(file, `${note}\n${readFileSync(file, "utf8")}`);
  const words = ["rush", "--json", "--for", "1h", "--think", "0s", "--buy", "/buy", "--orders", "/orders"];
  const { ended, signal } = launch(place, [...QA_PAY, ...words, "--", node, file]);
  await expect.poll(() => existsSync(noted) && readFileSync(noted, "utf8"), PATIENCE).toContain("}");
  const { port, pid } = JSON.parse(readFileSync(noted, "utf8"));
  const orders = () =>
    fetch(`http://127.0.0.1:${port}/orders`).then(
      (one) => one.text(),
      () => "",
    );
  // The first order is none of those that are counted.
  await expect.poll(async () => (await orders()).split('"fulfilled":1').length, PATIENCE).toBeGreaterThan(3);
  signal("SIGINT");
  const { code, out, err } = await ended;
  // A run that was not finished is no success, however well it went until then.
  expect([code, JSON.parse(err).error.code]).toEqual([1, "stopped"]);
  const told = JSON.parse(out);
  expect(told).toMatchObject({ refused: 0, undelivered: 0, differences: [] });
  expect(told.paid).toBeGreaterThan(0);
  expect(await orders()).toBe("");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
