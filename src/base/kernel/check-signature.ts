import { isPrintedElsewhere } from "./json-printers.js";
import { formerBodies, formerSecrets, signingMistakes } from "./signing-mistakes.js";
import {
  type Plain,
  parseSignature,
  type Signature,
  type Tolerance,
  textToSign,
  type Verdict,
  verdict,
  verdictOnAge,
} from "./webhook-signature.js";

/** Checks a signature and names its fault. It is no part of `verifyWebhook`, which only has to refuse. */

/** A key and a text to try. If their digest is the one to check, this verdict is the answer, unless the age is wrong. */
interface Trial {
  readonly key: Uint8Array;
  readonly signed: Uint8Array;
  readonly code: Plain;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The trials in their order: the right signature, then damages of secret and body, then mistakes of a signer. */
function trials(signature: Signature, secret: string, bytes: Uint8Array): Trial[] {
  const body = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const secrets = [{ code: "valid" as const, text: secret }, ...formerSecrets(secret)];
  const bodies = [{ code: "valid" as const, text: body }, ...formerBodies(bytes)];
  const former = secrets.flatMap((ofSecret) =>
    bodies.map(
      (ofBody): Trial => ({
        code: ofSecret.code === "valid" ? ofBody.code : ofSecret.code,
        key: bytesOf(ofSecret.text),
        signed: bytesOf(textToSign(signature, ofBody.text)),
      }),
    ),
  );
  return [...former, ...signingMistakes({ ...signature, body }, secret)];
}

interface VerificationInput {
  readonly header: string;
  readonly secret: string;
  /** Bytes show a body in another encoding than UTF-8. */
  readonly body: string | Uint8Array;
  /** The instant that its timestamp is compared with, in milliseconds. */
  readonly now: number;
  readonly tolerance: Tolerance;
}

/** Checks a signature, and finds the fault of a wrong one. `digest` is HMAC-SHA256 in lower-case hexadecimal digits. */
export async function checkSignature(
  { header, secret, body, now, tolerance }: VerificationInput,
  digest: (key: Uint8Array, text: Uint8Array) => string | Promise<string>,
): Promise<Verdict> {
  const signature = parseSignature(header);
  if (signature === null) return verdict(/(^|,)\s*t=\d{16,}/.test(header) ? "milliseconds" : "no_form", null);
  const given = signature.digests.map((one) => one.toLowerCase());
  const bytes = typeof body === "string" ? bytesOf(body) : body;
  for (const { key, signed, code } of trials(signature, secret, bytes)) {
    if (!given.includes(await digest(key, signed))) continue;
    return code === "valid" ? verdictOnAge(signature, now, tolerance) : verdict(code, signature.family);
  }
  const text = new TextDecoder().decode(bytes);
  return verdict(isPrintedElsewhere(text) ? "looks_printed_again" : "unknown", signature.family);
}
