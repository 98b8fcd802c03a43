import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { newPlace } from "../support/binary.js";
import { PATIENCE } from "../support/patience.js";
import { fresh } from "../support/shared.js";
import { writeSmallShop } from "../support/small-shop.js";

/** `rush` as a process. The rest: test/cli/rush.test.ts, test/rush. */

const BIN = new URL("../../bin/qa-pay.js", import.meta.url).pathname;
const place = fresh(newPlace);

it("tells on Ctrl-C what it found so far, and leaves no shop behind", async () => {
  const [node, file] = writeSmallShop(place.folder);
  const noted = join(place.folder, "shop.json");
  const note = `require("node:fs").writeFileSync("shop.json", JSON.stringify({ port: process.env.PORT, pid: process.pid }));`;
  writeFileSync(file, `${note}\n${readFileSync(file, "utf8")}`);
  const words = ["rush", "--json", "--for", "1h", "--think", "0s", "--buy", "/buy", "--orders", "/orders"];
  const child = spawn(node, [BIN, ...words, "--", node, file], { cwd: place.folder, env: place.env });
  const [out, err, closed] = [text(child.stdout), text(child.stderr), once(child, "close")];
  await expect.poll(() => existsSync(noted) && readFileSync(noted, "utf8"), PATIENCE).toContain("}");
  const { port, pid } = JSON.parse(readFileSync(noted, "utf8"));
  const orders = () =>
    fetch(`http://127.0.0.1:${port}/orders`).then(
      (one) => one.text(),
      () => "",
    );
  await expect.poll(orders, PATIENCE).toContain('"fulfilled":1');
  child.kill("SIGINT");
  expect([await closed, await err]).toEqual([[0, null], ""]);
  const told = JSON.parse(await out);
  expect(told).toMatchObject({ refused: 0, undelivered: 0, differences: [] });
  expect(told.paid).toBeGreaterThan(0);
  expect(await orders()).toBe("");
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});
