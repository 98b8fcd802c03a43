import { describe, expect, it } from "vitest";
import { startDelivering } from "../../../support/delivering.js";
import type { Loose } from "../../../support/emulator.js";
import { chargeAndSettle, deliveries, settle, subscribe } from "../../../support/webhooks.js";

const { emulator, receiver } = startDelivering();

const stats = async (key = emulator.key) => (await emulator.call("GET", "/v1/webhooks/stats", { key })).body;
const NONE = { total: 0, PENDING: 0, PROCESSING: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };

describe("the delivery list", () => {
  it("shows a delivered one with exactly its fields", async () => {
    const endpoint = await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge();
    const { now } = await settle(emulator);
    const answer = await emulator.call("GET", "/v1/webhooks/deliveries");
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      data: [
        {
          id: receiver.received[0]?.headers["x-qa-delivery-id"],
          endpointId: endpoint.id,
          eventType: "charge.created",
          status: "DELIVERED",
          attempts: 1,
          maxAttempts: 15,
          lastStatusCode: 204,
          lastError: null,
          nextRetryAt: null,
          deliveredAt: now,
          createdAt: now,
          updatedAt: now,
          payload: receiver.received[0]?.body,
        },
      ],
      total: 1,
      limit: 25,
      offset: 0,
    });
  });

  it("shows the answer's body on a failure, and no longer after a success", async () => {
    receiver.replies.push({ status: 500, body: "not today" }, { status: 200, body: "fine" });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "PENDING", lastResponseBody: "not today" });
    await emulator.sandbox("/clock/advance", { seconds: 10 });
    const [delivery] = await deliveries(emulator);
    expect(delivery).toMatchObject({ status: "DELIVERED", attempts: 2, lastStatusCode: 200, lastError: null });
    expect(delivery).not.toHaveProperty("lastResponseBody");
  });

  it("is newest first and filtered by status, event and endpoint, alone and together", async () => {
    receiver.respond = ({ type }) => ({ status: type.startsWith("payment.") ? 500 : 204 });
    const one = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
    const two = await subscribe(emulator, receiver.url, ["charge.created"]);
    await chargeAndSettle(emulator);
    const list = async (query: string) =>
      (await deliveries(emulator, query)).map(({ eventType, endpointId }: Loose) => [
        eventType,
        endpointId === one.id ? 1 : 2,
      ]);
    const [a, b, c] = [
      ["payment.created", 1],
      ["charge.created", 2],
      ["charge.created", 1],
    ];
    expect(await list("")).toEqual([a, b, c]);
    expect(await list("?status=PENDING")).toEqual([a]);
    expect(await list("?status=DELIVERED")).toEqual([b, c]);
    expect(await list("?status=CANCELLED")).toEqual([]);
    expect(await list("?eventType=charge.created")).toEqual([b, c]);
    expect(await list("?eventType=med.resolved")).toEqual([]);
    expect(await list(`?endpointId=${two.id}`)).toEqual([b]);
    expect(await list(`?endpointId=${one.id}&eventType=charge.created&status=DELIVERED`)).toEqual([c]);
    expect(await list("?endpointId=we_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa")).toEqual([]);
  });
});

describe("the statistics", () => {
  it("are zeros at first", async () => expect(await stats()).toStrictEqual(NONE));

  it("show an attempt that is on its way as PROCESSING", async () => {
    let release: () => void = () => undefined;
    const arrived = new Promise<void>((arrive) => {
      receiver.respond = () =>
        new Promise((answer) => {
          release = () => answer({ status: 200 });
          arrive();
        });
    });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge();
    await arrived;
    expect(await stats()).toEqual({ ...NONE, total: 1, PROCESSING: 1 });
    expect(await deliveries(emulator, "?status=PROCESSING")).toHaveLength(1);
    release();
    await settle(emulator);
    expect(await stats()).toEqual({ ...NONE, total: 1, DELIVERED: 1 });
  });
});
