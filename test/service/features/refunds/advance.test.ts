import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { balance, eventsOf } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { readPayment } from "../../../support/payments.js";
import { advanceRefund, paidPayment, postAdvance, refund, refundsOf } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../../support/shared.js";
import { advance, settle } from "../../../support/webhooks.js";

/** Errors that the server logged outside of requests. */
const complaints: unknown[] = [];
const log = { warn: (text: string) => complaints.push(text), error: (text: string) => complaints.push(text) };
const emulator = sharedEmulator({ frozen: true, log });
beforeEach(() => emulator.sandbox("/reset"));
afterEach(() => expect(complaints.splice(0)).toEqual([]));

const STATES = ["PENDING", "IN_PROGRESS", "REFUNDED", "FAILED"] as const;
type State = (typeof STATES)[number];

const paid = async (amount = 1000): Promise<string> => (await paidPayment(emulator, { amount })).id;
const statusOf = async (id: string) => (await readPayment(emulator, id)).status;
const newest = async (id: string): Promise<Loose> => (await refundsOf(emulator, id))[0];
const available = async () => (await balance(emulator)).available;
const told = async (id: string) => (await eventsOf(emulator, id)).filter((name) => name === "payment.refunded").length;

/** A refund of 400 of 1000 that has got as far as `state`. */
async function refundAt(state: State): Promise<{ payment: string; id: string }> {
  const payment = await paid();
  const { id } = await refund(emulator, payment, { amount: 400 });
  if (state !== "PENDING") await advanceRefund(emulator, id, state);
  return { payment, id };
}

/** The number of steps between each pair of states. Pairs that are not listed are refused. */
const STEPS: Partial<Record<`${State} ${State}`, number>> = {
  "PENDING IN_PROGRESS": 1,
  "PENDING REFUNDED": 2,
  "PENDING FAILED": 2,
  "IN_PROGRESS REFUNDED": 1,
  "IN_PROGRESS FAILED": 1,
};
const PAIRS = STATES.flatMap((from) => STATES.slice(1).map((to) => [from, to] as const));

describe("a refund that the acquirer advances", () => {
  it.each(PAIRS)("from %s to %s", async (from, to) => {
    const { payment, id } = await refundAt(from);
    const [before, events, money] = [await newest(payment), await told(payment), await available()];
    const steps = STEPS[`${from} ${to}`];
    const answer = await postAdvance(emulator, id, to);
    if (steps === undefined) {
      expectRefused(answer, "invalid_request");
      expect([await newest(payment), await told(payment), await available()]).toEqual([before, events, money]);
      return;
    }
    expect([answer.status, answer.body.status]).toEqual([200, to]);
    expect(await newest(payment)).toStrictEqual(answer.body);
    expect(await told(payment)).toBe(events + steps);
    expect(await available()).toBe(to === "FAILED" ? 1000 : 600);
  });

  it("shows the reason of a failure, and no reason otherwise", async () => {
    const failed = await refundAt("FAILED");
    expect((await newest(failed.payment)).failureReason).toMatch(/\S/);
    const done = await refundAt("REFUNDED");
    expect((await newest(done.payment)).failureReason).toBeNull();
  });
});

