import { createHash } from "node:crypto";
import { hmacHex } from "../../base/kernel/hmac.js";
import { jsonIn } from "../../base/kernel/json.js";
import { type Family, prepareSignature } from "../../base/kernel/webhook-signature.js";
import { bytesOf, familyOf, instantOf } from "./input.js";

/**
 * Signs a webhook as the service does, for the tests of a receiver (docs/service/webhooks.md#signatures,
 * docs/decisions/054-verifying-webhooks.md).
 */

export interface SignWebhookInput {
  /** The body, as text or as bytes of UTF-8, which are signed as they are; or an event, which is made into its text. */
  readonly body: string | Uint8Array | ArrayBuffer | object;
  /** The secret of the endpoint. */
  readonly secret: string;
  /** The instant of the signature, as a Date or in milliseconds since the Unix epoch; by default the machine's time. */
  readonly timestamp?: Date | number | undefined;
  /** The form of the signature; by default that of the family of the event in the body. */
  readonly format?: Family | undefined;
}

/** The headers that only webhooks have. Names are in lower case. */
export type SignedHeaders = {
  readonly "content-type": string;
  readonly "x-qa-signature": string;
  readonly "x-qa-delivery-id": string;
  /** `x-qa-event-type`; missing when the body is no event with a name that a header can hold. */
  readonly [name: string]: string;
};

export interface SignedWebhook {
  readonly headers: SignedHeaders;
  /** The exact text that was signed. */
  readonly body: string;
}

function textOf(body: unknown): string {
  const isEvent =
    typeof body === "object" && body !== null && !(body instanceof ArrayBuffer || ArrayBuffer.isView(body));
  const text = isEvent ? JSON.stringify(body) : body;
  try {
    return typeof text === "string"
      ? text
      : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOf(text));
  } catch {
    throw new TypeError("body must be an event, its text, or the bytes of its text in UTF-8.");
  }
}

/** The family of the event of a body, and its name. Null for a body that is no event. */
export function eventIn(body: string): { readonly family: Family; readonly name: string } | null {
  const event = jsonIn(body);
  const family = familyOf(event);
  return family === null ? null : { family, name: String(Object(event)[family === "canonical" ? "type" : "event"]) };
}

/** An id of the form that deliveries have. A body keeps it, as the retries of a delivery do. */
function deliveryId(body: string): string {
  const hex = createHash("sha256").update(body).digest("hex");
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `wd_${groups.join("-")}`;
}

/**
 * Returns the headers and the body of a webhook as the service would send them. `verifyWebhook` accepts both.
 *
 * @throws TypeError for a wrong use: an empty secret, a time or a format that is none, a body that is no event and comes
 *   without a format.
 */
export function signWebhook({ body, secret, timestamp, format }: SignWebhookInput): SignedWebhook {
  const text = textOf(body);
  const key: unknown = secret;
  if (typeof key !== "string" || key === "") {
    throw new TypeError("secret must be the secret of the endpoint, and no empty text.");
  }
  const event = eventIn(text);
  const family: unknown = format ?? event?.family;
  if (family !== "canonical" && family !== "legacy") {
    const what = format === undefined ? "The body is no event, so format is needed" : "format is wrong";
    throw new TypeError(`${what}: it is "canonical" or "legacy".`);
  }
  const { signed, header } = prepareSignature(family, text, instantOf("timestamp", timestamp));
  return {
    headers: {
      "content-type": "application/json",
      "x-qa-signature": header(hmacHex(key, signed)),
      "x-qa-delivery-id": deliveryId(text),
      ...(event !== null && /^[!-~]+$/.test(event.name) ? { "x-qa-event-type": event.name } : {}),
    },
    body: text,
  };
}
