import { describe, expect, it } from "vitest";
import { startDelivering } from "../../support/delivering.js";
import { ownReceiver } from "../../support/shared.js";
import { advance, chargeAndSettle, deliveries, hmac, signatureParts, subscribe } from "../../support/webhooks.js";

const { emulator, receiver } = startDelivering();

const now = async () => Date.parse((await emulator.sandbox("/clock")).now);
const iso = (at: number) => new Date(at).toISOString();

async function one() {
  const [delivery] = await deliveries(emulator);
  return delivery;
}

/** Seconds from the end of each failed attempt to the next one. */
const DELAYS = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 10_240, 20_480, 21_600, 21_600];

it("fifteen attempts are sent at exactly these instants, then the delivery is a dead letter", async () => {
  receiver.respond = () => ({ status: 500, body: `failure ${receiver.received.length}` });
  const { secret } = await subscribe(emulator, receiver.url, ["charge.created"]);
  await chargeAndSettle(emulator);
  let attempts = 1;
  for (const delay of DELAYS) {
    const at = await now();
    expect(await one()).toMatchObject({
      status: "PENDING",
      attempts,
      lastStatusCode: 500,
      lastError: "the endpoint answered 500",
      lastResponseBody: `failure ${attempts}`,
      nextRetryAt: iso(at + delay * 1_000),
      deliveredAt: null,
      updatedAt: iso(at),
    });
    await advance(emulator, delay - 0.001);
    expect(receiver.received).toHaveLength(attempts);
    await advance(emulator, 0.001);
    attempts += 1;
    expect(receiver.received).toHaveLength(attempts);
    const last = receiver.received.at(-1);
    const { t, v1 } = signatureParts(last?.headers["x-qa-signature"]);
    expect(v1).toBe(hmac(secret, `${t}.${last?.raw}`));
  }
  expect(await one()).toMatchObject({
    status: "FAILED",
    attempts: 15,
    maxAttempts: 15,
    lastStatusCode: 500,
    lastResponseBody: "failure 15",
    nextRetryAt: null,
    deliveredAt: null,
  });
  await advance(emulator, 30 * 86_400);
  expect(receiver.received).toHaveLength(15);
  expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["x-qa-delivery-id"])).size).toBe(1);
});

describe("a retry", () => {
  it.each([
    ["seconds", () => "90", 90],
    ["a date of the receiver's own clock", (at: number) => new Date(at + 90_000).toUTCString(), 90],
    ["no delay at all", () => "0", 10],
    ["less than a second", (at: number) => new Date(at + 999).toISOString(), 10],
    ["what cannot be read", () => "tomorrow", 10],
  ])("after 429 waits as Retry-After says in %s", async (_what, header, seconds) => {
    const date = new Date("2026-01-01T00:00:00Z");
    receiver.replies.push({
      status: 429,
      headers: { "retry-after": header(date.getTime()), date: date.toUTCString() },
    });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    const at = await now();
    expect(await one()).toMatchObject({ lastStatusCode: 429, nextRetryAt: iso(at + seconds * 1_000) });
    await advance(emulator, seconds - 0.001);
    expect(receiver.received).toHaveLength(1);
    await advance(emulator, 0.001);
    expect(receiver.received).toHaveLength(2);
    expect(await one()).toMatchObject({ status: "DELIVERED", attempts: 2 });
  });

  it("after Retry-After goes on with the schedule of its number", async () => {
    receiver.replies.push({ status: 429, headers: { "retry-after": "1" } }, { status: 500 });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge();
    await advance(emulator, 1);
    expect(await one()).toMatchObject({ attempts: 2, nextRetryAt: iso((await now()) + 20_000) });
  });

  it("does not listen to Retry-After of another status", async () => {
    receiver.replies.push({ status: 503, headers: { "retry-after": "1" } });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    expect((await one()).nextRetryAt).toBe(iso((await now()) + 10_000));
  });

  it.each([301, 302, 303, 307, 308])("follows %i, which is a failure and leads nowhere", async (status) => {
    const elsewhere = await ownReceiver();
    receiver.replies.push({ status, headers: { location: elsewhere.url }, body: "moved" });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    expect(await one()).toMatchObject({
      status: "PENDING",
      lastStatusCode: status,
      lastError: `the endpoint answered ${status}`,
      lastResponseBody: "moved",
    });
    await advance(emulator, 10);
    expect([receiver.received.length, elsewhere.received.length]).toEqual([2, 0]);
  });
});
