import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../../src/service/features/webhooks/catalogue.js";
import { verifyWebhook } from "../../../../src/service/webhooks/index.js";
import type { Loose, TestEmulator } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownReceiver, sharedEmulator } from "../../../support/shared.js";
import { advance, chargeAndSettle, deliveries, settle, subscribe } from "../../../support/webhooks.js";

/** Collectors: what an endpoint would be sent, without a receiver. */

const emulator = sharedEmulator({ frozen: true });

function collector(events?: readonly string[], from: TestEmulator = emulator): Promise<Loose> {
  return from.sandbox("/collectors", events === undefined ? {} : { events });
}

const collected = async ({ id }: Loose, from: TestEmulator = emulator): Promise<Loose[]> =>
  (await from.sandbox(`/collectors/${id}/webhooks?limit=100`)).data;

describe("the content of a collector", () => {
  it("is byte by byte what an endpoint is sent, with its own secret", async () => {
    const receiver = await ownReceiver();
    const own = await ownEmulator({ frozen: true });
    await subscribe(own, receiver.url, ["charge.created", "payment.created"]);
    const made = await collector(["charge.created", "payment.created"], own);
    await own.charge();
    await settle(own);
    const webhooks = await collected(made, own);
    expect(webhooks.map((one) => one.body).sort()).toEqual(receiver.received.map(({ raw }) => raw).sort());
    for (const { id, event_type, at, headers, body } of webhooks) {
      const sent = receiver.received.find(({ raw }) => raw === body);
      expect(Object.keys(headers).sort()).toEqual(Object.keys(sent?.headers ?? {}).sort());
      expect(headers).toMatchObject({ "x-qa-delivery-id": id, "x-qa-event-type": event_type });
      expect(headers["user-agent"]).toBe(sent?.headers["user-agent"]);
      const now = Date.parse(at);
      expect(verifyWebhook({ headers, body, secret: made.secret, now })).toEqual(JSON.parse(body));
      expect(at).toBe((await own.sandbox("/clock")).now);
    }
  });

  it("comes oldest first, of the events that were named alone, from its beginning to its end", async () => {
    await emulator.charge();
    const made = await collector(["charge.created", "charge.expired"]);
    const { id } = await emulator.charge({ expires_in: 600 });
    await advance(emulator, 600);
    const types = (await collected(made)).map((one) => one.event_type);
    expect(types).toEqual(["charge.created", "charge.expired"]);
    expect((await collected(made)).map(({ body }) => JSON.parse(body).data.object.id)).toEqual([id, id]);
  });

  it("is all events when none is named", async () => {
    expect((await collector()).events).toEqual(EVENT_NAMES);
  });

  it("is answered 200 at once, and is among the deliveries", async () => {
    const made = await collector(["charge.created"]);
    await chargeAndSettle(emulator);
    const [webhook] = await collected(made);
    const all: Loose[] = await deliveries(emulator);
    expect(all.find(({ id }) => id === webhook?.id)).toMatchObject({
      status: "DELIVERED",
      attempts: 1,
      lastStatusCode: 200,
      endpointId: null,
    });
  });

  it("has the body that chaos has changed, with the signature of that body", async () => {
    const own = await ownEmulator({ frozen: true });
    const made = await collector(["charge.created"], own);
    await own.sandbox("/webhooks/chaos", { unknown_fields: 1 });
    await own.charge();
    await settle(own);
    const [{ at, headers, body } = {} as Loose] = await collected(made, own);
    expect(JSON.parse(body).data.object).toHaveProperty("a_new_field");
    expect(verifyWebhook({ headers, body, secret: made.secret, now: Date.parse(at) })).toEqual(JSON.parse(body));
  });

  it("is there twice when chaos sent it twice", async () => {
    const own = await ownEmulator({ frozen: true });
    const made = await collector(["charge.created"], own);
    await own.sandbox("/webhooks/chaos", { duplicate: 1 });
    await own.charge();
    await settle(own);
    const [first, second, third] = await collected(made, own);
    expect(second).toEqual(first);
    expect(third).toBeUndefined();
    const page = await own.sandbox(`/collectors/${made.id}/webhooks?limit=1`);
    const rest = await own.sandbox(`/collectors/${made.id}/webhooks?limit=1&after=${page.next_cursor}`);
    expect([...page.data, ...rest.data]).toEqual([first, second]);
    expect([page.has_more, rest.has_more]).toEqual([true, false]);
    const refused = await own.call("GET", `/_sandbox/collectors/${made.id}/webhooks?after=zzz`);
    expectRefused(refused, "invalid_request", "after");
  });

  it("comes again when a delivery is sent again, unless it is sent elsewhere", async () => {
    const receiver = await ownReceiver();
    const made = await collector(["charge.created"]);
    await chargeAndSettle(emulator);
    const [webhook] = await collected(made);
    await emulator.sandbox(`/webhooks/deliveries/${webhook?.id}/resend`, { url: receiver.url });
    await settle(emulator);
    expect([receiver.received.length, (await collected(made)).length]).toEqual([1, 1]);
    await emulator.sandbox(`/webhooks/deliveries/${webhook?.id}/resend`, {});
    await settle(emulator);
    expect([receiver.received.length, (await collected(made)).length]).toEqual([1, 2]);
  });
});

