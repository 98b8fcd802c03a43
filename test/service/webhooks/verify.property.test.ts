import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENT_NAMES, familyOf } from "../../../src/service/features/webhooks/catalogue.js";
import type { VerifyWebhookInput } from "../../../src/service/webhooks/index.js";
import { NOW, outcomeOf, SECRET, signed } from "./events.js";

/** Rules for every event, every secret and every header. */

const secrets = fc.stringMatching(/^[0-9a-f]{64}$/);
const names = fc.constantFrom(...EVENT_NAMES);

/** Any event with any data, as the service writes and signs it. */
const deliveries = fc
  .record({ name: names, data: fc.jsonValue(), secret: secrets, ahead: fc.integer({ min: -299, max: 299 }) })
  .map(({ name, data, secret, ahead }) => {
    const event = familyOf(name) === "legacy" ? { event: name, data } : { id: "evt_1", type: name, data };
    const { body, headers } = signed(name, JSON.stringify(event), secret, NOW + ahead * 1_000);
    return { name, event, secret, body, header: headers["x-qa-signature"] };
  });

it("a signature of the service is verified, as text and as bytes", () => {
  fc.assert(
    fc.property(deliveries, ({ event, secret, body, header }) => {
      const headers = { "x-qa-signature": header };
      const expected = JSON.parse(JSON.stringify(event));
      expect(outcomeOf({ body, headers, secret })).toEqual(expected);
      expect(outcomeOf({ body: Buffer.from(body), headers, secret })).toEqual(expected);
    }),
  );
});

it("a canonical event is refused as stale at every distance beyond the tolerance, a legacy one at none", () => {
  const distances = fc.integer({ min: 1, max: 10_000_000 });
  const input = fc.tuple(names, fc.nat(100_000), distances, fc.boolean());
  fc.assert(
    fc.property(input, ([name, tolerance, beyond, isOld]) => {
      const event = familyOf(name) === "legacy" ? { event: name } : { type: name };
      const now = NOW + (tolerance + beyond) * (isOld ? 1_000 : -1_000);
      const outcome = outcomeOf({ ...signed(name, JSON.stringify(event)), now, tolerance });
      expect(outcome).toEqual(familyOf(name) === "legacy" ? event : "stale_timestamp");
    }),
  );
});

it("throws only refusals, whatever the header", () => {
  const reasons = ["missing_signature", "bad_signature"];
  const piece = fc.constantFrom(
    "t=",
    "v1=",
    "sha256=",
    ",",
    "=",
    " ",
    "1764000000",
    "ab".repeat(32),
    "\u0000",
    "\u{1f4a3}",
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
  );
  const value = fc.oneof(
    texts,
    fc.constantFrom(null, undefined, 0, Number.NaN, true, 7n, {}, [], () => "t=1"),
  );
  const values = fc.oneof(value, fc.array(value, { maxLength: 4 }));
  const headers = fc.oneof(
    value,
    values.map((given) => ({ "X-QA-Signature": given })),
    values.map((given) => ({ "x-qa-signature": given, get: given })),
    values.map((given) => Object.assign(Object.create(null), { "x-qa-signature": given })),
    values.map((given) => new Map([["x-qa-signature", given]])),
    values.map((given) => [["x-qa-signature", given]]),
  );
  fc.assert(
    fc.property(headers, fc.string(), (given, body) => {
      // Values that the types do not allow may still come from a program without types.
      const outcome = outcomeOf({ body, headers: given as VerifyWebhookInput["headers"], secret: SECRET });
      expect(reasons).toContain(outcome);
    }),
  );
});
