import { describe, expect, it } from "vitest";
import { type SignWebhookInput, sampleEvent, signWebhook, verifyWebhook } from "../../../src/service/webhooks/index.js";
import { ownEmulator, ownReceiver } from "../../support/shared.js";
import { hmac, signatureParts, subscribe } from "../../support/webhooks.js";
import { NOW, SECRET } from "./events.js";

/** `signWebhook`: what a test sends to a receiver is what the service sends. */

const BODY = '{"id":"evt_1","type":"charge.paid","data":{"object":{"name":"João"}}}';
const LEGACY = '{"event":"payment.completed","data":{}}';

/** Not what the types allow: what a program without types may pass. */
function misuse(given: Record<string, unknown>): () => unknown {
  return () => signWebhook({ body: BODY, secret: SECRET, ...given } as unknown as SignWebhookInput);
}

describe("what is signed", () => {
  it("is what the service sends for the same body, of both families", async () => {
    const emulator = await ownEmulator();
    const receiver = await ownReceiver();
    const { secret } = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
    await emulator.charge();
    const [one, other] = await receiver.waitFor(2);
    for (const { raw, headers } of [one, other].filter((request) => request !== undefined)) {
      const given = String(headers["x-qa-signature"]);
      const timestamp = given.startsWith("t=") ? signatureParts(given).t * 1_000 : undefined;
      const signed = signWebhook({ body: raw, secret, timestamp });
      expect(signed.body).toBe(raw);
      for (const name of ["content-type", "x-qa-signature", "x-qa-event-type"]) {
        expect(signed.headers[name], name).toBe(headers[name]);
      }
      expect(verifyWebhook({ ...signed, secret, now: timestamp })).toEqual(JSON.parse(raw));
    }
  });

  it("has the secret as text for its key, and the time in seconds", () => {
    const { headers } = signWebhook({ body: BODY, secret: SECRET, timestamp: NOW + 999 });
    expect(headers["x-qa-signature"]).toBe(`t=${NOW / 1_000},v1=${hmac(SECRET, `${NOW / 1_000}.${BODY}`)}`);
    const legacy = signWebhook({ body: LEGACY, secret: SECRET, timestamp: new Date(NOW) });
    expect(legacy.headers["x-qa-signature"]).toBe(`sha256=${hmac(SECRET, LEGACY)}`);
  });

  it("may be text, bytes or an event", () => {
    const bytes = new TextEncoder().encode(BODY);
    const expected = signWebhook({ body: BODY, secret: SECRET, timestamp: NOW });
    for (const body of [bytes, Buffer.from(bytes), bytes.buffer, JSON.parse(BODY)]) {
      expect(signWebhook({ body, secret: SECRET, timestamp: NOW })).toEqual(expected);
    }
  });

  it("keeps every byte of a text, also a byte order mark and a line end", () => {
    for (const body of [`\ufeff${BODY}`, `${BODY}\n`]) {
      for (const given of [body, Buffer.from(body)]) {
        const signed = signWebhook({ body: given, secret: SECRET, timestamp: NOW, format: "canonical" });
        expect(signed.body).toBe(body);
        expect(signed.headers["x-qa-signature"]).toBe(`t=${NOW / 1_000},v1=${hmac(SECRET, `${NOW / 1_000}.${body}`)}`);
      }
    }
  });

  it("has the time of the machine when none is passed", () => {
    expect(() => verifyWebhook({ ...signWebhook({ body: BODY, secret: SECRET }), secret: SECRET })).not.toThrow();
  });
});

describe("the headers", () => {
  it("have the same delivery id for the same body, as retries do", () => {
    const [first, retry] = [NOW, NOW + 10_000].map((timestamp) =>
      signWebhook({ body: BODY, secret: SECRET, timestamp }),
    );
    const other = signWebhook({ body: LEGACY, secret: SECRET });
    expect(first?.headers["x-qa-delivery-id"]).toMatch(/^wd_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(retry?.headers["x-qa-delivery-id"]).toBe(first?.headers["x-qa-delivery-id"]);
    expect(retry?.headers["x-qa-signature"]).not.toBe(first?.headers["x-qa-signature"]);
    expect(other.headers["x-qa-delivery-id"]).not.toBe(first?.headers["x-qa-delivery-id"]);
  });

  it("name no event that a header cannot hold", () => {
    for (const type of ["a\r\nx-forged: 1", "a b", "", "é"]) {
      const { headers } = signWebhook({ body: { type }, secret: SECRET });
      expect(Object.keys(headers)).toEqual(["content-type", "x-qa-signature", "x-qa-delivery-id"]);
    }
  });
});

describe("the form of the signature", () => {
  it("can be chosen, for a body that is no event and for one that must be refused", () => {
    const form = (given: SignWebhookInput) => signWebhook(given).headers["x-qa-signature"].slice(0, 2);
    expect(form({ body: "{", secret: SECRET, format: "legacy" })).toBe("sh");
    expect(form({ body: "{", secret: SECRET, format: "canonical" })).toBe("t=");
    const forged = signWebhook({ body: BODY, secret: SECRET, format: "legacy" });
    expect(() => verifyWebhook({ ...forged, secret: SECRET })).toThrow("of one family and its signature of the other");
  });

  it.each(["", "{", "[]", "null", "7", '{"id":1}', '{"type":7}'])("is needed for %j", (body) => {
    expect(misuse({ body })).toThrow(
      new TypeError('The body is no event, so format is needed: it is "canonical" or "legacy".'),
    );
  });
});

describe("a wrong use is a TypeError", () => {
  it.each([
    [{ secret: "" }, "secret must be the secret of the endpoint, and no empty text."],
    [{ secret: undefined }, "secret must be the secret of the endpoint, and no empty text."],
    [{ secret: [SECRET, SECRET] }, "secret must be the secret of the endpoint, and no empty text."],
    [{ body: undefined }, "body must be an event, its text, or the bytes of its text in UTF-8."],
    [{ body: null }, "body must be an event, its text, or the bytes of its text in UTF-8."],
    [{ body: 7 }, "body must be an event, its text, or the bytes of its text in UTF-8."],
    [{ body: new Uint8Array([0xff]) }, "body must be an event, its text, or the bytes of its text in UTF-8."],
    [{ format: "v2" }, 'format is wrong: it is "canonical" or "legacy".'],
    [{ timestamp: "now" }, "timestamp must be a Date or milliseconds since the Unix epoch, not now."],
    [{ timestamp: Number.NaN }, "timestamp must be a Date or milliseconds since the Unix epoch, not NaN."],
    [{ timestamp: -1 }, "timestamp must be a Date or milliseconds since the Unix epoch, not -1."],
    [
      { timestamp: new Date("never") },
      "timestamp must be a Date or milliseconds since the Unix epoch, not Invalid Date.",
    ],
  ])("%j", (given, message) => {
    expect(misuse(given)).toThrow(new TypeError(message));
  });
});

it("a sample that was changed is signed as it is then", () => {
  const event = sampleEvent("charge.paid");
  const second = signWebhook({ body: { ...event, id: "evt_2" }, secret: SECRET, timestamp: NOW });
  expect(verifyWebhook({ ...second, secret: SECRET, now: NOW })).toEqual({ ...event, id: "evt_2" });
});
