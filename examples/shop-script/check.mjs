import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createEmulator } from "qa-pay";
import { createShop } from "../shop/shop.mjs";

const webhookSecret = "5a".repeat(32);
let shop;
const server = createServer((request, response) => shop(request, response));
await once(server.listen(0, "127.0.0.1"), "listening");
const shopUrl = `http://127.0.0.1:${server.address().port}`;
const emulator = await createEmulator({ forwardTo: `${shopUrl}/webhooks`, webhookSecret, events: ["charge.paid"] });

try {
  shop = createShop({ baseUrl: emulator.url, apiKey: emulator.testKey, webhookSecret });
  const bought = await fetch(`${shopUrl}/orders`, { method: "POST", redirect: "manual" });
  const order = shopUrl + bought.headers.get("location");
  const [charge] = /ch_[0-9a-f-]+/.exec(await (await fetch(order)).text());

  await emulator.client["sandbox.charges.pay"]({ params: { id: charge } });
  const event = await emulator.waitFor("charge.paid", { subject: charge });
  assert.equal(event.data.object.amount, 1990);
  await emulator.settled();
  assert.match(await (await fetch(order)).text(), /Paid/);
  console.log("The order is paid.");
} finally {
  await emulator.close();
  server.close();
}
