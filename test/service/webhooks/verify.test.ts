import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import {
  type VerifyWebhookInput,
  verifyWebhook,
  WebhookVerificationError,
} from "../../../src/service/webhooks/index.js";
import { completed, NOW, OLD_SECRET, outcomeOf, paid, SECRET, signed } from "./events.js";

function hmac(text: string, secret: string | Buffer = SECRET): string {
  return createHmac("sha256", secret).update(text).digest("hex");
}

/** Not what the types allow: what a program without types may pass. */
function misuse(given: Record<string, unknown>): () => unknown {
  const input = { ...paid(), secret: SECRET, now: NOW, ...given };
  return () => verifyWebhook(input as unknown as VerifyWebhookInput);
}

describe("a genuine webhook", () => {
  it("may have an event name that does not exist yet", () => {
    const envelope = { id: "evt_1", object: "event", type: "subscription.renewed", data: { object: {} } };
    expect(outcomeOf(signed("charge.created", JSON.stringify(envelope)))).toEqual(envelope);
  });

  it("may come as text, as bytes, or as bytes within a larger buffer", () => {
    const { body, headers } = paid();
    const bytes = new TextEncoder().encode(body);
    const within = new Uint8Array(bytes.length + 20);
    within.set(bytes, 7);
    const views = [body, bytes, Buffer.from(body), bytes.buffer, within.subarray(7, 7 + bytes.length)];
    for (const view of views) expect(outcomeOf({ body: view, headers })).toEqual(JSON.parse(body));
  });

  it("keeps characters of every script", () => {
    const envelope = { type: "charge.paid", note: "Pedido nº 42 – açaí \u{1f347} \u202eabc\u202c" };
    const { body, headers } = signed("charge.paid", JSON.stringify(envelope));
    expect(outcomeOf({ body: Buffer.from(body), headers })).toEqual(envelope);
  });

  it("is verified against the time of the machine when none is passed", () => {
    const body = '{"type":"charge.paid"}';
    const now = Date.now();
    expect(verifyWebhook({ ...signed("charge.paid", body, SECRET, now), secret: SECRET })).toEqual(JSON.parse(body));
    expect(outcomeOf({ ...signed("charge.paid", body, SECRET, now - 3_600_000), now: undefined })).toBe(
      "stale_timestamp",
    );
  });
});

describe("headers", () => {
  const { body, headers } = paid();
  const value = headers["x-qa-signature"] ?? "";

  it.each([
    ["a Headers", new Headers({ "X-QA-Signature": value })],
    ["an object of node:http", headers],
    ["a name in capitals", { "X-QA-SIGNATURE": value }],
    ["a name in mixed case", { "X-Qa-Signature": value }],
    ["a list of values", { "x-qa-signature": [value] }],
    ["a Map", new Map([["x-qa-signature", value]])],
    ["an object without a prototype", Object.assign(Object.create(null), { "x-qa-signature": value })],
    ["a header named get beside it", { get: "x", "x-qa-signature": value }],
  ])("may be %s", (_what, given) => {
    expect(outcomeOf({ body, headers: given })).toEqual(JSON.parse(body));
  });

  it.each([
    ["no header", {}],
    ["an empty one", { "x-qa-signature": "" }],
    ["a blank one", { "x-qa-signature": "  " }],
    ["no value", { "x-qa-signature": undefined }],
    ["an empty list", { "X-QA-Signature": [] }],
    ["a Headers without it", new Headers()],
    ["another header", { "x-qa-event-type": "charge.paid" }],
  ])("with %s are refused as missing_signature", (_what, given) => {
    expect(outcomeOf({ body, headers: given })).toBe("missing_signature");
  });
});

describe("a signature", () => {
  const { body, headers } = paid();
  const [t = "", v1 = ""] = (headers["x-qa-signature"] ?? "").split(",");

  it.each([
    ["nonsense", "nonsense"],
    ["only the timestamp", t],
    ["only the digest", v1],
    ["a digest that is cut off", `${t},${v1.slice(0, 30)}`],
    ["a digest that is too long", `${t},${v1}00`],
    ["a timestamp that is no number", `t=soon,${v1}`],
    ["a negative timestamp", `t=-1,${v1}`],
    ["an empty digest", `${t},v1=`],
    ["a legacy form without a digest", "sha256="],
    ["the digest of the body alone", `${t},v1=${hmac(body)}`],
    [
      "the digest with the secret decoded from hex",
      `${t},v1=${hmac(`${t.slice(2)}.${body}`, Buffer.from(SECRET, "hex"))}`,
    ],
    ["two different headers", ["a", "b"]],
  ])("of %s is refused as bad_signature", (_what, given) => {
    expect(outcomeOf({ body, headers: { "x-qa-signature": given } })).toBe("bad_signature");
  });

  it("that is wrong is refused before the age and the JSON are looked at", () => {
    expect(outcomeOf({ body: "no JSON", headers })).toBe("bad_signature");
    expect(outcomeOf({ body, headers, secret: OLD_SECRET, now: NOW + 3_600_000 })).toBe("bad_signature");
    expect(outcomeOf({ ...signed("charge.paid", "no JSON"), now: NOW + 3_600_000 })).toBe("stale_timestamp");
  });

  it("of the legacy form is refused for a canonical event, because it has no time", () => {
    expect(outcomeOf({ body, headers: { "x-qa-signature": `sha256=${hmac(body)}` } })).toBe("bad_signature");
  });

  it("of the canonical form is refused for a legacy event", () => {
    expect(outcomeOf(signed("charge.paid", completed().body))).toBe("bad_signature");
  });

  it("of a canonical event is no legacy signature of the text that was signed", () => {
    const text = `${t.slice(2)}.${body}`;
    const given = { "x-qa-signature": v1.replace("v1", "sha256") };
    expect(outcomeOf({ body: text, headers: given })).toBe("not_json");
  });
});

