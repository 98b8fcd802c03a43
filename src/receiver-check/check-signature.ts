import { createHmac, timingSafeEqual } from "node:crypto";

/** Checks the signature of a webhook, and explains what is wrong with a bad one (docs/service/webhooks.md#signatures). */

/** How old a timestamp may be, in milliseconds and as it was written. */
export interface Tolerance {
  readonly ms: number;
  readonly written: string;
}

export interface SignatureVerdict {
  readonly valid: boolean;
  /** `canonical`: the signature of `<t>.<body>`. `legacy`: the signature of the body alone. Null: neither. */
  readonly form: "canonical" | "legacy" | null;
  readonly reason: string;
}

interface Signature {
  readonly form: "canonical" | "legacy";
  /** The timestamp in Unix seconds, as text; empty for a legacy signature. */
  readonly t: string;
  readonly digests: readonly string[];
}

function parseSignature(text: string): Signature | null {
  const legacy = /^sha256=([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  if (legacy !== undefined) return { form: "legacy", t: "", digests: [legacy] };
  const parts = text.split(",").map((part) => part.trim().split("=", 2));
  const t = parts.find(([name]) => name === "t")?.[1] ?? "";
  const digests = parts.flatMap(([name, value]) =>
    name === "v1" && /^[0-9a-f]{64}$/i.test(value ?? "") ? [value ?? ""] : [],
  );
  return /^\d{1,15}$/.test(t) && digests.length > 0 ? { form: "canonical", t, digests } : null;
}

function matches(signature: Signature, secret: string | Buffer, body: string): boolean {
  const signed = signature.form === "legacy" ? body : `${signature.t}.${body}`;
  const expected = createHmac("sha256", secret).update(signed).digest();
  return signature.digests.some((digest) => {
    const given = Buffer.from(digest, "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function printedAgain(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Finds the reason for a wrong signature by trying the usual mistakes one after the other. */
function diagnose(signature: Signature, secret: string, body: string): string {
  const other = signature.form === "legacy" ? ("canonical" as const) : ("legacy" as const);
  if (matches(signature, secret.trim(), body)) return "the secret has spaces or a line end around it";
  if (matches(signature, secret, body.replace(/\r?\n$/, ""))) return "the body has a line end that was not sent";
  const compact = printedAgain(body);
  if (compact !== null && matches(signature, secret, compact)) {
    return "the body was parsed and printed again: verify the bytes as received";
  }
  if (/^[0-9a-f]{64}$/.test(secret) && matches(signature, Buffer.from(secret, "hex"), body)) {
    return "it was made with the secret decoded from hex; the secret is used as text";
  }
  if (signature.t !== "" && matches({ ...signature, form: other }, secret, body)) {
    return "the timestamp was left out of what was signed";
  }
  return "the secret is another one, or the body was changed";
}

/** `header` is the value of X-QA-Signature, and `now` the instant that its timestamp is compared with. */
export function checkSignature(
  header: string,
  secret: string,
  body: string,
  now: number,
  tolerance: Tolerance,
): SignatureVerdict {
  const signature = parseSignature(header);
  if (signature === null) {
    const reason = "the header is of neither form: t=<unix>,v1=<hex> or sha256=<hex>";
    return { valid: false, form: null, reason };
  }
  const { form, t } = signature;
  if (!matches(signature, secret, body)) return { valid: false, form, reason: diagnose(signature, secret, body) };
  const age = form === "legacy" ? 0 : now - Number(t) * 1_000;
  if (Math.abs(age) > tolerance.ms) {
    const seconds = Math.round(Math.abs(age) / 1_000);
    const reason = `the timestamp is ${seconds} seconds ${age > 0 ? "old" : "ahead"}: more than ${tolerance.written}`;
    return { valid: false, form, reason };
  }
  return { valid: true, form, reason: "secret, timestamp and body are right" };
}
