import type { Family } from "../../base/kernel/webhook-signature.js";
import { shownTime } from "../../base/platform/shown-time.js";

/** Reads the input of signing and verifying, as a program passes it. */

export function bytesOf(body: unknown): Buffer {
  if (typeof body === "string") return Buffer.from(body);
  if (body instanceof ArrayBuffer) return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  throw new TypeError(
    "body must be the text or the bytes of the request as they came. A parsed body cannot be verified: " +
      "read the raw body before a parser takes it.",
  );
}

export function instantOf(option: string, given: unknown = shownTime()): number {
  const ms = given instanceof Date ? given.getTime() : given;
  if (typeof ms === "number" && Number.isFinite(ms) && ms >= 0) return ms;
  throw new TypeError(`${option} must be a Date or milliseconds since the Unix epoch, not ${String(given)}.`);
}

/** The family of an event, by which it must be signed; null for what is no event. */
export function familyOf(value: unknown): Family | null {
  if (typeof value !== "object" || value === null) return null;
  if ("type" in value && typeof value.type === "string") return "canonical";
  return "event" in value && typeof value.event === "string" ? "legacy" : null;
}