describe("the age", () => {
  const { body, headers } = signed("charge.paid", '{"type":"charge.paid"}');

  it.each([
    [300, "old", NOW + 300_000],
    [300, "ahead", NOW - 300_000],
  ])("of %i seconds %s is allowed", (_seconds, _way, now) => {
    expect(outcomeOf({ body, headers, now })).toEqual(JSON.parse(body));
    expect(outcomeOf({ body, headers, now: new Date(now) })).toEqual(JSON.parse(body));
  });

  it("of more is refused as stale_timestamp, and the message names old or ahead, and the remedy", () => {
    expect(outcomeOf({ body, headers, now: NOW + 301_000 })).toBe("stale_timestamp");
    expect(outcomeOf({ body, headers, now: NOW - 301_000 })).toBe("stale_timestamp");
    const verify = (now?: number) => () => verifyWebhook({ body, headers, secret: SECRET, now });
    expect(verify(NOW + 640_000)).toThrow(
      "The timestamp is 640 seconds old: more than 300 seconds. The next attempt is signed anew; if that is old too, set",
    );
    expect(verify(NOW - 3_600_000)).toThrow(
      "The timestamp is 3600 seconds ahead of the passed now: more than 300 seconds. If all are, set this machine's clock right, or",
    );
    vi.useFakeTimers({ now: NOW - 400_000, toFake: ["Date"] });
    expect(verify()).toThrow("The timestamp is 400 seconds ahead of this machine's clock: more than 300 seconds. If");
    vi.useRealTimers();
  });

  it("follows the tolerance", () => {
    expect(outcomeOf({ body, headers, now: NOW + 10_000, tolerance: 9 })).toBe("stale_timestamp");
    expect(outcomeOf({ body, headers, now: NOW + 10_000, tolerance: 10 })).toEqual(JSON.parse(body));
    expect(outcomeOf({ body, headers, now: NOW, tolerance: 0 })).toEqual(JSON.parse(body));
    expect(outcomeOf({ body, headers, now: 0, tolerance: Number.POSITIVE_INFINITY })).toEqual(JSON.parse(body));
  });
});

describe("a body that is signed but no event", () => {
  it.each([
    ["is no JSON", "hello"],
    ["is empty", ""],
    ["is a list", "[]"],
    ["is null", "null"],
    ["has no name", '{"id":"evt_1"}'],
    ["has a name that is no text", '{"type":1}'],
    ["begins with a byte order mark", '\ufeff{"type":"charge.paid"}'],
  ])("is refused as not_json when it %s", (_what, body) => {
    expect(outcomeOf(signed("charge.paid", body))).toBe("not_json");
    expect(outcomeOf(signed("payment.completed", body))).toBe("not_json");
  });

  it("is refused as not_json when its bytes are no UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('{"event":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const digest = createHmac("sha256", SECRET).update(bytes).digest("hex");
    expect(outcomeOf({ body: bytes, headers: { "x-qa-signature": `sha256=${digest}` } })).toBe("not_json");
  });
});

it("the error has a name, a reason and a message, and neither secret nor digest", () => {
  const { body, headers } = paid();
  const expected = createHmac("sha256", SECRET).update(body).digest("hex");
  const refused = { body: `${body} `, headers, secret: SECRET, now: NOW };
  expect(() => verifyWebhook(refused)).toThrow(WebhookVerificationError);
  try {
    verifyWebhook(refused);
  } catch (error) {
    expect(error).toMatchObject({ name: "WebhookVerificationError", reason: "bad_signature" });
    const text = String(error);
    expect(text).toContain("The secret is another one, or the body was changed.");
    expect([SECRET, expected].filter((one) => text.includes(one))).toEqual([]);
  }
});

describe("a wrong use is a TypeError, not a refused webhook", () => {
  it.each([
    ["an empty secret", { secret: "" }],
    ["no secret", { secret: undefined }],
    ["an empty list of secrets", { secret: [] }],
    ["a list with an empty secret", { secret: [SECRET, ""] }],
  ])("for %s", (_what, given) => {
    expect(misuse(given)).toThrow(TypeError);
    expect(misuse(given)).toThrow("secret must be the secret of the endpoint");
  });

  it("for a body that was parsed already", () => {
    expect(misuse({ body: { type: "charge.paid" } })).toThrow("A parsed body cannot be verified");
    expect(misuse({ body: undefined })).toThrow(TypeError);
  });

  it.each([Number.NaN, -1, "300", null])("for the tolerance %s", (tolerance) => {
    expect(misuse({ tolerance })).toThrow("tolerance must be a number of seconds");
  });

  it.each([Number.NaN, new Date("never"), "2026-11-22"])("for the time %s", (now) => {
    expect(misuse({ now })).toThrow("now must be a Date or milliseconds");
  });
});
