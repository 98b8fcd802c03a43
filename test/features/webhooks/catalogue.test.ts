import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";

const CANONICAL = [
  "charge.created",
  "charge.paid",
  "charge.failed",
  "charge.expired",
  "payout.created",
  "payout.paid",
  "payout.failed",
  "med_case.created",
  "med_case.updated",
  "med.resolved",
];
const LEGACY = [
  "payment.created",
  "payment.completed",
  "payment.failed",
  "payment.expired",
  "payment.refunded",
  "payment.status_changed",
  "withdrawal.created",
  "withdrawal.completed",
  "withdrawal.failed",
  "withdrawal.status_changed",
];

let emulator: TestEmulator;

beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});

afterAll(() => emulator.close());

describe("the event catalogue", () => {
  it("is a bare array that anyone may read", async () => {
    for (const key of [null, emulator.key, "nonsense"]) {
      const answer = await emulator.call("GET", "/v1/webhooks/event-catalog", { key });
      expect(answer.status).toBe(200);
      expect(answer.body.map((entry: Loose) => entry.event)).toEqual([...CANONICAL, ...LEGACY]);
    }
  });

  it("marks legacy names, and them alone", async () => {
    const { body } = await emulator.call("GET", "/v1/webhooks/event-catalog", { key: null });
    for (const entry of body) {
      const legacy = LEGACY.includes(entry.event) ? { legacy: true } : {};
      expect(entry).toStrictEqual({ event: entry.event, description: expect.stringMatching(/\w+\.$/), ...legacy });
    }
  });

  it("lists names that can all be subscribed to at once", async () => {
    const events = [...CANONICAL, ...LEGACY];
    const body = { url: "https://example.com/", events };
    expect((await emulator.call("POST", "/v1/webhooks/endpoints", { body })).body.events).toEqual(events);
  });

  it("takes no parameters", async () => {
    const answer = await emulator.call("GET", "/v1/webhooks/event-catalog?legacy=true", { key: null });
    expect([answer.status, answer.body.error.param]).toEqual([400, "legacy"]);
  });
});
