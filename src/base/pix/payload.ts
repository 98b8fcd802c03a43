import { isJsonObject } from "../kernel/json.js";
import { iso } from "../kernel/time.js";
import { decimalAmount } from "./br-code.js";

/**
 * The signed charge that a payer's bank fetches from the URL in the BR Code, and the key it is signed with. The answer's
 * media type is `application/jose`.
 *
 * Source: BCB, API Pix (OpenAPI document, `CobPayload`) and Manual de Segurança do Pix.
 */

/** The public half of a signing key, as a JSON Web Key (RFC 7517). */
export interface PublicSigningKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  /** RFC 7638 thumbprint of the key. */
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
}

/** A signing key as plain JSON, so that a database row can hold it. */
export interface PrivateSigningKey extends PublicSigningKey {
  readonly d: string;
}

export interface PayloadInput {
  /** Absolute URL at which the key set of `jwks` is served. */
  readonly jku: string;
  /** 0 at first, and one more with every change of the charge. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When this payload is sent, milliseconds since the epoch. */
  readonly presentedAt: number;
  /** Seconds after `createdAt` in which the charge can be paid. */
  readonly expiresIn: number;
  /** 26 to 35 letters and digits. */
  readonly txid: string;
  readonly status: "ATIVA" | "CONCLUIDA" | "REMOVIDA_PELO_PSP";
  /** Centavos, 1 to 999_999_999_999. */
  readonly amount: number;
  readonly pixKey: string;
  /** Text for the payer; cut to 140 characters. */
  readonly payerMessage?: string | null;
}

const ALGORITHM = "ES256";
const MAX_PAYER_MESSAGE = 140;

/**
 * Returns the charge as a compact JWS (RFC 7515) under ES256.
 *
 * The header says `typ: "JWS"`, as the Central Bank's own example of this endpoint does. It does not say `JWT`: the
 * content is a charge and no set of claims, and a reader that takes it for a token would look for `exp` and the like.
 * Real providers add `x5t`, the thumbprint of a certificate. There is no certificate here, so banks cannot try their
 * certificate checks.
 *
 * @throws RangeError when the amount is not a whole number of centavos in its range or a time is not a valid date.
 */
export async function signPayload(key: PrivateSigningKey, input: PayloadInput): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(payload(input)));
  const { CompactSign } = await import("jose");
  return new CompactSign(content)
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWS", kid: key.kid, jku: input.jku })
    .sign({ ...key });
}

/** A new P-256 key for ES256; both halves carry the same `kid`. */
export async function generateSigningKey(): Promise<{ privateJwk: PrivateSigningKey; publicJwk: PublicSigningKey }> {
  const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import("jose");
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const { x, y, d } = await exportJWK(pair.privateKey);
  if (x === undefined || y === undefined || d === undefined) throw new Error("The new signing key has no coordinates");
  const kid = await calculateJwkThumbprint({ kty: "EC", crv: "P-256", x, y });
  const publicJwk = { kty: "EC", crv: "P-256", x, y, kid, alg: ALGORITHM, use: "sig" } as const;
  return { privateJwk: { ...publicJwk, d }, publicJwk };
}

/** True if a value has the form of a key from `generateSigningKey`. Its numbers are not checked. */
export function isSigningKey(value: unknown): value is PrivateSigningKey {
  if (!isJsonObject(value)) return false;
  const { kty, crv, alg, use, x, y, kid, d } = value;
  const isOfKind = kty === "EC" && crv === "P-256" && alg === ALGORITHM && use === "sig";
  return isOfKind && [x, y, kid, d].every((part) => typeof part === "string");
}

/** The key set to serve at `jku`. Fields are picked one by one: a private key passed by mistake stays private. */
export function jwks({ kty, crv, x, y, kid, alg, use }: PublicSigningKey): { keys: PublicSigningKey[] } {
  return { keys: [{ kty, crv, x, y, kid, alg, use }] };
}

function payload(input: PayloadInput) {
  const { payerMessage } = input;
  return {
    revisao: input.revision,
    calendario: {
      criacao: iso(input.createdAt),
      apresentacao: iso(input.presentedAt),
      expiracao: input.expiresIn,
    },
    valor: { original: decimalAmount(input.amount) },
    chave: input.pixKey,
    txid: input.txid,
    ...(payerMessage ? { solicitacaoPagador: cut(payerMessage, MAX_PAYER_MESSAGE) } : {}),
    status: input.status,
  };
}

/** Returns the first `max` characters. Characters are code points, as in the schema, so that none is cut in half. */
function cut(text: string, max: number): string {
  return text.length <= max ? text : [...text].slice(0, max).join("");
}
