import { describe, expect, it } from "vitest";
import { startDelivering } from "../../../support/delivering.js";
import type { Loose } from "../../../support/emulator.js";
import { ownReceiver } from "../../../support/shared.js";
import {
  advance,
  chargeAndSettle,
  deliveries,
  hmac,
  settle,
  signatureParts,
  subscribe,
} from "../../../support/webhooks.js";

const { emulator, receiver } = startDelivering();

const change = (id: string, body: unknown) => emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body });
const resend = (id: string) => emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/resend`);
const idsReceived = () => receiver.received.map(({ headers }) => headers["x-qa-delivery-id"]);

/** Fires `count` charges at an endpoint that refuses the first attempt of each. */
async function failOnce(events = ["charge.created"]): Promise<Loose> {
  receiver.replies.push({ status: 500 });
  const endpoint = await subscribe(emulator, receiver.url, events);
  await chargeAndSettle(emulator);
  return endpoint;
}

describe("an INACTIVE endpoint", () => {
  it("gets its retries only when it is ACTIVE again, however late", async () => {
    const { id } = await failOnce();
    await change(id, { status: "INACTIVE" });
    await advance(emulator, 86_400);
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "PENDING", attempts: 1 });
    await change(id, { status: "ACTIVE" });
    await settle(emulator);
    expect(new Set(idsReceived()).size).toBe(1);
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "DELIVERED", attempts: 2 });
  });

  it("gets nothing of what happens meanwhile, also when it is ACTIVE again", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    await change(id, { status: "INACTIVE" });
    await chargeAndSettle(emulator);
    await change(id, { status: "ACTIVE" });
    await settle(emulator);
    expect([receiver.received, await deliveries(emulator)]).toEqual([[], []]);
  });

  it("keeps the time of a retry that is not due yet when it is ACTIVE again", async () => {
    const { id } = await failOnce();
    await change(id, { status: "INACTIVE" });
    await advance(emulator, 5);
    await change(id, { status: "ACTIVE" });
    await advance(emulator, 4.999);
    expect(receiver.received).toHaveLength(1);
    await advance(emulator, 0.001);
    expect(receiver.received).toHaveLength(2);
  });

  it("delays a delivery whose attempt was under way when it became INACTIVE", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.respond = async () => {
      receiver.respond = null;
      await change(id, { status: "INACTIVE" });
      return { status: 500 };
    };
    await emulator.charge();
    await advance(emulator, 3_600);
    expect(receiver.received).toHaveLength(1);
    await change(id, { status: "ACTIVE" });
    await settle(emulator);
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "DELIVERED", attempts: 2 });
  });

  it("parks a resend", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    await change(id, { status: "INACTIVE" });
    const again = await resend(String(idsReceived()[0]));
    expect([again.status, again.body.status]).toEqual([201, "PENDING"]);
    await advance(emulator, 60);
    expect(receiver.received).toHaveLength(1);
    await change(id, { status: "ACTIVE" });
    await settle(emulator);
    expect(idsReceived()[1]).toBe(again.body.id);
  });
});

describe("a deleted endpoint", () => {
  it.each([
    [200, "DELIVERED"],
    [204, "DELIVERED"],
    [302, "CANCELLED"],
    [404, "CANCELLED"],
    [429, "CANCELLED"],
    [500, "CANCELLED"],
  ])("has the answer of an attempt that was under way: after %i it is %s", async (code, status) => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.respond = async () => {
      await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
      return { status: code, headers: { "retry-after": "5" } };
    };
    await emulator.charge();
    await advance(emulator, 3_600);
    expect(receiver.received).toHaveLength(1);
    const [delivery] = await deliveries(emulator);
    expect(delivery).toMatchObject({ status, attempts: 1, lastStatusCode: code, nextRetryAt: null });
    expect(delivery.deliveredAt === null).toBe(status !== "DELIVERED");
    const { attempts_log } = await emulator.sandbox(`/webhooks/deliveries/${delivery.id}`);
    expect(attempts_log.map((one: Loose) => one.response.status)).toEqual([code]);
  });

  it("has a delivery that waits for its next attempt cancelled, with the answer of the last one", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.respond = () => ({ status: 500 });
    await chargeAndSettle(emulator);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
    await advance(emulator, 3_600);
    expect(receiver.received).toHaveLength(1);
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "CANCELLED", attempts: 1, lastStatusCode: 500 });
  });

  it("cannot be sent to again", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
    const answer = await resend(String(idsReceived()[0]));
    expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
    expect(await deliveries(emulator)).toHaveLength(1);
  });
});

describe("a resend", () => {
  it("is a new delivery of the same event", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge();
    const { now } = await advance(emulator, 60);
    const [first] = await deliveries(emulator);
    const answer = await resend(first.id);
    expect(answer.status).toBe(201);
    expect(answer.body).toStrictEqual({
      id: expect.stringMatching(/^wd_[0-9a-f-]{36}$/),
      endpointId: first.endpointId,
      eventType: "charge.created",
      status: "PENDING",
      attempts: 0,
      maxAttempts: 15,
      lastStatusCode: null,
      lastError: null,
      nextRetryAt: null,
      deliveredAt: null,
      createdAt: now,
      updatedAt: now,
      payload: first.payload,
    });
    expect(answer.body.id).not.toBe(first.id);
    await settle(emulator);
    expect(idsReceived()).toEqual([first.id, answer.body.id]);
    expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
    expect(await deliveries(emulator)).toHaveLength(2);
  });

  describe("to another URL", () => {
    const to = (id: string, url: unknown) =>
      emulator.call("POST", `/_sandbox/webhooks/deliveries/${id}/resend`, { body: { url } });
    const NOBODY = "http://127.0.0.1:9/";

    it("arrives there, signed with the secret of its endpoint, and is retried there", async () => {
      const { id, secret } = await subscribe(emulator, NOBODY, ["charge.created"]);
      await chargeAndSettle(emulator);
      const [first] = await deliveries(emulator);
      receiver.replies.push({ status: 500 });
      const answer = await to(first.id, receiver.url);
      expect([answer.status, answer.body.endpointId, answer.body.status]).toEqual([201, id, "PENDING"]);
      await advance(emulator, 9);
      expect(idsReceived()).toEqual([answer.body.id]);
      await advance(emulator, 1);
      expect(idsReceived()).toEqual([answer.body.id, answer.body.id]);
      for (const { headers, raw } of receiver.received) {
        const { t, v1 } = signatureParts(headers["x-qa-signature"]);
        expect(v1).toBe(hmac(secret, `${t}.${raw}`));
      }
      expect((await deliveries(emulator))[0]).toMatchObject({ id: answer.body.id, status: "DELIVERED", attempts: 2 });
      const again = await resend(answer.body.id);
      await settle(emulator);
      expect(idsReceived()[2]).toBe(again.body.id);
    });

    it.each(["INACTIVE", "deleted"])(
      "is sent even when the endpoint becomes %s before or after the resend",
      async (state) => {
        const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
        await chargeAndSettle(emulator);
        const [first] = await deliveries(emulator);
        receiver.replies.push({ status: 500 });
        const before = await to(first.id, `${receiver.url}/before`);
        await settle(emulator);
        if (state === "INACTIVE") await change(id, { status: "INACTIVE" });
        else await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
        const after = await to(first.id, `${receiver.url}/after`);
        await advance(emulator, 10);
        expect(receiver.received.map(({ path }) => path)).toEqual([
          "/webhooks",
          "/webhooks/before",
          "/webhooks/after",
          "/webhooks/before",
        ]);
        for (const { body } of [before, after])
          expect(await deliveries(emulator, "?status=DELIVERED")).toContainEqual(
            expect.objectContaining({ id: body.id }),
          );
      },
    );

    it.each([
      "http://example.com/hook",
      "ftp://127.0.0.1/",
      "https://user:word@example.com/",
      " http://127.0.0.1/",
      "not a url",
      "",
      7,
    ])("refuses %j, and nothing is sent", async (url) => {
      await subscribe(emulator, receiver.url, ["charge.created"]);
      await chargeAndSettle(emulator);
      const [{ id }] = await deliveries(emulator);
      const answer = await to(id, url);
      expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, "invalid_request", "url"]);
      expect(await deliveries(emulator)).toHaveLength(1);
    });
  });
});

it("a reset is not disturbed by an attempt that is on its way", async () => {
  let answer: () => void = () => undefined;
  const arrived = new Promise<void>((arrive) => {
    receiver.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 500 });
        arrive();
      });
  });
  await subscribe(emulator, receiver.url, ["charge.created"]);
  await emulator.charge();
  await arrived;
  await emulator.sandbox("/reset");
  // The new delivery has the row number of the forgotten one.
  const first = answer;
  const again = new Promise<void>((arrive) => {
    receiver.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200 });
        arrive();
      });
  });
  await subscribe(emulator, receiver.url, ["charge.created"]);
  await emulator.charge();
  await again;
  first();
  await emulator.sandbox("/clock");
  expect((await deliveries(emulator))[0]).toMatchObject({ status: "PROCESSING", attempts: 0 });
  answer();
  await settle(emulator);
  expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 1, lastStatusCode: 200 }]);
});

it("a rotated secret signs retries of what was first sent before, at once", async () => {
  const { id, secret } = await failOnce(["charge.created"]);
  const { body: rotated } = await emulator.call("POST", `/v1/webhooks/endpoints/${id}/rotate-secret`);
  await advance(emulator, 10);
  const signedWith = receiver.received.map(({ headers, raw }) => {
    const { t, v1 } = signatureParts(headers["x-qa-signature"]);
    return [secret, rotated.secret].findIndex((candidate) => hmac(candidate, `${t}.${raw}`) === v1);
  });
  expect(signedWith).toEqual([0, 1]);
  expect(new Set(idsReceived()).size).toBe(1);
});

it("a changed endpoint gets retries at its new URL", async () => {
  const { id } = await failOnce();
  const moved = await ownReceiver();
  await change(id, { url: moved.url });
  await advance(emulator, 10);
  expect([receiver.received.length, moved.received.length]).toEqual([1, 1]);
  expect(moved.received[0]?.raw).toBe(receiver.received[0]?.raw);
});
