import { jsonIn } from "./json.js";

/**
 * The header X-QA-Signature: how it is made, read and judged (docs/service/webhooks.md#signatures). The digest is passed in, so that
 * a browser, which has it only as a promise, judges like the command line.
 */

export const SIGNATURE_HEADER = "x-qa-signature";

/** How old the timestamp of a signature may be for a receiver, or how far ahead of its clock. */
export const TOLERANCE_SECONDS = 300;

export const FAMILIES = ["canonical", "legacy"] as const;
export type Family = (typeof FAMILIES)[number];

export interface Signature {
  readonly family: Family;
  /** The timestamp in Unix seconds, as text; empty for a legacy signature. */
  readonly t: string;
  /** Each 64 hexadecimal digits. */
  readonly digests: readonly string[];
}

/** Null for a header that is of neither form. */
export function parseSignature(text: string): Signature | null {
  const legacy = /^sha256=([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  if (legacy !== undefined) return { family: "legacy", t: "", digests: [legacy] };
  const parts = text.split(",").map((part) => part.trim().split("=", 2));
  const t = parts.find(([name]) => name === "t")?.[1] ?? "";
  const digests = parts.flatMap(([name, value]) =>
    name === "v1" && /^[0-9a-f]{64}$/i.test(value ?? "") ? [value ?? ""] : [],
  );
  return /^\d{1,15}$/.test(t) && digests.length > 0 ? { family: "canonical", t, digests } : null;
}

/** What is signed: the body, and in the canonical form an instant before it. */
export function signedText({ family, t }: Pick<Signature, "family" | "t">, body: string): string {
  return family === "legacy" ? body : `${t}.${body}`;
}

/** The header that a digest makes. */
export function signatureHeader({ family, t }: Pick<Signature, "family" | "t">, digest: string): string {
  return family === "legacy" ? `sha256=${digest}` : `t=${t},v1=${digest}`;
}

/** What is signed for a body at an instant, and the header that the digest of it makes. */
export function signing(family: Family, body: string, atMs: number) {
  const t = family === "legacy" ? "" : String(Math.floor(atMs / 1_000));
  return {
    signed: signedText({ family, t }, body),
    header: (digest: string) => signatureHeader({ family, t }, digest),
  };
}

/** What is said of a signature: that it is right, or why it is refused. What is said of its age has figures in it. */
const REASONS = {
  valid: "secret, timestamp and body are right",
  no_form: "the header is of neither form: t=<unix>,v1=<hex> or sha256=<hex>",
  unknown: "the secret is another one, or the body was changed",
  secret_spaces: "the secret has spaces or a line end around it",
  line_end: "the body has a line end that was not sent",
  printed_again: "the body was parsed and printed again: verify the bytes as received",
  hex_secret: "it was made with the secret decoded from hex; the secret is used as text",
  no_timestamp: "the timestamp was left out of what was signed",
} as const;

type Plain = keyof typeof REASONS;
export type VerdictCode = Plain | "old" | "ahead";

export interface Verdict {
  readonly code: VerdictCode;
  /** Null for a header of neither form. */
  readonly family: Family | null;
  /** The words for people, in English. */
  readonly reason: string;
  /** How far the timestamp is from now, in whole seconds; 0 where it does not matter. */
  readonly seconds: number;
}

export function verdict(code: Plain, family: Family | null): Verdict {
  return { code, family, reason: REASONS[code], seconds: 0 };
}

/** How far a timestamp may be from now, in milliseconds and as it was written. */
export interface Tolerance {
  readonly ms: number;
  readonly written: string;
  /** Whose time now is; this machine's when left out. */
  readonly clock?: string | undefined;
}

/** What to do about a timestamp that is too far from now. A retry has a new one. */
const SET_RIGHT = "set this machine's clock right, or start the emulator without --signature-time emulated";
const NEXT = {
  old: `The next attempt is signed anew; if that is old too, ${SET_RIGHT}`,
  ahead: `If all are, ${SET_RIGHT}`,
} as const;

/** The verdict on a signature whose digest fits. A legacy one has no timestamp. */
export function verdictOnAge({ family, t }: Signature, now: number, tolerance: Tolerance): Verdict {
  const age = family === "legacy" ? 0 : now - Number(t) * 1_000;
  if (Math.abs(age) <= tolerance.ms) return verdict("valid", family);
  const code = age > 0 ? "old" : "ahead";
  const seconds = Math.round(Math.abs(age) / 1_000);
  const { clock = "this machine's clock", written } = tolerance;
  const far = `${seconds} seconds ${code === "old" ? "old" : `ahead of ${clock}`}`;
  return { code, family, reason: `the timestamp is ${far}: more than ${written}. ${NEXT[code]}`, seconds };
}

/** A key and a text to try. When their digest is the given one, the verdict is found, unless it is the age. */
interface Trial {
  readonly key: Uint8Array;
  readonly signed: string;
  readonly code: Plain;
}

function printedAgain(body: string): string | null {
  const value = jsonIn(body);
  return value === undefined ? null : JSON.stringify(value);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** What to try, in this order: first as it should be, then the usual mistakes of a receiver. */
function trials(signature: Signature, secret: string, body: string): Trial[] {
  const signed = signedText(signature, body);
  const key = bytesOf(secret);
  const compact = printedAgain(body);
  const tries: (Trial | null)[] = [
    { key, signed, code: "valid" },
    { key: bytesOf(secret.trim()), signed, code: "secret_spaces" },
    { key, signed: signedText(signature, body.replace(/\r?\n$/, "")), code: "line_end" },
    compact === null ? null : { key, signed: signedText(signature, compact), code: "printed_again" },
    /^[0-9a-f]{64}$/.test(secret) ? { key: bytesOfHex(secret), signed, code: "hex_secret" } : null,
    signature.family === "legacy" ? null : { key, signed: body, code: "no_timestamp" },
  ];
  return tries.filter((one) => one !== null);
}

interface VerificationInput {
  readonly header: string;
  readonly secret: string;
  readonly body: string;
  /** The instant that its timestamp is compared with, in milliseconds. */
  readonly now: number;
  readonly tolerance: Tolerance;
}

/** Judges a signature, and finds what is wrong with a bad one. `digest` is HMAC-SHA256 in lower-case hexadecimal digits. */
export async function checkSignature(
  { header, secret, body, now, tolerance }: VerificationInput,
  digest: (key: Uint8Array, text: string) => string | Promise<string>,
): Promise<Verdict> {
  const signature = parseSignature(header);
  if (signature === null) return verdict("no_form", null);
  const given = signature.digests.map((one) => one.toLowerCase());
  for (const { key, signed, code } of trials(signature, secret, body)) {
    if (!given.includes(await digest(key, signed))) continue;
    return code === "valid" ? verdictOnAge(signature, now, tolerance) : verdict(code, signature.family);
  }
  return verdict("unknown", signature.family);
}
