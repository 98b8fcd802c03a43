/** A compact JWS (RFC 7515) under ES256, decoded, and the check of its signature. */

export interface Jws {
  readonly header: unknown;
  readonly payload: unknown;
  /** The signature as it stands in the text: 64 bytes as base64url. */
  readonly signature: string;
  /** The signed part: header and payload as they stand in the text. */
  readonly signed: string;
}

/** `unknown_key`: no key of the set has the id in the header. */
export type JwsVerdict = "right" | "wrong" | "unknown_key";

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function jsonOf(part: string): unknown {
  return JSON.parse(new TextDecoder().decode(bytesOf(part)));
}

/** Null for a text that is no JWS with a JSON payload. */
export function takeApart(text: string): Jws | null {
  const [header = "", payload = "", signature = "", ...rest] = text.trim().split(".");
  if (rest.length > 0 || signature === "") return null;
  try {
    return { header: jsonOf(header), payload: jsonOf(payload), signature, signed: `${header}.${payload}` };
  } catch {
    return null;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : null;
}

const CURVE = { name: "ECDSA", namedCurve: "P-256" };

/** Checks the signature with the key of a key set (RFC 7517) that the header names. */
export async function verifyJws({ header, signature, signed }: Jws, keySet: unknown): Promise<JwsVerdict> {
  const keys = member(keySet, "keys");
  const kid = member(header, "kid");
  const found: unknown = Array.isArray(keys) ? keys.find((one: unknown) => member(one, "kid") === kid) : undefined;
  if (found === undefined || member(header, "alg") !== "ES256") return "unknown_key";
  const [x, y] = [String(member(found, "x")), String(member(found, "y"))];
  try {
    const key = await crypto.subtle.importKey("jwk", { kty: "EC", crv: "P-256", x, y }, CURVE, false, ["verify"]);
    const how = { name: "ECDSA", hash: "SHA-256" };
    const isRight = await crypto.subtle.verify(how, key, bytesOf(signature), new TextEncoder().encode(signed));
    return isRight ? "right" : "wrong";
  } catch {
    return "wrong";
  }
}