describe("a collector", () => {
  it("is no endpoint of the service", async () => {
    const own = await ownEmulator({ frozen: true });
    const { id } = await collector(undefined, own);
    expect((await own.call("GET", "/v1/webhooks/endpoints")).body.data).toEqual([]);
    const asEndpoint = id.replace("col_", "we_");
    for (const path of [`/v1/webhooks/endpoints/${asEndpoint}`, `/_sandbox/webhooks/endpoints/${asEndpoint}/reveal`]) {
      expect((await own.call(path.startsWith("/v1") ? "DELETE" : "POST", path)).status).toBe(404);
    }
  });

  it("belongs to its account and mode", async () => {
    const made = await collector(["charge.created"]);
    const body = { amount: 100, payment_method: "pix" };
    const headers = { "idempotency-key": "of-the-live-book" };
    expect((await emulator.call("POST", "/v1/charges", { key: emulator.live, body, headers })).status).toBe(201);
    await settle(emulator);
    expect(await collected(made)).toEqual([]);
  });

  it("that was deleted is sent nothing more", async () => {
    const own = await ownEmulator({ frozen: true });
    const made = await collector(["charge.created"], own);
    const path = `/_sandbox/collectors/${made.id}`;
    expect(await own.call("DELETE", path)).toMatchObject({ status: 204 });
    await own.charge();
    await settle(own);
    expect(await deliveries(own)).toEqual([]);
    for (const [method, route] of [
      ["GET", `${path}/webhooks`],
      ["DELETE", path],
    ] as const) {
      expect((await own.call(method, route)).body.error.message).toBe(
        "No such collector of webhooks in this account and mode.",
      );
    }
  });

  it("ends with a reset, and comes back with a snapshot", async () => {
    const own = await ownEmulator({ frozen: true });
    const made = await collector(["charge.created"], own);
    await own.charge();
    await settle(own);
    const before = await collected(made, own);
    await own.sandbox("/snapshots", { name: "with-collector" });
    await own.sandbox("/reset", {});
    expect((await own.call("GET", `/_sandbox/collectors/${made.id}/webhooks`)).status).toBe(404);
    await own.sandbox("/snapshots/with-collector/restore", {});
    expect(await collected(made, own)).toEqual(before);
  });

  it.each([
    [{ events: ["charge.payed"] }, "events.0"],
    [{ events: [] }, "events"],
    [{ events: "charge.paid" }, "events"],
  ])("is not created from %j", async (body, param) => {
    const own = await ownEmulator({ frozen: true });
    expectRefused(await own.call("POST", "/_sandbox/collectors", { body }), "invalid_request", param);
    await own.charge();
    await settle(own);
    expect(await deliveries(own)).toEqual([]);
  });
});

it("there are at most 1,000 in an account and mode, and one that ends leaves room for another", async () => {
  const own = await ownEmulator({ frozen: true });
  const made = await Promise.all(Array.from({ length: 1_000 }, () => collector(["charge.paid"], own)));
  const refused = await own.call("POST", "/_sandbox/collectors", { body: {} });
  expectRefused(refused, "invalid_request");
  expect(refused.body.error.message).toContain("1000 collectors");
  const { id } = made[0] ?? {};
  expect((await own.call("DELETE", `/_sandbox/collectors/${id}`)).status).toBe(204);
  expect((await own.call("POST", "/_sandbox/collectors", { body: {} })).status).toBe(201);
});
