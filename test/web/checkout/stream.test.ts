import { describe, expect, it, vi } from "vitest";
import { createFeed } from "../../../src/base/kernel/feed.js";
import type { HistoryRow } from "../../../src/service/features/history/store.js";
import { createPaymentWatch } from "../../../src/web/checkout/payment-watch.js";
import { startEmulator } from "../../support/emulator.js";
import { PATIENCE } from "../../support/patience.js";
import type { Reply } from "../../support/receiver.js";
import { seededRuntime } from "../../support/seed.js";
import { ownEmulator, ownReceiver, sharedEmulator } from "../../support/shared.js";
import { type LiveStream, openStream } from "../../support/stream.js";
import { open } from "./pages.js";

const emulator = sharedEmulator({ frozen: true });

const streamPath = (checkoutUrl: string) => {
  const { pathname, search } = new URL(checkoutUrl);
  return `${pathname}/stream${search}`;
};

/** A stream as a browser without a key opens it. */
const follow = (checkoutUrl: string, choices = ""): Promise<LiveStream> =>
  openStream(emulator, streamPath(checkoutUrl) + choices, "");

const nextState = async (stream: LiveStream) => (await stream.next())?.data ?? null;

describe("the stream of a checkout", () => {
  it("says how it is now, and each change of the payment, until the payment has ended", async () => {
    const charge = await emulator.charge();
    const stream = await follow(charge.checkout_url, "&lang=en");
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("cache-control")).toBe("no-store");
    expect(await nextState(stream)).toMatchObject({ status: "pending", methods: ["PIX"], final: false });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { amount: 1 });
    expect(await nextState(stream)).toMatchObject({ status: "pending", notice: expect.stringContaining("R$ 0,01") });
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    expect(await nextState(stream)).toMatchObject({ status: "paid", title: "Payment confirmed", final: true });
    stream.close();
  });

  it("of a payment that has ended says so, and ends", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/expire`);
    const stream = await follow(charge.checkout_url);
    expect(await nextState(stream)).toMatchObject({ status: "expired", final: true });
    expect(await stream.next()).toBeNull();
  });

  it("says where the clock is after an advance, a stop and a start", async () => {
    const charge = await emulator.charge({ expires_in: 900 });
    const stream = await follow(charge.checkout_url);
    expect(await nextState(stream)).toMatchObject({ remaining: 900, frozen: true });
    await emulator.sandbox("/clock/advance", { seconds: 300 });
    expect(await nextState(stream)).toMatchObject({ remaining: 600, frozen: true });
    await emulator.sandbox("/clock/resume");
    expect(await nextState(stream)).toMatchObject({ frozen: false });
    await emulator.sandbox("/clock/freeze");
    expect(await nextState(stream)).toMatchObject({ frozen: true });
    await emulator.sandbox("/clock/advance", { seconds: 900 });
    expect(await nextState(stream)).toMatchObject({ status: "expired", remaining: null });
    stream.close();
  });

  it("that is opened during an advance says where the clock is when the advance has ended", async () => {
    const receiver = await ownReceiver();
    const own = await ownEmulator({ frozen: true, forwardTo: receiver.url, events: ["charge.paid"] });
    const charge = await own.charge({ expires_in: 900 });
    await own.charge({ metadata: { _sandbox: { pay_after: 60 } } });
    const held: ((reply: Reply) => void)[] = [];
    receiver.respond = () => new Promise((resolve) => held.push(resolve));
    const advance = own.sandbox("/clock/advance", { seconds: 300 });
    await vi.waitFor(() => expect(held).toHaveLength(1), PATIENCE);
    const stream = await openStream(own, streamPath(charge.checkout_url), "");
    expect(await nextState(stream)).toMatchObject({ remaining: 840 });
    held[0]?.({});
    await advance;
    expect(await nextState(stream)).toMatchObject({ remaining: 600, frozen: true });
    stream.close();
  });

  it("reports no other payment", async () => {
    const [mine, other] = [await emulator.charge(), await emulator.charge()];
    const stream = await follow(mine.checkout_url);
    await nextState(stream);
    await emulator.sandbox(`/charges/${other.id}/pay`);
    await emulator.sandbox(`/charges/${mine.id}/fail`);
    expect(await nextState(stream)).toMatchObject({ status: "failed" });
    stream.close();
  });

  it("has no key, token or document in it", async () => {
    const charge = await emulator.charge({
      customer: { name: "Maria", document: "52998224725", email: "m@example.com" },
      expected_payer_tax_id: "52998224725",
    });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: "11144477735" });
    const stream = await follow(charge.checkout_url);
    const text = JSON.stringify(await nextState(stream));
    const token = new URL(charge.checkout_url).searchParams.get("k") ?? "?";
    for (const secret of [emulator.key, token, "52998224725", "11144477735", "m@example.com"]) {
      expect(text).not.toContain(secret);
    }
    stream.close();
  });

  it("is a 404 without the token of the payment", async () => {
    const [one, other] = [await emulator.charge(), await emulator.charge()];
    const wrong = [
      `${emulator.url}/checkout/${one.id.replace("ch_", "")}/stream`,
      `${emulator.url}${streamPath(one.checkout_url)}x`,
      `${emulator.url}/checkout/${one.id.replace("ch_", "")}/stream${new URL(other.checkout_url).search}`,
    ];
    for (const url of wrong) expect((await open(url)).status, url).toBe(404);
  });

  it("ends when a reset removes the payment", async () => {
    const own = await ownEmulator({ frozen: true });
    const charge = await own.charge();
    const stream = await openStream(own, streamPath(charge.checkout_url), "");
    await nextState(stream);
    await own.sandbox("/reset");
    expect(await stream.next()).toBeNull();
  });

  it("follows a restored snapshot, with its clock", async () => {
    const own = await ownEmulator({ frozen: true });
    const charge = await own.charge({ expires_in: 900 });
    await own.sandbox("/snapshots", { name: "before" });
    await own.sandbox("/clock/advance", { seconds: 300 });
    const stream = await openStream(own, streamPath(charge.checkout_url), "");
    expect(await nextState(stream)).toMatchObject({ remaining: 600 });
    await own.sandbox("/snapshots/before/restore", {});
    expect(await nextState(stream)).toMatchObject({ remaining: 900 });
    stream.close();
  });
});

const TOO_MANY = { status: 503, body: { error: { code: "service_unavailable" } } };

describe("many readers", () => {
  it("of one payment are 20 at most, and leave room for pages of others and for callers with a key", async () => {
    const own = await ownEmulator({ frozen: true });
    const [hot, calm] = [await own.charge(), await own.charge()];
    const path = streamPath(hot.checkout_url);
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(own, path, "")));
    for (const stream of streams) await nextState(stream);
    expect(await own.call("GET", path, { key: null })).toMatchObject(TOO_MANY);
    expect((await open(hot.checkout_url.replace("?", "/status?"))).status).toBe(200);
    const another = await openStream(own, streamPath(calm.checkout_url), "");
    expect(await nextState(another)).toMatchObject({ status: "pending" });
    streams[0]?.close();
    await own.sandbox(`/charges/${hot.id}/pay`);
    for (const stream of streams.slice(1)) expect(await nextState(stream)).toMatchObject({ status: "paid" });
    for (const stream of [...streams, another]) stream.close();
  });

  it("of all payments are 100 at most, and a caller with a key still gets a stream", async () => {
    const own = await ownEmulator({ frozen: true });
    const charges = await Promise.all(Array.from({ length: 6 }, () => own.charge()));
    const [last = "", ...paths] = charges.map(({ checkout_url }) => streamPath(checkout_url));
    const opening = paths.flatMap((path) => Array.from({ length: 20 }, () => openStream(own, path, "")));
    const streams = await Promise.all(opening);
    for (const stream of streams) await nextState(stream);
    expect(await own.call("GET", last, { key: null })).toMatchObject(TOO_MANY);
    const everything = await openStream(own, "/_sandbox/stream");
    expect(everything.headers.get("content-type")).toBe("text/event-stream");
    for (const stream of [...streams, everything]) stream.close();
  });

  it("that hang do not keep the server from stopping", async () => {
    const own = await startEmulator({ frozen: true });
    const charge = await own.charge();
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => openStream(own, streamPath(charge.checkout_url), "")),
    );
    for (const stream of streams) await nextState(stream);
    await own.close();
    for (const stream of streams) expect(await stream.next()).toBeNull();
  });
});

describe("the watch behind the streams", () => {
  const { real, log } = seededRuntime({ warn: () => undefined, error: () => undefined });
  const row = (noun: HistoryRow["noun"], subject: string) => ({ noun, subject }) as HistoryRow;

  it("listens only while a page follows a payment", () => {
    const happened = createFeed<HistoryRow>("history", real, log);
    const clockReached = createFeed<number>("ends of advances", real, log);
    const watch = createPaymentWatch({ happened, clockReached, log });
    const sizes = () => [happened.size, clockReached.size];
    expect(sizes()).toEqual([0, 0]);
    const stops = [watch.follow("a", () => undefined), watch.follow("b", () => undefined)];
    expect(sizes()).toEqual([1, 1]);
    for (const stop of stops) stop();
    expect(sizes()).toEqual([0, 0]);
  });

  it("reports an advance of the clock once, at its end, and other changes of the clock at once", () => {
    const happened = createFeed<HistoryRow>("history", real, log);
    const clockReached = createFeed<number>("ends of advances", real, log);
    const watch = createPaymentWatch({ happened, clockReached, log });
    let told = 0;
    watch.follow("a", () => {
      told += 1;
    });
    happened.publish({ ...row("clock", ""), move: "advance" });
    expect(told).toBe(0);
    clockReached.publish(60_000);
    expect(told).toBe(1);
    happened.publish({ ...row("clock", ""), move: "freeze" });
    expect(told).toBe(2);
  });

  it("notifies the other pages when one fails, and logs it", async () => {
    const errors: string[] = [];
    const happened = createFeed<HistoryRow>("history", real, log);
    const watch = createPaymentWatch({
      happened,
      clockReached: createFeed<number>("ends of advances", real, log),
      log: { error: (message) => void errors.push(message) },
    });
    let told = 0;
    watch.follow("a", () => {
      throw new Error("the database cannot be read");
    });
    watch.follow("a", () => {
      told += 1;
    });
    happened.publish(row("transaction", "a"));
    happened.publish(row("clock", ""));
    watch.notifyAll();
    expect([told, errors.length]).toEqual([3, 3]);
  });
});