describe("a refund that is left alone", () => {
  const statusAt = async (id: string, seconds: number) => {
    await advance(emulator, seconds);
    return (await newest(id)).status;
  };

  it("takes a step every two seconds, to the millisecond", async () => {
    const id = await paid();
    await refund(emulator, id);
    expect(await statusAt(id, 1.999)).toBe("PENDING");
    expect(await statusAt(id, 0.001)).toBe("IN_PROGRESS");
    expect(await statusAt(id, 1.999)).toBe("IN_PROGRESS");
    expect(await statusOf(id)).toBe("PAID");
    expect(await statusAt(id, 0.001)).toBe("REFUNDED");
    expect(await statusOf(id)).toBe("REFUNDED");
  });

  it("takes both in one long step of the clock, each at its own instant", async () => {
    const id = await paid();
    const { createdAt } = await refund(emulator, id);
    await advance(emulator, 3_600);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.refunded`);
    const instants = data.map(({ created_at }: Loose) => (Date.parse(created_at) - Date.parse(createdAt)) / 1_000);
    expect(instants).toEqual([4, 2]);
  });

  it.each([
    ["minutes", 90_000],
    ["no time at all", 0],
  ])("takes %s a step when it is set so", async (_what, refundDelayMs) => {
    const slow = await ownEmulator({ frozen: true, refundDelayMs });
    const { id } = await paidPayment(slow);
    await refund(slow, id);
    const seen: string[] = [];
    for (let step = 0; step < 2; step += 1) {
      await advance(slow, refundDelayMs / 1_000);
      seen.push((await refundsOf(slow, id))[0]?.status);
    }
    expect(seen).toEqual(refundDelayMs === 0 ? ["REFUNDED", "REFUNDED"] : ["IN_PROGRESS", "REFUNDED"]);
  });

  it("loses no step when the clock is moved in the same instant", async () => {
    const quick = await ownEmulator({ frozen: true, refundDelayMs: 0 });
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const { id } = await paidPayment(quick);
      await Promise.all([refund(quick, id), advance(quick, 0), advance(quick, 0), advance(quick, 0)]);
      ids.push(id);
    }
    await settle(quick);
    for (const id of ids) expect((await refundsOf(quick, id))[0]?.status).toBe("REFUNDED");
  });

  it("goes on from where the simulator has taken it", async () => {
    const id = await paid();
    const { id: refundId } = await refund(emulator, id);
    await advance(emulator, 1.5);
    await advanceRefund(emulator, refundId, "IN_PROGRESS");
    // The step that was planned for the second second has been taken already.
    expect(await statusAt(id, 1.999)).toBe("IN_PROGRESS");
    expect(await statusAt(id, 0.001)).toBe("REFUNDED");
    expect(await told(id)).toBe(2);
  });

  it.each(["REFUNDED", "FAILED"] as const)("stays %s once the simulator has ended it", async (end) => {
    for (const first of [null, "IN_PROGRESS"] as const) {
      const id = await paid();
      const { id: refundId } = await refund(emulator, id);
      if (first !== null) await advanceRefund(emulator, refundId, first);
      const ended = await advanceRefund(emulator, refundId, end);
      const [events, money] = [await eventsOf(emulator, id), await available()];
      await advance(emulator, 3_600);
      expect(await newest(id)).toStrictEqual(ended);
      expect([await eventsOf(emulator, id), await available()]).toEqual([events, money]);
    }
  });
});

describe("the payment of a refund", () => {
  it("becomes REFUNDED with the refund that completes its amount, no sooner", async () => {
    const id = await paid(1000);
    const accepted = async (amount: number): Promise<string> => (await refund(emulator, id, { amount })).id;
    const [first, second, third] = [await accepted(300), await accepted(699), await accepted(1)];
    expect(await statusOf(id)).toBe("PAID");
    await advanceRefund(emulator, third, "REFUNDED");
    await advanceRefund(emulator, second, "IN_PROGRESS");
    await advanceRefund(emulator, first, "REFUNDED");
    expect(await statusOf(id)).toBe("PAID");
    await advanceRefund(emulator, second, "REFUNDED");
    expect(await statusOf(id)).toBe("REFUNDED");
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("refunded");
  });

  it("keeps what it was paid with, when, and its fees", async () => {
    const id = await paid();
    const before = await readPayment(emulator, id);
    await refund(emulator, id);
    await advance(emulator, 4);
    expect(await readPayment(emulator, id)).toStrictEqual({ ...before, status: "REFUNDED" });
  });
});

describe("the wallet", () => {
  it("does not get the fees of the payment back", async () => {
    const platform = { fixed: 30, bps: 100 };
    const settings = { fees: { PIX: { provider: { fixed: 5, bps: 0 }, platform } } };
    const dear = await ownEmulator({ frozen: true, ...settings });
    const { id } = await paidPayment(dear, { amount: 1000 });
    expect((await balance(dear)).available).toBe(955);
    // Refundable is the gross amount.
    expect((await refund(dear, id)).amount).toBe(1000);
    await advance(dear, 4);
    expect([(await balance(dear)).available, (await readPayment(dear, id)).status]).toEqual([-45, "REFUNDED"]);
  });

  it("pays from what is available, also while the settled money is held", async () => {
    const slow = await ownEmulator({ frozen: true, settlementHoldMs: 86_400_000 });
    const { id } = await paidPayment(slow, { amount: 1000 });
    await refund(slow, id, { amount: 400 });
    expect(await balance(slow)).toMatchObject({ available: -400, pending: 1000, total: 600 });
    await advance(slow, 86_400);
    expect(await balance(slow)).toMatchObject({ available: 600, pending: 0, total: 600 });
  });
});
