import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { launch, newPlace, QA_PAY } from "../support/binary.js";
import { fresh } from "../support/shared.js";

/** What only the process of `demo` can show: how it ends. */

const place = fresh(newPlace);

async function start() {
  const running = launch(place, [...QA_PAY, "demo", "--json", "--port", "0", "--shop-port", "0"]);
  const { url, shop_url: shop } = JSON.parse(await running.says(/^\{"event":"ready".*\}$/m));
  expect((await fetch(shop)).status).toBe(200);
  return { ...running, addresses: [url, shop] as const };
}

const filesLeft = () => readdirSync(place.folder);

it.each(["SIGINT", "SIGTERM"] as const)("%s ends the shop and the service without an error", async (signal) => {
  const { child, ended, addresses } = await start();
  child.kill(signal);
  expect((await ended).code).toBe(0);
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow("fetch failed");
  expect(filesLeft()).toEqual([]);
});

it.each(["SIGHUP", "SIGKILL"] as const)("%s, as when a terminal goes away, leaves nothing either", async (signal) => {
  const { child, ended, addresses } = await start();
  child.kill(signal);
  await ended;
  for (const address of addresses) await expect(fetch(address)).rejects.toThrow("fetch failed");
  expect(filesLeft()).toEqual([]);
});
