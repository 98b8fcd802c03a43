import { ageOf, type Mistake, parseSignature, trials } from "../../../receiver-check/signature-parts.js";

/** Checks the signature of a webhook as `qa-pay webhooks verify` does. The digest is passed in. */

export type Digest = (key: Uint8Array, text: string) => Promise<string>;

export type Verdict =
  | { readonly kind: "valid" | "unknown"; readonly form: "canonical" | "legacy" }
  | { readonly kind: "no_form" }
  | { readonly kind: "mistake"; readonly mistake: Mistake }
  /** Negative seconds: the timestamp is ahead of the clock of the receiver. */
  | { readonly kind: "stale"; readonly seconds: number };

interface Given {
  /** The value of X-QA-Signature. */
  readonly header: string;
  readonly secret: string;
  readonly body: string;
  /** The clock of the receiver, in milliseconds. */
  readonly now: number;
  readonly toleranceMs: number;
}

export async function verifySignature(
  { header, secret, body, now, toleranceMs }: Given,
  digest: Digest,
): Promise<Verdict> {
  const signature = parseSignature(header);
  if (signature === null) return { kind: "no_form" };
  const given = signature.digests.map((one) => one.toLowerCase());
  for (const { key, signed, mistake } of trials(signature, secret, body)) {
    if (!given.includes(await digest(key, signed))) continue;
    if (mistake !== null) return { kind: "mistake", mistake };
    const age = ageOf(signature, now);
    if (Math.abs(age) > toleranceMs) return { kind: "stale", seconds: Math.round(age / 1_000) };
    return { kind: "valid", form: signature.form };
  }
  return { kind: "unknown", form: signature.form };
}

/** The header X-QA-Signature for a body. */
export async function signatureHeader(
  form: "canonical" | "legacy",
  secret: string,
  body: string,
  now: number,
  digest: Digest,
): Promise<string> {
  const key = new TextEncoder().encode(secret);
  if (form === "legacy") return `sha256=${await digest(key, body)}`;
  const t = Math.floor(now / 1_000);
  return `t=${t},v1=${await digest(key, `${t}.${body}`)}`;
}
