import { describe, expect, test } from "vitest";
import { alarmOf } from "../../../src/web/console/browser/timeline/event-deliveries.js";
import type { Item } from "../../../src/web/console/browser/timeline/model.js";
import { stationsOf } from "../../../src/web/console/browser/timeline/stations.js";
import { item } from "../../support/timeline-items.js";

/** The line from the application to the receiver, and the one alarm of a charge. */

const event = (id: string, type: string, parent: string): Item => ({ ...item(id, "event", 5, parent), text: type });

const delivery = (id: string, parent: string, url: string, status: string, next: string | null = null) =>
  item(id, "delivery", 5, parent, { status, url, attempts: 1, next_attempt_at: next });

const attempt = (parent: string, status: number | null) =>
  item(`${parent}#1`, "attempt", 5, parent, { duration_ms: 7, response: status === null ? null : { status } });

const CREATED: readonly Item[] = [
  item("request-1", "request", 0, null, { status: 201, duration_ms: 18, logged: true }),
  item("move-1", "transition", 0, "request-1", { move: "create", to: "WAITING_PAYMENT" }),
];

const PAID: readonly Item[] = [
  ...CREATED,
  item("move-2", "transition", 5, "move-1", { move: "settle", to: "PAID" }),
  event("evt_1", "charge.paid", "move-2"),
  event("evt_2", "payment.status_changed", "move-2"),
];

const SHOP = "http://127.0.0.1:3000/webhooks";
const ERP = "http://127.0.0.1:9/erp";

describe("the line of a charge", () => {
  test("waits at the bank until somebody pays, with the milliseconds of the service", () => {
    expect(stationsOf({ items: CREATED })).toMatchObject({
      service: { status: 201, ms: 18 },
      bank: { state: "waits" },
      receiver: { state: "next" },
    });
  });

  test("reaches the receiver with the answer to the event that says it is paid", () => {
    const items = [...PAID, delivery("wd_1", "evt_1", SHOP, "DELIVERED"), attempt("wd_1", 204)];
    const { bank, receiver } = stationsOf({ items }) ?? {};
    expect(bank).toEqual({ state: "paid", after: 5_000 });
    expect(receiver).toMatchObject({ state: "arrived", event: { type: "charge.paid" }, attempt: { id: "wd_1#1" } });
  });

  test.each([
    ["nobody", []],
    ["sending", [delivery("wd_1", "evt_1", SHOP, "PENDING")]],
    ["waits", [delivery("wd_1", "evt_1", SHOP, "PENDING"), attempt("wd_1", null)]],
    ["failed", [delivery("wd_1", "evt_1", SHOP, "FAILED"), attempt("wd_1", 500)]],
    [
      "partly",
      [
        delivery("wd_1", "evt_1", SHOP, "DELIVERED"),
        attempt("wd_1", 204),
        delivery("wd_2", "evt_1", ERP, "PENDING"),
        attempt("wd_2", null),
      ],
    ],
  ])("says that the receiver is in the state %s", (state, more) => {
    expect(stationsOf({ items: [...PAID, ...more] })?.receiver.state).toBe(state);
  });

  test("a refund changes nothing of what the bank did first", () => {
    const items = [...PAID, item("move-3", "transition", 60, null, { move: "refund", to: "REFUNDED" })];
    expect(stationsOf({ items })?.bank.state).toBe("paid");
  });
});

describe("the alarm", () => {
  test("is none while every endpoint accepts, or before the first attempt has failed", () => {
    const arrived = [delivery("wd_1", "evt_1", SHOP, "DELIVERED"), attempt("wd_1", 204)];
    expect(alarmOf({ items: [...PAID, ...arrived, delivery("wd_2", "evt_1", ERP, "PENDING")] })).toBeNull();
  });

  test("counts the endpoints that have the plainest event, and names the next try", () => {
    const next = "2026-11-29T02:39:23.081Z";
    const items = [
      ...PAID,
      delivery("wd_3", "evt_2", ERP, "PENDING", next),
      attempt("wd_3", null),
      delivery("wd_1", "evt_1", SHOP, "DELIVERED"),
      attempt("wd_1", 204),
      delivery("wd_2", "evt_1", ERP, "PENDING", next),
      attempt("wd_2", null),
    ];
    expect(alarmOf({ items })).toMatchObject({
      type: "charge.paid",
      arrived: 1,
      delivery: { id: "wd_2" },
      next,
      others: 1,
    });
  });

  test("has no next try when none is left, and forgets a failure that was sent again with success", () => {
    const failed = [...PAID, delivery("wd_1", "evt_1", SHOP, "FAILED"), attempt("wd_1", 500)];
    expect(alarmOf({ items: failed })).toMatchObject({ delivery: { id: "wd_1" }, next: null, others: 0 });
    expect(
      alarmOf({ items: [...failed, delivery("wd_9", "evt_1", SHOP, "DELIVERED"), attempt("wd_9", 200)] }),
    ).toBeNull();
  });
});
