import { afterEach, describe, expect, it } from "vitest";
import { chanceRuntime, setChaos } from "../../../support/chaos.js";
import type { Loose } from "../../../support/emulator.js";
import { openCase } from "../../../support/med.js";
import type { Received, Receiver } from "../../../support/receiver.js";
import { sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { advance, chargeAndSettle, settle, signatureParts, subscribe } from "../../../support/webhooks.js";

/** Deliveries with their attempts, as the control interface shows them. */

const chance = chanceRuntime();
const emulator = sharedEmulator({ frozen: true, runtime: chance, signatureTime: "emulated" });
const receiver = sharedReceiver();
afterEach(async () => {
  await emulator.sandbox("/reset");
  receiver.respond = null;
  for (const kept of [receiver.replies, receiver.received, chance.draws]) kept.length = 0;
});

const UNKNOWN = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const list = async (query = "", key = emulator.key) =>
  (await emulator.call("GET", `/_sandbox/webhooks/deliveries${query}`, { key })).body;
const get = async (id: string) => (await emulator.call("GET", `/_sandbox/webhooks/deliveries/${id}`)).body;
const ids = async (query = "") => (await list(query)).data.map(({ id }: Loose) => id);
const newest = async () => get((await ids("?limit=1"))[0]);
const requestOf = ({ headers, raw }: Received) => ({ url: receiver.url, headers, body: raw });

/** One delivery of charge.created whose attempt got this answer. */
async function answeredWith(reply: Receiver["replies"][number]): Promise<Loose> {
  await subscribe(emulator, receiver.url, ["charge.created"]);
  receiver.replies.push(reply);
  await chargeAndSettle(emulator);
  return (await newest()).attempts_log[0];
}

describe("the log of attempts", () => {
  it.each(["charge.created", "payment.created"])(
    "shows exactly the request of %s that the receiver got",
    async (event) => {
      await subscribe(emulator, receiver.url, [event]);
      await chargeAndSettle(emulator, { description: "açaí “grande” 🍇" });
      const [attempt] = (await newest()).attempts_log;
      expect(receiver.received).toHaveLength(1);
      expect(receiver.received.map(requestOf)).toStrictEqual([attempt.request]);
      expect(attempt.request.headers["content-length"]).toBe(String(Buffer.byteLength(attempt.request.body)));
    },
  );

  it("has every attempt with its own signature, answer and reason", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.replies.push(
      { status: 500, headers: { "content-type": "application/json", "x-shop": "42" }, body: '{"error":"no order"}' },
      { status: 200, body: "fine" },
    );
    await emulator.charge();
    const { now } = await settle(emulator);
    await advance(emulator, 10);
    const { attempts_log: log, ...delivery } = await newest();
    expect(delivery).toMatchObject({ status: "DELIVERED", attempts: 2, url: receiver.url });
    expect(log).toMatchObject([
      {
        number: 1,
        at: now,
        response: { status: 500, headers: { "content-type": "application/json", "x-shop": "42" } },
        error: "the endpoint answered 500",
        error_code: "answered",
        error_params: { status: 500 },
        chaos: [],
      },
      { number: 2, at: new Date(Date.parse(now) + 10_000).toISOString(), error: null, error_code: null, chaos: [] },
    ]);
    expect(log.map(({ response }: Loose) => response.body)).toEqual(['{"error":"no order"}', "fine"]);
    expect(log.map(({ request }: Loose) => request)).toStrictEqual(receiver.received.map(requestOf));
    const [first, second] = log.map(({ request }: Loose) => signatureParts(request.headers["x-qa-signature"]).t);
    expect(second - first).toBe(10);
  });

  it("has null in place of an answer that never came, and says why", async () => {
    await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created"]);
    await chargeAndSettle(emulator);
    const [attempt] = (await newest()).attempts_log;
    expect(attempt).toMatchObject({ number: 1, response: null, error: "connection refused (ECONNREFUSED)" });
    expect(attempt.request).toMatchObject({ url: "http://127.0.0.1:9/", headers: { host: "127.0.0.1:9" } });
  });

  it("keeps the URL that each attempt went to when the endpoint moves", async () => {
    const { id } = await subscribe(emulator, "http://127.0.0.1:9/", ["charge.created"]);
    await chargeAndSettle(emulator);
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { url: receiver.url } });
    await advance(emulator, 10);
    const { attempts_log: log } = await newest();
    expect(log.map(({ request }: Loose) => request.url)).toEqual(["http://127.0.0.1:9/", receiver.url]);
  });

  it("is empty before the first attempt", async () => {
    const { id } = await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { status: "INACTIVE" } });
    await emulator.sandbox(`/webhooks/deliveries/${(await ids())[0]}/resend`);
    expect(await newest()).toMatchObject({ status: "PENDING", attempts: 0, attempts_log: [] });
  });

  it("keeps the first 4 KB of a long answer and cuts no character in two", async () => {
    const { response } = await answeredWith({ status: 200, body: `x${"é".repeat(3_000)}` });
    expect(response.body).toBe(`x${"é".repeat(2_047)}`);
  });

  it("shows bytes that are no UTF-8, and NUL, as replaced characters, and other control characters as they are", async () => {
    const { response } = await answeredWith({ status: 200, body: Buffer.from([0x61, 0xff, 0xfe, 0x00, 0x1b, 0x62]) });
    expect(response.body).toBe("a\ufffd\ufffd\ufffd\u001bb");
  });

  it("leaves out headers of an answer beyond 2 KB", async () => {
    const { response } = await answeredWith({ status: 200, headers: { "x-huge": "h".repeat(3_000), "x-small": "s" } });
    expect(response.headers).toMatchObject({ "x-small": "s" });
    expect(response.headers).not.toHaveProperty("x-huge");
  });

  it("marks the effects of chaos, and a second sending in the attempt that it repeats", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await setChaos(emulator, { stale_timestamp: 1, corrupt_signature: 1, duplicate: 1 });
    await chargeAndSettle(emulator);
    expect(receiver.received).toHaveLength(2);
    const delivery = await newest();
    expect(delivery.attempts).toBe(1);
    expect(delivery.attempts_log).toHaveLength(1);
    const [attempt] = delivery.attempts_log;
    expect(attempt.chaos).toEqual(["duplicate", "corrupt_signature", "stale_timestamp"]);
    expect(attempt.request).toStrictEqual(receiver.received.map(requestOf)[0]);
  });
});

