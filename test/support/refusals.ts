import { expect } from "vitest";
import type { Answer, Loose } from "./emulator.js";

/** Status and type of every code, written down once more so that a change of the catalogue does not go unnoticed. */
export const CODES = {
  invalid_request: [400, "invalid_request_error"],
  invalid_amount: [400, "invalid_request_error"],
  unauthorized: [401, "authentication_error"],
  origin_not_allowed: [403, "permission_error"],
  API_KEY_ROLE_REQUIRED: [403, "permission_error"],
  "fraud.customer_velocity_exceeded": [403, "permission_error"],
  "fraud.account_velocity_exceeded": [403, "permission_error"],
  not_found: [404, "not_found_error"],
  idempotency_key_reused: [409, "conflict_error"],
  EVIDENCE_NOT_UPLOADED: [409, "conflict_error"],
  EVIDENCE_SIZE_MISMATCH: [409, "conflict_error"],
  payload_too_large: [413, "invalid_request_error"],
  unsupported_media_type: [415, "invalid_request_error"],
  unprocessable_entity: [422, "invalid_request_error"],
  REFUND_NOT_SUPPORTED: [422, "invalid_request_error"],
  rate_limited: [429, "rate_limit_error"],
  headers_too_large: [431, "invalid_request_error"],
  internal_error: [500, "api_error"],
} as const;

/**
 * Holds a refusal against the error envelope: exactly its members, the type and status of the code, the request id of
 * the header. With `param`, that one field must have failed, alone; with null, no field may have failed.
 */
export function expectRefused(
  answer: Pick<Answer, "status" | "headers" | "body">,
  code: string,
  param?: string | null,
): Loose {
  const [status, type] = CODES[code as keyof typeof CODES];
  const given: Partial<Loose> = answer.body?.error ?? {};
  const expected = {
    type,
    code,
    message: expect.stringMatching(/\S/),
    ...(param !== null && ("param" in given || param !== undefined) ? { param: param ?? expect.any(String) } : {}),
    ...(param !== null && "details" in given ? { details: expect.any(Array) } : {}),
  };
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: { error: expected, request_id: expect.stringMatching(/\S/) },
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-request-id")).toBe(answer.body.request_id);
  if (typeof param === "string") {
    expect(answer.body.error.details).toStrictEqual([{ param, message: expect.stringMatching(/\S/) }]);
  }
  return answer.body.error;
}
