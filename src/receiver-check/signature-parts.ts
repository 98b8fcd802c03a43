/**
 * The parts of the header X-QA-Signature and the usual mistakes of a receiver (docs/service/webhooks.md#signatures). Without a
 * digest of its own, so that the command line and a browser can both use it.
 */

export interface Signature {
  readonly form: "canonical" | "legacy";
  /** The timestamp in Unix seconds, as text; empty for a legacy signature. */
  readonly t: string;
  /** Each 64 hexadecimal digits. */
  readonly digests: readonly string[];
}

/** Null for a header that is of neither form. */
export function parseSignature(text: string): Signature | null {
  const legacy = /^sha256=([0-9a-f]{64})$/i.exec(text.trim())?.[1];
  if (legacy !== undefined) return { form: "legacy", t: "", digests: [legacy] };
  const parts = text.split(",").map((part) => part.trim().split("=", 2));
  const t = parts.find(([name]) => name === "t")?.[1] ?? "";
  const digests = parts.flatMap(([name, value]) =>
    name === "v1" && /^[0-9a-f]{64}$/i.test(value ?? "") ? [value ?? ""] : [],
  );
  return /^\d{1,15}$/.test(t) && digests.length > 0 ? { form: "canonical", t, digests } : null;
}

/** The text that is signed. */
function signedText({ form, t }: Pick<Signature, "form" | "t">, body: string): string {
  return form === "legacy" ? body : `${t}.${body}`;
}

export type Mistake = "secret_spaces" | "line_end" | "printed_again" | "hex_secret" | "no_timestamp";

/** A key and a text to try. When their digest is the given one, the mistake is found; without a mistake it is as it should be. */
export interface Trial {
  readonly key: Uint8Array;
  readonly signed: string;
  readonly mistake: Mistake | null;
}

function printedAgain(body: string): string | null {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return null;
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** What to try, in this order: first as it should be, then the usual mistakes. */
export function trials(signature: Signature, secret: string, body: string): Trial[] {
  const signed = signedText(signature, body);
  const key = bytesOf(secret);
  const compact = printedAgain(body);
  const withoutEnd = body.replace(/\r?\n$/, "");
  return [
    { key, signed, mistake: null },
    { key: bytesOf(secret.trim()), signed, mistake: "secret_spaces" },
    { key, signed: signedText(signature, withoutEnd), mistake: "line_end" },
    ...(compact === null
      ? []
      : [{ key, signed: signedText(signature, compact), mistake: "printed_again" } satisfies Trial]),
    ...(/^[0-9a-f]{64}$/.test(secret)
      ? [{ key: bytesOfHex(secret), signed, mistake: "hex_secret" } satisfies Trial]
      : []),
    ...(signature.form === "legacy" ? [] : [{ key, signed: body, mistake: "no_timestamp" } satisfies Trial]),
  ];
}

/** Milliseconds since the timestamp of a signature; 0 for a legacy one, which has none. Negative when it is ahead. */
export function ageOf({ form, t }: Signature, now: number): number {
  return form === "legacy" ? 0 : now - Number(t) * 1_000;
}
