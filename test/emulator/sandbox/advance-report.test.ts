import { afterEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedEmulator } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";

/** The report of an advance of the clock, and advances to the next due work. */

const emulator = sharedEmulator({ frozen: true });
afterEach(async () => {
  await emulator.sandbox("/reset");
});

const NOBODY = "http://127.0.0.1:9/";
const show = () => emulator.sandbox("/clock");
const due = async (key = emulator.key) =>
  (await emulator.call("GET", "/_sandbox/clock/due?limit=100", { key })).body.data;
const toNext = async (key = emulator.key) =>
  (await emulator.call("POST", "/_sandbox/clock/advance", { body: { to: "next" }, key })).body;
const plus = (instant: string, seconds: number) => new Date(Date.parse(instant) + seconds * 1_000).toISOString();
const texts = ({ ran }: Loose) => ran.map(({ text }: Loose) => text);
const marked = ({ ran }: Loose) => ran.map(({ made_on_the_way }: Loose) => made_on_the_way);

describe("an advance reports", () => {
  it("the work that was done, with the entries of the list of due work", async () => {
    await emulator.charge({ expires_in: 60 });
    await emulator.charge({ expires_in: 90 });
    const before = await due();
    const answer = await advance(emulator, 90);
    expect(answer.ran).toStrictEqual(before.map((entry: Loose) => ({ ...entry, made_on_the_way: false })));
    expect(answer.ran_count).toBe(2);
  });

  it("work that was created during the advance, and marks it", async () => {
    const { id } = await refund(emulator, (await paidPayment(emulator)).id);
    await subscribe(emulator, NOBODY, ["payment.refunded"]);
    const answer = await advance(emulator, 5);
    expect(texts(answer)).toEqual([
      "refund moves from requested to in progress",
      `attempt 1 of payment.refunded to ${NOBODY}`,
      "refund moves from in progress to refunded",
      `attempt 1 of payment.refunded to ${NOBODY}`,
    ]);
    expect(marked(answer)).toEqual([false, true, true, true]);
    expect(answer.ran[0].subject).toBe(id);
  });

  it("a retry as known before, and the later retries as created during the advance", async () => {
    await subscribe(emulator, NOBODY, ["charge.created"]);
    await emulator.charge({ expires_in: 86_400 });
    await settle(emulator);
    const answer = await advance(emulator, 30);
    expect(texts(answer)).toEqual([2, 3].map((number) => `attempt ${number} of charge.created to ${NOBODY}`));
    expect(marked(answer)).toEqual([false, true]);
    expect(marked(await advance(emulator, 40))).toEqual([false]);
  });

  it("no work that had no effect any more", async () => {
    const { id } = await emulator.charge({ expires_in: 600, metadata: { _sandbox: { pay_after: 5 } } });
    await emulator.sandbox(`/charges/${id}/pay`);
    expect(await advance(emulator, 86_400)).toMatchObject({ ran: [], ran_count: 0 });
  });

  it("no work that an earlier advance created", async () => {
    const { id } = await emulator.charge({ expires_in: 600, metadata: { _sandbox: { pay_after: 5, med_after: 5 } } });
    const first = await advance(emulator, 5);
    expect([texts(first), marked(first)]).toEqual([["charge is paid"], [false]]);
    const second = await advance(emulator, 5);
    expect([texts(second), marked(second), second.ran[0].subject]).toEqual([
      ["payer's bank opens a MED case"],
      [false],
      id,
    ]);
  });

  it("the first hundred entries, and the number of all", async () => {
    for (let index = 0; index < 103; index++) await emulator.charge({ expires_in: 60 });
    const before = await due();
    const { ran, ran_count } = await advance(emulator, 60);
    expect([ran.length, ran_count]).toEqual([100, 103]);
    expect(ran.map(({ subject }: Loose) => subject)).toEqual(before.map(({ subject }: Loose) => subject));
  });

  it("only work of the account and mode of its caller", async () => {
    await emulator.charge({ expires_in: 60 });
    const key = emulator.live;
    await emulator.charge({ expires_in: 60 }, { key });
    const own = await due(key);
    const { body } = await emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 60 }, key });
    expect(body.ran).toEqual(own.map((entry: Loose) => ({ ...entry, made_on_the_way: false })));
    expect(await due()).toEqual([]);
  });
});

describe("to: next", () => {
  it("goes exactly to the next due work and does it", async () => {
    const { now } = await show();
    const { id } = await emulator.charge({ expires_in: 60 });
    await emulator.charge({ expires_in: 61 });
    const answer = await toNext();
    expect(answer).toMatchObject({ now: plus(now, 60), frozen: true, ran_count: 1, ran: [{ subject: id }] });
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("expired");
    expect((await toNext()).now).toBe(plus(now, 61));
  });

  it("leaves the clock where it is when nothing is due, and says that nothing was done", async () => {
    const before = await show();
    expect(await toNext()).toStrictEqual({ ...before, ran: [], ran_count: 0 });
  });

  it("passes work of other accounts and modes, and does it", async () => {
    const { now } = await show();
    const key = emulator.live;
    const { id } = await emulator.charge({ expires_in: 60 }, { key });
    expect((await toNext()).now).toBe(now);
    await emulator.charge({ expires_in: 90 });
    expect(await toNext()).toMatchObject({ now: plus(now, 90), ran_count: 1 });
    expect((await emulator.call("GET", `/v1/charges/${id}`, { key })).body.status).toBe("expired");
  });

  it("does not stop for work that would do nothing", async () => {
    const { now } = await show();
    const { id } = await emulator.charge({ expires_in: 600, metadata: { _sandbox: { pay_after: 5 } } });
    await emulator.sandbox(`/charges/${id}/pay`);
    expect(await toNext()).toMatchObject({ now, ran: [] });
  });

  it("first finishes the work that is due already", async () => {
    const { now } = await show();
    await subscribe(emulator, NOBODY, ["charge.created"]);
    await emulator.charge({ expires_in: 600 });
    expect((await toNext()).now).toBe(plus(now, 10));
  });

  it.each(["Next", "next ", "soon"])("is not written %j", async (to) => {
    const before = await show();
    await emulator.charge({ expires_in: 60 });
    const answer = await emulator.call("POST", "/_sandbox/clock/advance", { body: { to } });
    expect([answer.status, answer.body.error.param]).toEqual([400, "to"]);
    expect(await show()).toEqual(before);
  });
});
