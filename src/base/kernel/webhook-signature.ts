/**
 * The header X-QA-Signature: writing, reading and checking it (docs/service/webhooks.md#signatures). The digest is passed in,
 * so that a browser, which has it only as a promise, checks like the command line.
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

/** The signed text: the body, and in the canonical form an instant before it. */
export function textToSign({ family, t }: Pick<Signature, "family" | "t">, body: string): string {
  return family === "legacy" ? body : `${t}.${body}`;
}

/** Writes the header with a digest. */
export function signatureHeader({ family, t }: Pick<Signature, "family" | "t">, digest: string): string {
  return family === "legacy" ? `sha256=${digest}` : `t=${t},v1=${digest}`;
}

/** Returns the signed text for a body at an instant, and the function that writes the header with its digest. */
export function prepareSignature(family: Family, body: string, atMs: number) {
  const t = family === "legacy" ? "" : String(Math.floor(atMs / 1_000));
  return {
    signed: textToSign({ family, t }, body),
    header: (digest: string) => signatureHeader({ family, t }, digest),
  };
}

/** The verdicts on a signature: right, or why it is refused. Those about its age have figures. */
const REASONS = {
  valid: "secret, timestamp and body are right",
  no_form: "the header is of neither form: t=<unix>,v1=<hex> or sha256=<hex>",
  unknown: "the secret is another one, or the body was changed",
  looks_printed_again:
    "the secret is another one, or the body was parsed and printed again: verify the bytes as received",
  milliseconds: "the timestamp is in milliseconds or in a smaller unit: it is in whole seconds",
  no_instant: "the timestamp is far from the present time: it must be in seconds since 1970",
  secret_spaces: "the secret has spaces or a line end around it",
  secret_wrapped: "the secret has quotes or invisible characters around it",
  line_end: "the body has a line end that was not sent",
  printed_again: "the body was parsed and printed again: verify the bytes as received",
  byte_order_mark: "the body has a byte order mark that was not sent",
  utf16: "the body is in UTF-16: it was sent in UTF-8, so verify the bytes as received",
  not_utf8: "the body was saved or read in another encoding: it was sent in UTF-8, so verify the bytes as received",
  hex_secret: "it was computed with the secret decoded from hex; the secret is used as text",
  hex_of_secret: "it was computed with the secret written as hex once more; the secret is used as text, as it stands",
  base64_secret: "it was computed with the secret decoded from base64; the secret is used as text",
  base64_of_secret: "it was computed with the secret encoded in base64; the secret is used as text, as it stands",
  blank_around_secret: "it was computed with a space, a line end, quotes or a byte order mark around the secret",
  no_secret: "it was computed without a secret",
  swapped: "it was computed with the text as the key and the secret as the text",
  no_timestamp: "the timestamp was left out of what was signed",
  body_first: "the body comes before the timestamp in what was signed",
  no_dot: "the dot between timestamp and body was left out of what was signed",
  joined_otherwise: "timestamp and body were not joined by a dot alone in what was signed",
  milliseconds_signed: "the timestamp was signed in milliseconds: it is in seconds",
  signed_printed_again: "another text of the same JSON was signed: sign the bytes that are sent",
  signed_part: "a part of the body was signed, and not all of it",
  signed_no_body: "no body was signed",
  signed_object: "an object was signed as text, and not the body",
  signed_line_end: "a line end or a space was signed after the body",
  signed_encoding: "the body was signed in another encoding than UTF-8, or with a byte order mark",
} as const;

/** The verdicts without figures. */
export type Plain = keyof typeof REASONS;
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
  /** The owner of the present time in the sentence; this machine by default. */
  readonly clock?: string | undefined;
}

/** From 2000 to 2200, in seconds: nobody means any other instant, and its distance from now would not help. */
const isLikely = (seconds: number) => seconds >= 946_684_800 && seconds < 7_258_118_400;

function unlikelyTime(t: number): Plain | null {
  if (isLikely(t)) return null;
  return [1e3, 1e6, 1e9].some((unit) => isLikely(t / unit)) ? "milliseconds" : "no_instant";
}
/** The advice about a timestamp that is too far from now. A retry has a new one. */
const SET_RIGHT = "set this machine's clock right, or start the emulator without --signature-time emulated";
const NEXT = {
  old: `The next attempt is signed anew; if that is old too, ${SET_RIGHT}`,
  ahead: `If all are, ${SET_RIGHT}`,
} as const;

/** The verdict on a signature whose digest fits. A legacy one has no timestamp. */
export function verdictOnAge({ family, t }: Signature, now: number, tolerance: Tolerance): Verdict {
  const age = family === "legacy" ? 0 : now - Number(t) * 1_000;
  if (Math.abs(age) <= tolerance.ms) return verdict("valid", family);
  const unlikely = unlikelyTime(Number(t));
  if (unlikely !== null) return verdict(unlikely, family);
  const code = age > 0 ? "old" : "ahead";
  const seconds = Math.round(Math.abs(age) / 1_000);
  const { clock = "this machine's clock", written } = tolerance;
  const far = `${seconds} seconds ${code === "old" ? "old" : `ahead of ${clock}`}`;
  return { code, family, reason: `the timestamp is ${far}: more than ${written}. ${NEXT[code]}`, seconds };
}
