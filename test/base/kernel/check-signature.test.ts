import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { checkSignature } from "../../../src/base/kernel/check-signature.js";
import { prepareSignature } from "../../../src/base/kernel/webhook-signature.js";
import { signature } from "../../../src/service/features/webhooks/envelope.js";
import { hmacHex } from "../../../src/web/console/browser/api/digest.js";
import { verdictText } from "../../../src/web/console/browser/words/service-texts.js";
import "../../support/console-texts.js";

/** Signatures with the cryptography of browsers, which Node has too. */

const SECRET = "0123456789abcdef".repeat(4);
const NOW = Date.parse("2026-11-21T12:00:00.000Z");
const BODY = '{"id":"evt_1","data":{"name":"João"}}';
const HEADER = signature("charge.paid", SECRET, BODY, NOW);
const T = NOW / 1_000;

const TOLERANCE = { ms: 300_000, written: "5m" };
const verify = (given: Partial<Parameters<typeof checkSignature>[0]> = {}) =>
  checkSignature({ header: HEADER, secret: SECRET, body: BODY, now: NOW, tolerance: TOLERANCE, ...given }, hmacHex);

const digest = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest("hex");

describe("a signature in the browser", () => {
  it("is the one of the service, in both forms", async () => {
    const legacy = signature("payment.completed", SECRET, BODY, NOW);
    for (const [family, wanted] of [["canonical", HEADER] as const, ["legacy", legacy] as const]) {
      const { signed, header } = prepareSignature(family, BODY, NOW);
      expect(header(await hmacHex(new TextEncoder().encode(SECRET), signed))).toBe(wanted);
      expect(await verify({ header: wanted })).toMatchObject({ code: "valid", family });
    }
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
  ] as const)("is refused for %s, with the reason", async (_, given, code) => {
    const verdict = await verify(given);
    expect(verdict).toMatchObject({ code, family: "canonical" });
    expect(verdictText(verdict, "en")).toBe(`Refused: ${verdict.reason}.`);
    expect(verdictText(verdict, "pt-BR")).toMatch(/^Recusada: /);
  });

  it("takes an empty secret as a key like any other", async () => {
    expect(await hmacHex(new Uint8Array(), "x")).toBe(digest("", "x"));
  });
});
