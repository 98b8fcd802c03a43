import { beforeAll, describe, expect, it } from "vitest";
import { generateSigningKey, jwks, type PayloadInput, signPayload } from "../../../src/base/pix/payload.js";
import { takeApart, verifyJws } from "../../../src/web/console/browser/words/jws.js";

const CHARGE: PayloadInput = {
  ...{ jku: "http://127.0.0.1:4600/qr/jwks", revision: 0, createdAt: 0, presentedAt: 0, expiresIn: 600 },
  ...{ txid: "a".repeat(32), status: "ATIVA", amount: 1_990, pixKey: "loja@example.com", payerMessage: "Café às 8h" },
};

/** The text with another character at this place. */
function changedAt(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
}

describe("the signed payload of a charge, taken apart", () => {
  let text: string;
  let keySet: unknown;

  beforeAll(async () => {
    const { privateJwk, publicJwk } = await generateSigningKey();
    text = await signPayload(privateJwk, CHARGE);
    keySet = jwks(publicJwk);
  });

  const parts = (one: string) => {
    const found = takeApart(one);
    if (found === null) throw new Error("it is no JWS");
    return found;
  };

  it("has header and payload as values, with every letter", () => {
    expect(parts(text)).toMatchObject({
      header: { alg: "ES256", jku: CHARGE.jku },
      payload: { txid: CHARGE.txid, valor: { original: "19.90" }, solicitacaoPagador: "Café às 8h" },
    });
  });

  it("is right with the key set of its server", async () => {
    expect(await verifyJws(parts(text), keySet)).toBe("right");
  });

  it("is wrong after a change of any part of it", async () => {
    const { signature, signed } = parts(text);
    expect(await verifyJws({ ...parts(text), signature: changedAt(signature, 3) }, keySet)).toBe("wrong");
    expect(await verifyJws({ ...parts(text), signature: signature.slice(4) }, keySet)).toBe("wrong");
    expect(await verifyJws({ ...parts(text), signed: changedAt(signed, signed.length - 9) }, keySet)).toBe("wrong");
  });

  it("is wrong with another key of the same id, and has no key in another set", async () => {
    const other = jwks((await generateSigningKey()).publicJwk);
    expect(await verifyJws(parts(text), other)).toBe("unknown_key");
    expect(await verifyJws(parts(text), null)).toBe("unknown_key");
    const { kid } = parts(text).header as { kid: string };
    expect(await verifyJws(parts(text), { keys: other.keys.map((key) => ({ ...key, kid })) })).toBe("wrong");
  });

  it("is nothing for a text that is no JWS", () => {
    for (const odd of ["", "a.b", "a.b.c", `${text}.more`, "<html>", "e30.e30."]) expect(takeApart(odd)).toBeNull();
  });
});
