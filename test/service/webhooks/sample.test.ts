import { describe, expect, expectTypeOf, it } from "vitest";
import { EVENT_NAMES, type EventName, familyOf } from "../../../src/service/features/webhooks/catalogue.js";
import { envelope } from "../../../src/service/features/webhooks/envelope.js";
import { type CanonicalEvent, sampleEvent, signWebhook, verifyWebhook } from "../../../src/service/webhooks/index.js";
import { NOW, SECRET } from "./events.js";

/** `sampleEvent`: whole events for the tests of a receiver. */

/** The body that the service sends for the event of a sample. */
function asSent(type: EventName): string {
  const { id = "", created_at = 0, data } = JSON.parse(String(sampleEvent(type)));
  const object = familyOf(type) === "canonical" ? data.object : data;
  return envelope({
    id: id.replace("evt_", ""),
    type,
    data: JSON.stringify(object),
    created_at: Date.parse(created_at),
  });
}

describe.each(EVENT_NAMES)("the sample of %s", (type) => {
  it("is, byte by byte, what the service sends, and is verified", () => {
    const event = sampleEvent(type);
    expect(String(event)).toBe(asSent(type));
    const signed = signWebhook({ body: event, secret: SECRET, timestamp: NOW });
    expect(signed.body).toBe(String(event));
    expect(signed.headers["x-qa-event-type"]).toBe(type);
    expect(verifyWebhook({ ...signed, secret: SECRET, now: NOW })).toEqual(event);
  });
});

describe("data", () => {
  it("is laid over the object of a canonical event", () => {
    const plain = sampleEvent("charge.paid");
    const event = sampleEvent("charge.paid", {
      data: { amount: 50, customer: { name: "Ana" }, metadata: { order: 7 } },
    });
    const object = plain.data.object;
    expect(event).toEqual({
      ...plain,
      data: {
        object: {
          ...object,
          amount: 50,
          customer: { ...object.customer, name: "Ana" },
          metadata: { ...object.metadata, order: 7 },
        },
      },
    });
    expect(Object.keys(event.data.object)).toEqual(Object.keys(object));
    expectTypeOf(event).toEqualTypeOf<CanonicalEvent<"charge.paid">>();
  });

  it("is laid over the data of a legacy event", () => {
    const event = sampleEvent("payment.completed", { data: { amount: 50 } });
    expect(event).toEqual({
      event: "payment.completed",
      data: { ...sampleEvent("payment.completed").data, amount: 50 },
    });
    // @ts-expect-error a member of the wrong type
    sampleEvent("payment.completed", { data: { amount: "50" } });
  });

  it("leaves what is undefined, and replaces by null and lists", () => {
    const data = { amount: undefined, metadata: { list: [1], none: null } };
    const { amount, metadata } = sampleEvent("charge.paid", { data }).data.object;
    expect(amount).toBe(1990);
    expect(metadata).toMatchObject({ list: [1], none: null });
  });

  it("changes no later sample, nor anything beside it", () => {
    const before = String(sampleEvent("charge.paid"));
    const data = JSON.parse('{"__proto__":{"polluted":1},"metadata":{"__proto__":{"polluted":1}}}');
    const event = sampleEvent("charge.paid", { data });
    expect({}).not.toHaveProperty("polluted");
    event.data.object.amount = 1;
    expect(String(event)).toContain('"amount":1,');
    expect(String(sampleEvent("charge.paid"))).toBe(before);
  });
});

it("an event that does not exist is a TypeError with those that do", () => {
  for (const name of ["charge.payed", "toString", "__proto__", ""]) {
    // @ts-expect-error no name of an event
    expect(() => sampleEvent(name)).toThrow(`There is no event ${name}. There are charge.created, charge.paid,`);
  }
});
