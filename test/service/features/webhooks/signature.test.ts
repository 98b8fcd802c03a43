import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { EVENT_NAMES, familyOf } from "../../../../src/service/features/webhooks/catalogue.js";
import { signature } from "../../../../src/service/features/webhooks/envelope.js";

/** Known answers that verifiers of other makers were tried with. */
const SECRET = "0123456789abcdef".repeat(4);
const BODY = '{"id":"evt_test","object":"event","type":"charge.paid"}';
const AT = 1_764_000_000_000;
const CANONICAL = "t=1764000000,v1=0419da0acb371aecb2da3f9f8149522a95b911e049fc5384a5f6ddce858439f1";
const LEGACY = "sha256=bed5a5f07e790169e30c272b9c0b7cdf8bf16dae98462fade7b8842511d5435a";

describe("the signature", () => {
  it.each(EVENT_NAMES)("of %s has the form of its family", (name) => {
    expect(signature(name, SECRET, BODY, AT)).toBe(familyOf(name) === "legacy" ? LEGACY : CANONICAL);
  });

  it("counts whole seconds", () => {
    expect(signature("charge.paid", SECRET, BODY, AT + 999)).toBe(CANONICAL);
    expect(signature("charge.paid", SECRET, BODY, AT + 1_000)).toMatch(/^t=1764000001,/);
  });

  it("of a legacy event does not depend on time", () => {
    expect(signature("payment.completed", SECRET, BODY, AT + 86_400_000)).toBe(LEGACY);
  });

  it("is keyed with the secret as text, over the bytes of the body", () => {
    const body = '{"description":"Pedido nº 42 – açaí 🍇"}';
    const digest = (key: string | Buffer) => createHmac("sha256", key).update(Buffer.from(body, "utf8")).digest("hex");
    expect(signature("payment.created", SECRET, body, AT)).toBe(`sha256=${digest(Buffer.from(SECRET, "ascii"))}`);
    expect(signature("payment.created", SECRET, body, AT)).not.toBe(`sha256=${digest(Buffer.from(SECRET, "hex"))}`);
  });
});
