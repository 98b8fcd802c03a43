import { createHmac, timingSafeEqual } from "node:crypto";
import { ageOf, type Mistake, parseSignature, type Signature, type Trial, trials } from "./signature-parts.js";

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

const MISTAKES: Readonly<Record<Mistake, string>> = {
  secret_spaces: "the secret has spaces or a line end around it",
  line_end: "the body has a line end that was not sent",
  printed_again: "the body was parsed and printed again: verify the bytes as received",
  hex_secret: "it was made with the secret decoded from hex; the secret is used as text",
  no_timestamp: "the timestamp was left out of what was signed",
};

function matches({ digests }: Signature, { key, signed }: Trial): boolean {
  const expected = createHmac("sha256", key).update(signed).digest();
  return digests.some((digest) => {
    const given = Buffer.from(digest, "hex");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
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
  const { form } = signature;
  const found = trials(signature, secret, body).find((trial) => matches(signature, trial));
  if (found === undefined) {
    return { valid: false, form, reason: "the secret is another one, or the body was changed" };
  }
  if (found.mistake !== null) return { valid: false, form, reason: MISTAKES[found.mistake] };
  const age = ageOf(signature, now);
  if (Math.abs(age) > tolerance.ms) {
    const seconds = Math.round(Math.abs(age) / 1_000);
    const reason = `the timestamp is ${seconds} seconds ${age > 0 ? "old" : "ahead"}: more than ${tolerance.written}`;
    return { valid: false, form, reason };
  }
  return { valid: true, form, reason: "secret, timestamp and body are right" };
}
