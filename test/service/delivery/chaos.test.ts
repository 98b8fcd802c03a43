import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Attempt } from "../../../src/service/delivery/attempt.js";
import { attemptsOf, chanceRuntime, emulatedNow, judge, setChaos } from "../../support/chaos.js";
import type { Loose } from "../../support/emulator.js";
import { act, emails, openCase } from "../../support/med.js";
import { ownEmulator, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import {
  advance,
  chargeAndSettle,
  deliveries,
  hmac,
  settle,
  signatureParts,
  subscribe,
} from "../../support/webhooks.js";

/** What each kind of chaos does to what a receiver gets, and what it leaves alone. */

const chance = chanceRuntime();
const emulator = sharedEmulator({ frozen: true, runtime: chance, maxAttempts: 4 });
const receiver = sharedReceiver();
let attempts: Attempt[];

beforeAll(() => {
  attempts = attemptsOf(emulator);
});
afterEach(async () => {
  await emulator.sandbox("/reset");
  receiver.respond = null;
  for (const kept of [receiver.replies, receiver.received, chance.draws, attempts]) kept.length = 0;
});

const now = () => emulatedNow(emulator);
const stats = async () => (await emulator.call("GET", "/v1/webhooks/stats")).body;
const signatureOf = (index: number) => receiver.received[index]?.headers["x-qa-signature"];
/** Ids of the charges that events were about, in order of arrival. */
const arrived = () => receiver.received.map(({ body }) => body.data.object.id);
/** What was told of each sending. */
const told = () => attempts.map(({ attempt, statusCode, chaos }) => [attempt, statusCode, ...chaos]);

/** An endpoint for charge.created, or for what is named. */
const listen = (...events: string[]) =>
  subscribe(emulator, receiver.url, events.length === 0 ? ["charge.created"] : events);

it("with everything off no random number is drawn", async () => {
  await listen("charge.created", "payment.created");
  const before = chance.drawn;
  await chargeAndSettle(emulator);
  expect([receiver.received.length, chance.drawn - before]).toEqual([2, 0]);
  expect(told()).toEqual([
    [1, 204],
    [1, 204],
  ]);
});

describe("duplicate", () => {
  it.each(["charge.created", "payment.created"])("sends %s once more, as the same delivery", async (event) => {
    const { secret } = await listen(event);
    await setChaos(emulator, { duplicate: 1 });
    await chargeAndSettle(emulator);
    const [first, second] = receiver.received;
    expect(receiver.received).toHaveLength(2);
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers["x-qa-delivery-id"]).toBe(first?.headers["x-qa-delivery-id"]);
    const at = await now();
    expect(receiver.received.map((request) => judge(request, secret, at))).toEqual(["good", "good"]);
    expect(told()).toEqual([
      [1, 204],
      [1, 204, "duplicate"],
    ]);
  });

  it("is signed anew", async () => {
    await listen();
    await setChaos(emulator, { duplicate: 1, stale_timestamp: 0.5 });
    chance.draws.push(0.9, 0, 0.1);
    await chargeAndSettle(emulator);
    const [first, second] = [signatureParts(signatureOf(0)), signatureParts(signatureOf(1))];
    expect(first.t - second.t).toBeGreaterThanOrEqual(600);
    expect(told()[1]).toEqual([1, 204, "duplicate", "stale_timestamp"]);
  });

  it("changes nothing of the delivery, whatever is answered to it", async () => {
    await listen();
    await setChaos(emulator, { duplicate: 1 });
    receiver.replies.push({ status: 200 }, { status: 500, body: "seen already" });
    await chargeAndSettle(emulator);
    const delivered = { status: "DELIVERED", attempts: 1, lastStatusCode: 200, lastError: null, nextRetryAt: null };
    expect(await deliveries(emulator)).toMatchObject([delivered]);
    expect(await stats()).toMatchObject({ total: 1, DELIVERED: 1 });
    await advance(emulator, 86_400);
    expect(receiver.received).toHaveLength(2);
    expect(attempts[1]).toMatchObject({ status: "DELIVERED", statusCode: 500, responseBody: "seen already" });
  });

  it("is of what has arrived alone: a failed attempt has its retry", async () => {
    await listen();
    await setChaos(emulator, { duplicate: 1 });
    receiver.replies.push({ status: 500 });
    await chargeAndSettle(emulator);
    expect(receiver.received).toHaveLength(1);
    await advance(emulator, 10);
    expect(told()).toEqual([
      [1, 500],
      [2, 204],
      [2, 204, "duplicate"],
    ]);
  });

  it("comes with its probability", async () => {
    await listen();
    await setChaos(emulator, { duplicate: 0.3 });
    chance.draws.push(0.29, 0.3, 0.99, 0);
    for (let index = 0; index < 4; index++) {
      await chargeAndSettle(emulator);
    }
    expect(told().map((line) => line.length > 2)).toEqual([false, true, false, false, false, true]);
  });

  it("does not follow an endpoint that was deleted meanwhile", async () => {
    const { id } = await listen();
    await setChaos(emulator, { duplicate: 1 });
    receiver.respond = async () => {
      await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
      return { status: 200 };
    };
    await chargeAndSettle(emulator);
    expect(receiver.received).toHaveLength(1);
    expect(await stats()).toMatchObject({ total: 1, DELIVERED: 1 });
  });
});

