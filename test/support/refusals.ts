import { expect } from "vitest";
import { ERROR_CATALOGUE, type ErrorCode } from "../../src/kernel/errors.js";
import type { Answer, Loose } from "./emulator.js";

/**
 * Holds a refusal against the error envelope: exactly its members, the type and status of the code, the request id of
 * the header. With `param`, that one field must have failed, alone.
 */
export function expectRefused(
  answer: Pick<Answer, "status" | "headers" | "body">,
  code: string,
  param?: string,
): Loose {
  const { status, type } = ERROR_CATALOGUE[code as ErrorCode];
  const given: Partial<Loose> = answer.body?.error ?? {};
  const expected = {
    type,
    code,
    message: expect.stringMatching(/\S/),
    ...("param" in given || param !== undefined ? { param: param ?? expect.any(String) } : {}),
    ...("details" in given ? { details: expect.any(Array) } : {}),
  };
  expect({ status: answer.status, body: answer.body }).toStrictEqual({
    status,
    body: { error: expected, request_id: expect.stringMatching(/\S/) },
  });
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.headers.get("x-request-id")).toBe(answer.body.request_id);
  if (param !== undefined) {
    expect(answer.body.error.details).toStrictEqual([{ param, message: expect.stringMatching(/\S/) }]);
  }
  return answer.body.error;
}