describe("the list", () => {
  it("is newest first and filtered by subject, event, status and endpoint, alone and together", async () => {
    receiver.respond = ({ type }) => ({ status: type.startsWith("payment.") ? 500 : 204 });
    const one = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
    const two = await subscribe(emulator, receiver.url, ["charge.created"]);
    const first = await emulator.charge();
    await chargeAndSettle(emulator);
    const lines = async (query: string) =>
      (await list(query)).data.map(({ eventType, endpointId, subject }: Loose) =>
        [eventType, endpointId === one.id ? 1 : 2, subject === first.id ? "first" : "second"].join(" "),
      );
    const all = ["payment.created 1", "charge.created 2", "charge.created 1"];
    const of = (charge: string) => all.map((line) => `${line} ${charge}`);
    expect(await lines("")).toEqual([...of("second"), ...of("first")]);
    const raw = first.id.slice(3);
    for (const id of [first.id, raw, `tx_${raw}`]) expect(await lines(`?subject=${id}`)).toEqual(of("first"));
    expect(await lines("?status=PENDING")).toEqual(["payment.created 1 second", "payment.created 1 first"]);
    expect(await lines(`?event_type=charge.created&endpoint=${two.id}`)).toEqual([
      "charge.created 2 second",
      "charge.created 2 first",
    ]);
    expect(await lines(`?subject=${first.id}&event_type=charge.created&status=DELIVERED&endpoint=${one.id}`)).toEqual([
      "charge.created 1 first",
    ]);
    for (const query of [`?subject=ch_${UNKNOWN}`, `?endpoint=we_${UNKNOWN}`, "?event_type=med.resolved"])
      expect(await list(query)).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it("names a MED case and a payout by their own ids", async () => {
    await subscribe(emulator, receiver.url, ["med_case.created", "payout.created", "withdrawal.created"]);
    const { id } = await openCase(emulator);
    const payout = await emulator.sandbox("/payouts", { amount: 100 });
    await settle(emulator);
    expect((await list(`?subject=${id}`)).data).toMatchObject([{ eventType: "med_case.created", subject: id }]);
    expect((await list(`?subject=${payout.id}`)).data).toMatchObject([
      { eventType: "withdrawal.created", subject: payout.id },
      { eventType: "payout.created", subject: payout.id },
    ]);
  });
});

describe("the list of events", () => {
  const events = async () => {
    const { body } = await emulator.call("GET", "/_sandbox/events?type=charge.created");
    return body.data.map(({ deliveries }: Loose) => deliveries);
  };

  it("says how many endpoints have each event, and why one has it not, until nothing is tried any more", async () => {
    await emulator.charge();
    await subscribe(emulator, receiver.url, ["charge.created"]);
    const { id: dead } = await subscribe(emulator, "http://127.0.0.1:9/erp", ["charge.created"]);
    await emulator.charge();
    const { now } = await settle(emulator);
    expect((await events())[1]).toEqual({ endpoints: 0, arrived: 0, missing: null });
    const failed = { attempts: 1, lastErrorCode: null, url: "http://127.0.0.1:9/erp" };
    const nextRetryAt = new Date(Date.parse(now) + 10_000).toISOString();
    expect((await events())[0]).toMatchObject({ endpoints: 2, arrived: 1, missing: { ...failed, nextRetryAt } });
    expect((await events())[0].missing).not.toHaveProperty("payload");
    await advance(emulator, 30 * 86_400);
    expect((await events())[0]).toMatchObject({ arrived: 1, missing: { status: "FAILED", nextRetryAt: null } });
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${dead}`);
    expect((await events())[0].missing).toMatchObject({ status: "FAILED" });
  });

  it("counts an event that was resent to an endpoint once, and as arrived when one of its deliveries has", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    receiver.replies.push({ status: 500 }, { status: 200 }, { status: 500 });
    await chargeAndSettle(emulator);
    for (const arrived of [1, 1]) {
      await emulator.sandbox(`/webhooks/deliveries/${(await ids())[0]}/resend`);
      await settle(emulator);
      expect(await events()).toEqual([{ endpoints: 1, arrived, missing: null }]);
    }
  });

  it("leaves out deliveries that ended because their endpoint was deleted", async () => {
    const { id } = await subscribe(emulator, "http://127.0.0.1:9/erp", ["charge.created"]);
    await chargeAndSettle(emulator);
    expect((await events())[0]).toMatchObject({ endpoints: 1, arrived: 0 });
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
    expect(await events()).toEqual([{ endpoints: 0, arrived: 0, missing: null }]);
  });
});