describe("delay_ms", () => {
  it("puts off the first attempt by exactly that, on the emulated clock", async () => {
    await listen();
    await setChaos(emulator, { delay_ms: 90_500 });
    await emulator.charge();
    await advance(emulator, 90.499);
    expect(await deliveries(emulator)).toMatchObject([{ status: "PENDING", attempts: 0, nextRetryAt: null }]);
    expect(receiver.received).toEqual([]);
    await advance(emulator, 0.001);
    expect(told()).toEqual([[1, 204, "delay_ms"]]);
    expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
  });

  it("leaves retries to their schedule", async () => {
    await listen();
    await setChaos(emulator, { delay_ms: 60_000 });
    receiver.replies.push({ status: 500 });
    await emulator.charge();
    await advance(emulator, 60);
    await advance(emulator, 9.999);
    expect(receiver.received).toHaveLength(1);
    await advance(emulator, 0.001);
    expect(told()).toEqual([
      [1, 500, "delay_ms"],
      [2, 204],
    ]);
  });

  it("that grows puts off no retry", async () => {
    await listen();
    receiver.replies.push({ status: 500 });
    await chargeAndSettle(emulator);
    await setChaos(emulator, { delay_ms: 60_000 });
    await advance(emulator, 10);
    expect(told()).toEqual([
      [1, 500],
      [2, 204],
    ]);
  });

  it("comes to its end by itself on a running clock", async () => {
    const running = await ownEmulator();
    await subscribe(running, receiver.url, ["charge.created"]);
    await running.charge();
    await settle(running);
    await setChaos(running, { delay_ms: 100 });
    const [{ id }] = (await deliveries(running)) as [Loose];
    await running.sandbox(`/webhooks/deliveries/${id}/resend`);
    await receiver.waitFor(2);
    await settle(running);
    expect(await deliveries(running)).toMatchObject([{ status: "DELIVERED", attempts: 1 }, { id }]);
  });

  it("puts off more than can be on their way at once", async () => {
    await listen();
    await setChaos(emulator, { delay_ms: 1_000 });
    await Promise.all(Array.from({ length: 150 }, () => emulator.charge()));
    await settle(emulator);
    expect(receiver.received).toEqual([]);
    await advance(emulator, 1);
    expect(receiver.received).toHaveLength(150);
    expect(await stats()).toMatchObject({ total: 150, DELIVERED: 150 });
  });

  it("that is turned off holds for what it put off already, and for nothing that comes", async () => {
    await listen();
    await setChaos(emulator, { delay_ms: 60_000 });
    const first = await emulator.charge();
    await settle(emulator);
    await setChaos(emulator, { delay_ms: 0 });
    const second = await emulator.charge();
    await settle(emulator);
    expect(arrived()).toEqual([second.id]);
    await advance(emulator, 60);
    expect(arrived()).toEqual([second.id, first.id]);
  });

  it("holds for a manual resend too", async () => {
    await listen();
    await chargeAndSettle(emulator);
    await setChaos(emulator, { delay_ms: 5_000 });
    const [{ id }] = (await deliveries(emulator)) as [Loose];
    await emulator.sandbox(`/webhooks/deliveries/${id}/resend`);
    await settle(emulator);
    expect(receiver.received).toHaveLength(1);
    await advance(emulator, 5);
    expect(receiver.received).toHaveLength(2);
  });
});

describe("corrupt_signature", () => {
  it.each([
    ["charge.created", /^t=\d+,v1=[0-9a-f]{64}$/],
    ["payment.created", /^sha256=[0-9a-f]{64}$/],
  ])(
    "changes the digest of %s to a wrong one in the right form, with a draw of its own for the retry",
    async (event, form) => {
      const { secret } = await listen(event);
      await setChaos(emulator, { corrupt_signature: 0.5 });
      chance.draws.push(0.49, 0.5);
      receiver.respond = async (request) => ({
        status: judge(request, secret, await now()) === "good" ? 200 : 401,
      });
      await chargeAndSettle(emulator);
      expect(signatureOf(0)).toMatch(form);
      expect(await deliveries(emulator)).toMatchObject([{ status: "PENDING", attempts: 1, lastStatusCode: 401 }]);
      await advance(emulator, 10);
      expect(told()).toEqual([
        [1, 401, "corrupt_signature"],
        [2, 200],
      ]);
      expect(receiver.received[1]?.raw).toBe(receiver.received[0]?.raw);
      expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 2 }]);
    },
  );

  it("is always wrong at 1, and spares the last attempt below that", async () => {
    const { secret } = await listen();
    await setChaos(emulator, { corrupt_signature: 1, stale_timestamp: 1 });
    receiver.respond = () => ({ status: 401 });
    await emulator.charge();
    await advance(emulator, 70);
    const at = await now();
    const all = receiver.received.map((request) => judge(request, secret, at));
    expect(all).toEqual(["forged", "forged", "forged", "forged"]);
    expect(new Set(receiver.received.map((_, index) => signatureParts(signatureOf(index)).v1)).size).toBe(4);
    expect(told().at(-1)).toEqual([4, 401, "corrupt_signature", "stale_timestamp"]);
    receiver.received.length = 0;
    await setChaos(emulator, { corrupt_signature: 0.999_999, stale_timestamp: 0.999_999 });
    await emulator.charge();
    await advance(emulator, 70);
    const later = await now();
    expect(receiver.received.map((request) => judge(request, secret, later))).toEqual([
      ...["forged", "forged", "forged"],
      "good",
    ]);
  });
});

