import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import {
  generateSigningKey,
  jwks,
  type PayloadInput,
  type PrivateSigningKey,
  type PublicSigningKey,
  signPayload,
} from "../../../src/base/pix/payload.js";

const CHARGE: PayloadInput = {
  jku: "http://127.0.0.1:4600/qr/jwks.json",
  revision: 0,
  createdAt: Date.UTC(2026, 10, 21, 12),
  presentedAt: Date.UTC(2026, 10, 21, 12, 5),
  expiresIn: 3_600,
  txid: "fc9a4366ff3d4964b5dbc6c91a8722d3",
  status: "ATIVA",
  amount: 12_345,
  pixKey: "7407c9c8-f78b-11ea-adc1-0242ac120002",
};

let privateJwk: PrivateSigningKey;
let publicJwk: PublicSigningKey;

beforeAll(async () => {
  ({ privateJwk, publicJwk } = await generateSigningKey());
});

/** The data of a payer's bank after it has checked the signature against the published key set. */
async function fetched(change: Partial<PayloadInput> = {}): Promise<unknown> {
  const jws = await signPayload(privateJwk, { ...CHARGE, ...change });
  const { payload } = await compactVerify(jws, createLocalJWKSet({ keys: [...jwks(publicJwk).keys] }));
  return JSON.parse(new TextDecoder().decode(payload));
}

describe("the signed payload", () => {
  it("verifies against the published keys and holds the charge", async () => {
    expect(await fetched()).toEqual({
      revisao: 0,
      calendario: {
        criacao: "2026-11-21T12:00:00.000Z",
        apresentacao: "2026-11-21T12:05:00.000Z",
        expiracao: 3_600,
      },
      valor: { original: "123.45" },
      chave: CHARGE.pixKey,
      txid: CHARGE.txid,
      status: "ATIVA",
    });
  });

  it("names its algorithm, its kind, its key and where the key is", async () => {
    expect(decodeProtectedHeader(await signPayload(privateJwk, CHARGE))).toEqual({
      alg: "ES256",
      typ: "JWS",
      kid: publicJwk.kid,
      jku: CHARGE.jku,
    });
  });

  it.each(["CONCLUIDA", "REMOVIDA_PELO_PSP"] as const)("describes a charge that is %s", async (status) => {
    expect(await fetched({ status, revision: 2 })).toMatchObject({ status, revisao: 2 });
  });

  it("carries the message to the payer, at most 140 characters and none of them halved", async () => {
    expect(await fetched({ payerMessage: "Pedido 42 – açaí" })).toMatchObject({
      solicitacaoPagador: "Pedido 42 – açaí",
    });
    expect(await fetched({ payerMessage: "🍇".repeat(200) })).toMatchObject({ solicitacaoPagador: "🍇".repeat(140) });
    expect(await fetched({ payerMessage: "" })).not.toHaveProperty("solicitacaoPagador");
    expect(await fetched({ payerMessage: null })).not.toHaveProperty("solicitacaoPagador");
  });

  it("no longer verifies when a byte of it or the key has changed", async () => {
    const keys = createLocalJWKSet({ keys: [...jwks(publicJwk).keys] });
    const [header, , mark] = (await signPayload(privateJwk, CHARGE)).split(".");
    const [, dearer] = (await signPayload(privateJwk, { ...CHARGE, amount: 12_346 })).split(".");
    await expect(compactVerify(`${header}.${dearer}.${mark}`, keys)).rejects.toThrow("signature");

    const other = await generateSigningKey();
    const forged = await signPayload({ ...other.privateJwk, kid: publicJwk.kid }, CHARGE);
    await expect(compactVerify(forged, keys)).rejects.toThrow("signature");
  });

  it("is not created for an amount that Pix cannot write", async () => {
    await expect(signPayload(privateJwk, { ...CHARGE, amount: 0.5 })).rejects.toThrow(RangeError);
  });
});

describe("a signing key", () => {
  it("survives being stored as text", async () => {
    const stored: PrivateSigningKey = JSON.parse(JSON.stringify(privateJwk));
    const jws = await signPayload(stored, CHARGE);
    await expect(compactVerify(jws, createLocalJWKSet({ keys: [...jwks(publicJwk).keys] }))).resolves.toBeDefined();
  });

  it("is new every time", async () => {
    const { publicJwk: another } = await generateSigningKey();
    expect(another.kid).not.toBe(publicJwk.kid);
    expect(another.x).not.toBe(publicJwk.x);
  });

  it("is published without its private half, even when that is what was passed", () => {
    expect(jwks(privateJwk)).toEqual({ keys: [publicJwk] });
    expect(publicJwk).not.toHaveProperty("d");
    expect(publicJwk).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig" });
  });
});
