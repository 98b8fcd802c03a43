import { once } from "node:events";
import { createServer } from "node:http";
import { test as base } from "qa-pay/vitest";
import { expect } from "vitest";
import { createShop } from "../shop/create-shop.mjs";

const webhookSecret = "5a".repeat(32);
let shop;

/** A server for the shop, and an emulator that forwards events to it. A worker of Vitest has one of each. */
const test = base.extend({
  shopUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of other fixtures from this pattern
    async ({}, use) => {
      const server = createServer((request, response) => shop(request, response));
      await once(server.listen(0, "127.0.0.1"), "listening");
      await use(`http://127.0.0.1:${server.address().port}`);
      server.close();
    },
    { scope: "worker" },
  ],
  emulatorOptions: [
    async ({ shopUrl }, use) => {
      await use({ forwardTo: `${shopUrl}/webhooks`, webhookSecret, events: ["charge.paid"] });
    },
    { scope: "worker" },
  ],
});

/** A new order: the address of its page, and the charge that the page shows. */
async function buy(emulator, shopUrl) {
  shop = createShop({ baseUrl: emulator.url, apiKey: emulator.testKey, webhookSecret });
  const bought = await fetch(`${shopUrl}/orders`, { method: "POST", redirect: "manual" });
  const order = shopUrl + bought.headers.get("location");
  const [charge] = /ch_[0-9a-f-]+/.exec(await pageOf(order));
  return { order, charge };
}

async function pageOf(url) {
  return (await fetch(url)).text();
}

test("an order is paid when the webhook says so", async ({ emulator, shopUrl }) => {
  const { order, charge } = await buy(emulator, shopUrl);
  await emulator.client["sandbox.charges.pay"]({ params: { id: charge } });
  await emulator.settled();
  expect(await pageOf(order)).toContain("Paid");
  expect(await emulator.deliveries({ subject: charge })).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
});

test("an order waits while its charge expires", async ({ emulator, shopUrl }) => {
  const { order, charge } = await buy(emulator, shopUrl);
  await emulator.advance("1d");
  await emulator.waitFor("charge.expired", { subject: charge });
  expect(await pageOf(order)).not.toContain("Paid");
});

test("a test begins with an empty emulator", async ({ emulator }) => {
  expect((await emulator.client["payments.list"]()).total).toBe(0);
});