describe("stale_timestamp", () => {
  it("signs a canonical event correctly, over an instant ten minutes ago or more", async () => {
    const { secret } = await listen();
    await setChaos(emulator, { stale_timestamp: 1 });
    await chargeAndSettle(emulator);
    const { t, v1 } = signatureParts(signatureOf(0));
    expect((await now()) / 1_000 - t).toBeGreaterThan(600);
    expect(v1).toBe(hmac(secret, `${t}.${receiver.received[0]?.raw}`));
    expect(told()).toEqual([[1, 204, "stale_timestamp"]]);
  });

  it("changes nothing in a legacy event, which has no timestamp", async () => {
    const { secret } = await listen("payment.created");
    await setChaos(emulator, { stale_timestamp: 1 });
    await chargeAndSettle(emulator);
    expect(signatureOf(0)).toBe(`sha256=${hmac(secret, String(receiver.received[0]?.raw))}`);
    expect(told()).toEqual([[1, 204]]);
  });

  it("goes with a wrong digest", async () => {
    const { secret } = await listen();
    await setChaos(emulator, { stale_timestamp: 1, corrupt_signature: 1 });
    await chargeAndSettle(emulator);
    const { t, v1 } = signatureParts(signatureOf(0));
    expect((await now()) / 1_000 - t).toBeGreaterThan(600);
    expect(v1).not.toBe(hmac(secret, `${t}.${receiver.received[0]?.raw}`));
    expect(told()).toEqual([[1, 204, "corrupt_signature", "stale_timestamp"]]);
  });
});

describe("lose_med", () => {
  const MED = ["med_case.created", "med_case.updated", "med.resolved"];
  const names = async (id: string) =>
    (await emulator.sandbox(`/events?subject=${id}`)).data.map(({ type }: Loose) => type).reverse();

  it("leaves events of a case out of log and deliveries, while the case, its charge and its mail are as ever", async () => {
    await listen(...MED, "payment.failed");
    await setChaos(emulator, { lose_med: 1 });
    const { id, charge_id } = await openCase(emulator);
    await act(emulator, id, "request-evidence");
    await act(emulator, id, "accept");
    await advance(emulator, 86_400);
    expect(await names(id)).toEqual([]);
    expect((await deliveries(emulator)).map(({ eventType }) => eventType)).toEqual(["payment.failed"]);
    expect(receiver.received.map(({ type }) => type)).toEqual(["payment.failed"]);
    // What an integrator reconciles with.
    const { body } = await emulator.call("GET", `/v1/med/cases?charge_id=${charge_id}`);
    expect(body.data).toMatchObject([{ id, status: "accepted", money_outcome: "lost" }]);
    expect((await emulator.call("GET", `/v1/charges/${charge_id}`)).body.status).toBe("disputed");
    expect((await emails(emulator)).map(({ kind }) => kind)).toEqual(["MED resolved", "MED opened"]);
  });

  it("draws for each event by itself, and never publishes a lost event later", async () => {
    await setChaos(emulator, { lose_med: 0.5 });
    chance.draws.push(0.49, 0.5, 0.1);
    const { id } = await openCase(emulator);
    await act(emulator, id, "accept");
    expect(await names(id)).toEqual(["med_case.updated"]);
    await setChaos(emulator, { lose_med: 0 });
    await advance(emulator, 86_400);
    expect(await names(id)).toEqual(["med_case.updated"]);
  });

  it("draws nothing when it is off, and changes no other event when it is on", async () => {
    const before = chance.drawn;
    await openCase(emulator);
    expect(chance.drawn - before).toBe(0);
    await setChaos(emulator, { lose_med: 1 });
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    expect(await names(id)).toEqual([
      ...["charge.created", "payment.created"],
      ...["charge.paid", "payment.completed", "payment.status_changed"],
    ]);
  });

  it("holds for the case that a scenario opens by itself", async () => {
    await setChaos(emulator, { lose_med: 1 });
    const { id } = await emulator.charge({ metadata: { _sandbox: { pay_after: 0, med_after: 60 } } });
    await advance(emulator, 60);
    const { body } = await emulator.call("GET", `/v1/med/cases?charge_id=${id}`);
    expect([body.data.length, await names(body.data[0].id)]).toEqual([1, []]);
  });
});
