import { describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../../src/service/features/webhooks/catalogue.js";
import type { Loose } from "../../../support/emulator.js";
import { sharedEmulator } from "../../../support/shared.js";

const LEGACY = EVENT_NAMES.filter((name) => /^(payment|withdrawal)\./.test(name));

const emulator = sharedEmulator({ frozen: true });

describe("the event catalogue", () => {
  it("is a bare array that anyone may read", async () => {
    for (const key of [null, emulator.key, "nonsense"]) {
      const answer = await emulator.call("GET", "/v1/webhooks/event-catalog", { key });
      expect(answer.status).toBe(200);
      expect(answer.body.map((entry: Loose) => entry.event)).toEqual(EVENT_NAMES);
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
    const body = { url: "https://example.com/", events: EVENT_NAMES };
    expect((await emulator.call("POST", "/v1/webhooks/endpoints", { body })).body.events).toEqual(EVENT_NAMES);
  });
});
