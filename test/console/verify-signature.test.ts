import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hmacHex } from "../../src/console/browser/api/digest.js";
import { signatureHeader, verifySignature } from "../../src/console/browser/words/verify-signature.js";
import { signature } from "../../src/delivery/signer.js";

/** The signature bench, with the cryptography of browsers, which Node has too. */

const SECRET = "0123456789abcdef".repeat(4);
const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const BODY = '{"id":"evt_1","data":{"name":"João"}}';
const HEADER = signature("charge.paid", SECRET, BODY, NOW);
const T = NOW / 1_000;

const verify = (given: Partial<Parameters<typeof verifySignature>[0]> = {}) =>
  verifySignature({ header: HEADER, secret: SECRET, body: BODY, now: NOW, toleranceMs: 300_000, ...given }, hmacHex);

const digest = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest("hex");

describe("a signature in the browser", () => {
  it("is the one of the service, in both forms", async () => {
    expect(await signatureHeader("canonical", SECRET, BODY, NOW, hmacHex)).toBe(HEADER);
    const legacy = signature("payment.completed", SECRET, BODY, NOW);
    expect(await signatureHeader("legacy", SECRET, BODY, NOW, hmacHex)).toBe(legacy);
    expect(await verify()).toEqual({ kind: "valid", form: "canonical" });
    expect(await verify({ header: legacy })).toEqual({ kind: "valid", form: "legacy" });
  });

  it.each([
    ["spaces around the secret", { secret: ` ${SECRET}\n` }, "secret_spaces"],
    ["a line end behind the body", { body: `${BODY}\n` }, "line_end"],
    ["a body that was printed again", { body: JSON.stringify(JSON.parse(BODY), null, 2) }, "printed_again"],
    [
      "a secret decoded from hex",
      { header: `t=${T},v1=${digest(Buffer.from(SECRET, "hex"), `${T}.${BODY}`)}` },
      "hex_secret",
    ],
    ["a timestamp that was not signed", { header: `t=${T},v1=${digest(SECRET, BODY)}` }, "no_timestamp"],
  ] as const)("is refused for %s, and the reason is told", async (_, given, mistake) => {
    expect(await verify(given)).toEqual({ kind: "mistake", mistake });
  });

  it("is refused with another secret, a header of no form, and a timestamp out of the tolerance", async () => {
    expect(await verify({ secret: "another" })).toEqual({ kind: "unknown", form: "canonical" });
    expect(await verify({ header: "v1=abc" })).toEqual({ kind: "no_form" });
    expect(await verify({ now: NOW + 301_000 })).toEqual({ kind: "stale", seconds: 301 });
    expect(await verify({ now: NOW - 301_000 })).toEqual({ kind: "stale", seconds: -301 });
    expect(await verify({ now: NOW + 300_000 })).toMatchObject({ kind: "valid" });
  });

  it("takes an empty secret as a key like any other", async () => {
    expect(await hmacHex(new Uint8Array(), "x")).toBe(digest("", "x"));
  });
});
