import { createHmac, timingSafeEqual } from "node:crypto";
import { capitalize } from "../../base/kernel/capitalize.js";
import {
  type Family,
  parseSignature,
  SIGNATURE_HEADER,
  type Signature,
  TOLERANCE_SECONDS,
  type Verdict,
  verdict,
  verdictOnAge,
} from "../../base/kernel/webhook-signature.js";
import type { WebhookEvent } from "./events.js";
import { bytesOf, familyOf, instantOf } from "./input.js";

/**
 * Verifies a webhook in the receiver's own process (docs/service/webhooks.md#signatures,
 * docs/decisions/054-verifying-webhooks.md). This module is built as a file of its own, which imports node:crypto alone.
 */

/** The headers of a request: a `Headers`, the `headers` of `node:http`, or an object. Names are in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface VerifyWebhookInput {
  /** The body as it came: text or bytes, before any parser. */
  readonly body: string | Uint8Array | ArrayBuffer;
  readonly headers: WebhookHeaders;
  /** The secret of the endpoint, or several of which one must fit: the new and the old one during a rotation. */
  readonly secret: string | readonly string[];
  /** How many seconds the timestamp may be old, or ahead; 300 by default. Legacy events have no timestamp. */
  readonly tolerance?: number | undefined;
  /** The present time, as a Date or in milliseconds since the Unix epoch; by default that of `Date.now()`. */
  readonly now?: Date | number | undefined;
}

/**
 * Why a webhook was refused. `missing_signature`: the request has no X-QA-Signature. `bad_signature`: it does not fit the body
 * and the secret, or is of the wrong form. `stale_timestamp`: it is genuine, but its time is too far from now, in the past or
 * in the future, as the message says. `not_json`: it is genuine, but its body is no event.
 */
export type WebhookFailure = "missing_signature" | "bad_signature" | "stale_timestamp" | "not_json";

/** A webhook that must not be trusted. Answer it with a 4xx. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookFailure;

  constructor(reason: WebhookFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The value of X-QA-Signature. Several values are joined, as HTTP joins a repeated header. Null when there is none. */
function signatureIn(headers: unknown): string | null {
  if (typeof headers !== "object" || headers === null) return null;
  const values: unknown[] =
    "get" in headers && typeof headers.get === "function"
      ? [headers.get(SIGNATURE_HEADER)]
      : Object.entries(headers).flatMap(([name, value]) => (name.toLowerCase() === SIGNATURE_HEADER ? value : []));
  const texts = values.filter((value): value is string => typeof value === "string" && value.trim() !== "");
  return texts.length === 0 ? null : texts.join(",");
}

/** An empty secret would verify what anybody can sign, so it is a fault of the program, not of the request. */
function secretsOf(secret: unknown): string[] {
  const secrets: unknown[] = Array.isArray(secret) ? secret : [secret];
  const usable = secrets.filter((one): one is string => typeof one === "string" && one !== "");
  if (usable.length > 0 && usable.length === secrets.length) return usable;
  throw new TypeError("secret must be the secret of the endpoint, or a list of secrets; one is missing or empty.");
}

function toleranceOf(tolerance: unknown = TOLERANCE_SECONDS): number {
  if (typeof tolerance === "number" && tolerance >= 0) return tolerance;
  throw new TypeError(`tolerance must be a number of seconds, 0 or more, not ${String(tolerance)}.`);
}

/** Every secret is tried to the end, so that the time does not show which one fits. */
function isSigned({ family, t, digests }: Signature, secrets: readonly string[], body: Buffer): boolean {
  const fitting = secrets.filter((secret) => {
    const hmac = createHmac("sha256", secret);
    if (family === "canonical") hmac.update(`${t}.`);
    const expected = hmac.update(body).digest();
    return digests.filter((digest) => timingSafeEqual(Buffer.from(digest, "hex"), expected)).length > 0;
  });
  return fitting.length > 0;
}

function refusal(failure: WebhookFailure, { reason }: Verdict): WebhookVerificationError {
  return new WebhookVerificationError(failure, `${capitalize(reason)}.`);
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new WebhookVerificationError("not_json", "The body is signed correctly, but it is not JSON.");
  }
}

/** The service has signed the event, so its fields are not checked again. */
function isOfFamily(value: unknown, family: Family): value is WebhookEvent {
  return familyOf(value) === family;
}

/**
 * Returns the event of a webhook when the service has signed it, of either family: `event.type` is the name of a canonical
 * one, `event.event` that of a legacy one. The signature is checked first, then its age, then the JSON.
 *
 * @throws WebhookVerificationError for a webhook that must not be trusted; `reason` says why.
 * @throws TypeError for a wrong use: an empty secret, a parsed body, a tolerance or a time that is none.
 */
export function verifyWebhook({ body, headers, secret, tolerance, now }: VerifyWebhookInput): WebhookEvent {
  const [bytes, secrets, seconds, instant] = [
    bytesOf(body),
    secretsOf(secret),
    toleranceOf(tolerance),
    instantOf("now", now),
  ];
  const header = signatureIn(headers);
  if (header === null) {
    throw new WebhookVerificationError("missing_signature", "The request has no header X-QA-Signature.");
  }
  const signature = parseSignature(header);
  if (signature === null) throw refusal("bad_signature", verdict("no_form", null));
  if (!isSigned(signature, secrets, bytes)) throw refusal("bad_signature", verdict("unknown", signature.family));
  const clock = now === undefined ? undefined : "the passed now";
  const age = verdictOnAge(signature, instant, { ms: seconds * 1_000, written: `${seconds} seconds`, clock });
  if (age.code !== "valid") throw refusal("stale_timestamp", age);
  const event = parseBody(bytes);
  if (isOfFamily(event, signature.family)) return event;
  if (familyOf(event) === null) {
    throw new WebhookVerificationError("not_json", "The body is signed correctly, but it is no event.");
  }
  // A legacy signature has no time. Taken for a canonical event, it would make a recorded one valid for ever.
  const message = "The event is of one family and its signature of the other.";
  throw new WebhookVerificationError("bad_signature", message);
}
