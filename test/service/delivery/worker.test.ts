import { createServer } from "node:https";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import type { Loose } from "../../support/emulator.js";
import type { Receiver, Reply } from "../../support/receiver.js";
import { SELF_SIGNED } from "../../support/self-signed.js";
import { ownEmulator, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { deliveries, settle, subscribe } from "../../support/webhooks.js";

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
const slow = sharedReceiver();

afterEach(async () => {
  receiver.replies.length = 0;
  receiver.respond = null;
  slow.respond = null;
  await settle(emulator);
  receiver.received.length = 0;
  slow.received.length = 0;
  await emulator.sandbox("/reset");
});

/** Makes `slow` hold every request until `release` is called; `arrived` tells that the first one is there. */
function holdBack(): { arrived: Promise<void>; release: () => void } {
  const held: ((reply: Reply) => void)[] = [];
  const arrived = new Promise<void>((arrive) => {
    slow.respond = () =>
      new Promise((resolve) => {
        held.push(resolve);
        arrive();
      });
  });
  return {
    arrived,
    release() {
      slow.respond = null;
      for (const answer of held) answer({ status: 200 });
    },
  };
}

const stats = async () => (await emulator.call("GET", "/v1/webhooks/stats")).body;

it("advancing the clock answers only when the attempts that fall due have ended and are recorded", async () => {
  const { arrived, release } = holdBack();
  await subscribe(emulator, slow.url, ["charge.created"]);
  await emulator.charge();
  let answered = false;
  const advancing = settle(emulator).then(() => {
    answered = true;
  });
  await arrived;
  for (let index = 0; index < 5; index++) await emulator.sandbox("/clock");
  expect(answered).toBe(false);
  release();
  await advancing;
  expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
});

it("many events at once all arrive, once for each subscription", async () => {
  await subscribe(emulator, receiver.url, ["charge.created", "charge.paid"]);
  await subscribe(emulator, slow.url, ["charge.created"]);
  const charges = await Promise.all(Array.from({ length: 70 }, () => emulator.charge()));
  await Promise.all(charges.slice(0, 20).map(({ id }) => emulator.sandbox(`/charges/${id}/pay`)));
  await settle(emulator);
  const seen = (from: Receiver, type: string) =>
    from.received
      .filter((request) => request.type === type)
      .map(({ body }) => body.data.object.id)
      .sort();
  const ids = charges.map(({ id }: Loose) => id).sort();
  expect(seen(receiver, "charge.created")).toEqual(ids);
  expect(seen(slow, "charge.created")).toEqual(ids);
  expect(seen(receiver, "charge.paid")).toEqual(
    charges
      .slice(0, 20)
      .map(({ id }: Loose) => id)
      .sort(),
  );
  expect(await stats()).toMatchObject({ total: 160, DELIVERED: 160 });
  const events = new Set(receiver.received.map(({ body }) => body.id));
  expect(events.size).toBe(90);
});

it("a running clock retries by itself", async () => {
  const running = await ownEmulator({ retryBaseMs: 5 });
  receiver.replies.push({ status: 500 }, { status: 500 });
  await subscribe(running, receiver.url, ["charge.created"]);
  await running.charge();
  await receiver.waitFor(3);
  await settle(running);
  expect(await deliveries(running)).toMatchObject([{ status: "DELIVERED", attempts: 3 }]);
});

it.each([
  [
    false,
    { status: "PENDING", attempts: 1, lastStatusCode: null, lastError: expect.stringMatching(/TLS certificate/) },
  ],
  [true, { status: "DELIVERED", attempts: 1, lastStatusCode: 200, lastError: null }],
])("a receiver with a self-signed certificate with --insecure-webhook-tls %s", async (insecureWebhookTls, expected) => {
  const server = createServer(SELF_SIGNED, (request, response) => {
    request.resume();
    request.on("end", () => response.end());
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const other = await ownEmulator({ frozen: true, insecureWebhookTls });
  await subscribe(other, `https://localhost:${port}/`, ["charge.created"]);
  await other.charge();
  await settle(other);
  expect(await deliveries(other)).toMatchObject([expected]);
});

describe("the forward endpoint", () => {
  it("gets every event of the test key and is listed like any other", async () => {
    const forwarding = await ownEmulator({ frozen: true, forwardTo: receiver.url });
    expect(forwarding.forward).toEqual({
      endpointId: expect.stringMatching(/^we_/),
      url: receiver.url,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { data } = (await forwarding.call("GET", "/v1/webhooks/endpoints")).body;
    expect(data).toMatchObject([{ id: forwarding.forward?.endpointId, url: receiver.url, status: "ACTIVE" }]);
    await forwarding.charge();
    await forwarding.charge({}, { key: forwarding.live });
    await settle(forwarding);
    expect(receiver.received.map(({ type }) => type).sort()).toEqual(["charge.created", "payment.created"]);
  });

  it("gets only the events that it chose", async () => {
    const forwarding = await ownEmulator({
      frozen: true,
      forwardTo: receiver.url,
      events: ["charge.created"],
    });
    await forwarding.charge();
    await settle(forwarding);
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.created"]);
  });
});
