import { describe, expect, it } from "vitest";
import { ERROR_CATALOGUE } from "../../../src/base/kernel/errors.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { CODES, expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

let logged: unknown[] = [];
let broken = false;

const emulator = sharedEmulator(() => {
  const log = { warn: () => undefined, error: (...said: unknown[]) => void logged.push(said) };
  const runtime = createRuntime(log);
  const random = {
    ...runtime.random,
    alphanumeric(length: number) {
      if (broken) throw new Error("the secret inner workings");
      return runtime.random.alphanumeric(length);
    },
  };
  return { runtime: { ...runtime, random } };
});

const create = (body: unknown, key = freshKey()) =>
  emulator.call("POST", "/v1/charges", { body, headers: { "idempotency-key": key } });

describe("the error catalogue", () => {
  it.each(Object.entries(CODES))("has %s under its status and type", (code, [status, type]) => {
    expect(ERROR_CATALOGUE[code as keyof typeof CODES]).toMatchObject({ status, type });
  });

  it("has one error type for every status of the contract", () => {
    const byStatus = new Map<number, Set<string>>();
    for (const { status, type } of Object.values(ERROR_CATALOGUE)) {
      byStatus.set(status, (byStatus.get(status) ?? new Set()).add(type));
    }
    expect(Object.fromEntries([...byStatus].map(([status, types]) => [status, [...types].join()]))).toEqual({
      400: "invalid_request_error",
      401: "authentication_error",
      403: "permission_error",
      404: "not_found_error",
      409: "conflict_error",
      413: "invalid_request_error",
      415: "invalid_request_error",
      422: "invalid_request_error",
      429: "rate_limit_error",
      431: "invalid_request_error",
      500: "api_error",
      503: "api_error",
    });
  });

  it("has codes in snake case, with a prefix for the fraud guard, or in capitals where the contract does", () => {
    const capitals = Object.keys(ERROR_CATALOGUE).filter((code) => !/^(fraud\.)?[a-z]+(_[a-z]+)*$/.test(code));
    expect(capitals.sort()).toEqual([
      "API_KEY_ROLE_REQUIRED",
      "EVIDENCE_NOT_UPLOADED",
      "EVIDENCE_SIZE_MISMATCH",
      "REFUND_NOT_SUPPORTED",
    ]);
  });
});

describe("the error envelope", () => {
  it("lists several invalid fields in details, and has no param then", async () => {
    const answer = await create({ amount: 100, payment_method: "card", expires_in: 1, customer: { email: [] } });
    const error = expectRefused(answer, "invalid_request");
    expect(error).not.toHaveProperty("param");
    const params = error.details.map(({ param }: Loose) => param).sort();
    expect(params).toEqual(["customer.email", "expires_in", "payment_method"]);
    for (const detail of error.details) expect(Object.keys(detail).sort()).toEqual(["message", "param"]);
  });

  it("has the code invalid_amount when the amount is one of several invalid fields", async () => {
    const error = expectRefused(await create({}), "invalid_amount");
    expect(error).not.toHaveProperty("param");
    expect(error.details.map(({ param }: Loose) => param).sort()).toEqual(["amount", "payment_method"]);
  });

  it("has neither param nor details when no field is invalid", async () => {
    const { body } = await emulator.call("GET", "/v1/charges/ch_unknown");
    expect(Object.keys(body.error).sort()).toEqual(["code", "message", "type"]);
  });
});

it("a failure of the service itself is a 500 without internal details, is logged, and leaves the idempotency key unused", async () => {
  const key = freshKey();
  const body = { amount: 100, payment_method: "pix" };
  broken = true;
  logged = [];
  const answer = await create(body, key);
  broken = false;
  expectRefused(answer, "internal_error");
  expect(JSON.stringify(answer.body)).not.toContain("secret inner workings");
  expect(logged).toHaveLength(1);
  expect(String(logged)).toContain(answer.body.request_id);
  const again = await create(body, key);
  expect([again.status, again.headers.has("idempotent-replayed")]).toEqual([201, false]);
});
