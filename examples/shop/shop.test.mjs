import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { createEmulator } from "qa-pay";
import { createShop } from "./create-shop.mjs";

const secret = "5a".repeat(32);
let shop;
const server = createServer((request, response) => shop(request, response));
let address;
let emulator;
let client;

before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  address = `http://127.0.0.1:${server.address().port}`;
  emulator = await createEmulator({ forwardTo: `${address}/webhooks`, webhookSecret: secret, events: ["charge.paid"] });
  client = emulator.client;
  shop = createShop({ baseUrl: emulator.url, apiKey: emulator.testKey, webhookSecret: secret });
});

after(async () => {
  await emulator.close();
  server.close();
});

/** A new order: the address of its page, and the charge that the page shows. */
async function buy() {
  const bought = await fetch(`${address}/orders`, { method: "POST", redirect: "manual" });
  assert.equal(bought.status, 303);
  const order = address + bought.headers.get("location");
  const [charge] = /ch_[0-9a-f-]+/.exec(await read(order));
  return { order, charge };
}

async function read(url) {
  return (await fetch(url)).text();
}

test("an order shows its Pix code, and is paid when the webhook says so", async () => {
  const { order, charge } = await buy();
  const { pix } = await client["charges.get"]({ params: { id: charge } });
  assert((await read(order)).includes(pix.br_code));

  await client["sandbox.charges.pay"]({ params: { id: charge }, body: {} });
  await emulator.settled();
  assert.match(await read(order), /Paid/);
});

test("an order is paid however far the clock was moved", async () => {
  await emulator.advance("1d");
  const { order, charge } = await buy();
  await client["sandbox.charges.pay"]({ params: { id: charge }, body: {} });
  await emulator.settled();
  assert.match(await read(order), /Paid/);
});

test("a payment of another amount goes back to the payer, and the order waits", async () => {
  const { order, charge } = await buy();
  const { outcome } = await client["sandbox.charges.pay"]({ params: { id: charge }, body: { amount: 1 } });
  assert.equal(outcome, "returned");
  await emulator.settled();
  assert.doesNotMatch(await read(order), /Paid/);
});

test("a webhook that somebody else made, or made long ago, changes nothing", async () => {
  const { order, charge } = await buy();
  const object = { id: charge, metadata: { order: order.split("/").at(-1) } };
  const body = JSON.stringify({ id: "evt_1", type: "charge.paid", data: { object } });
  const now = Math.floor(Date.now() / 1_000);
  for (const [t, key] of [
    [now, "another secret"],
    [now - 3_600, secret],
  ]) {
    const v1 = createHmac("sha256", key).update(`${t}.${body}`).digest("hex");
    const headers = { "x-qa-signature": `t=${t},v1=${v1}` };
    const { status } = await fetch(`${address}/webhooks`, { method: "POST", headers, body });
    assert.equal(status, 400);
  }
  assert.doesNotMatch(await read(order), /Paid/);
});
