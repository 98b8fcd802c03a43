import { hmacHex } from "../../../base/kernel/hmac.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { iso } from "../../../base/kernel/time.js";
import { prepareSignature, SIGNATURE_HEADER } from "../../../base/kernel/webhook-signature.js";
import { type EventName, familyOf } from "./catalogue.js";

/** The parts of an attempt for its request headers, besides the body. */
export interface SentParts {
  readonly url: string;
  readonly signature: string;
  readonly userAgent: string;
  /** The delivery's id with its prefix. */
  readonly deliveryId: string;
  readonly type: string;
}

/** Returns all headers of an attempt, those of the connection included. */
export function buildHeaders(sent: SentParts, body: string): Record<string, string> {
  return {
    host: new URL(sent.url).host,
    connection: "keep-alive",
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": sent.userAgent,
    [SIGNATURE_HEADER]: sent.signature,
    "x-qa-delivery-id": sent.deliveryId,
    "x-qa-event-type": sent.type,
  };
}

/** The contract version that canonical events carry (docs/service/requests.md#versions). */
const API_VERSION = "2026-11-01";

/** The parts of a stored event for its envelope. `data` is JSON text. */
export interface EnvelopeParts {
  readonly id: string;
  readonly type: EventName;
  readonly data: string;
  readonly created_at: number;
}

/**
 * Returns the exact body that is sent and signed (docs/service/webhooks.md#envelopes). It is joined from text instead
 * of parsed and printed JSON, so every attempt and every endpoint receives the same bytes.
 */
export function envelope({ id, type, data, created_at: createdAt }: EnvelopeParts): string {
  if (familyOf(type) === "legacy") return `{"event":"${type}","data":${data}}`;
  return (
    `{"id":"${ID_PREFIX.event}${id}","object":"event","api_version":"${API_VERSION}","type":"${type}",` +
    `"created_at":"${iso(createdAt)}","data":{"object":${data}}}`
  );
}

/**
 * The X-QA-Signature header (docs/service/webhooks.md#signatures): HMAC-SHA256 with the endpoint's secret, used as
 * text, as the key. Each attempt has a new `t`, so that no receiver refuses a retry as too old.
 */
export function signature(type: EventName, secret: string, body: string, atMs: number): string {
  const { signed, header } = prepareSignature(familyOf(type), body, atMs);
  return header(hmacHex(secret, signed));
}
