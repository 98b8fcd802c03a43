import { describe, expect, test } from "vitest";
import {
  failInput,
  openCaseInput,
  payInput,
  refundInput,
} from "../../src/console/browser/pages/charges/action-input.js";
import { bound, newChargeInput } from "../../src/console/browser/pages/charges/new-charge-input.js";
import { runningBalances } from "../../src/console/browser/words/running-balance.js";
import { differences } from "../../src/kernel/differences.js";

describe("the differences between two values", () => {
  test("changed, new and gone members are told with their paths", () => {
    const before = { status: "pending", customer: { name: "Ana", email: "a@b.c" }, list: [1, 2] };
    const after = { status: "paid", customer: { name: "Ana" }, list: [1, 3, 4] };
    expect(differences(before, after)).toEqual([
      { path: "status", before: "pending", after: "paid" },
      { path: "customer.email", before: "a@b.c", after: undefined },
      { path: "list.1", before: 2, after: 3 },
      { path: "list.2", before: undefined, after: 4 },
    ]);
  });

  test("equal values have none, whatever the order of their members is", () => {
    expect(differences({ a: 1, b: { c: null } }, { b: { c: null }, a: 1 })).toEqual([]);
  });

  test("a list in place of an object, and null in place of one, are one difference", () => {
    expect(differences({ a: {} }, { a: [] })).toEqual([{ path: "a", before: {}, after: [] }]);
    expect(differences({ a: {} }, { a: null })).toEqual([{ path: "a", before: {}, after: null }]);
    expect(differences(1, 2)).toEqual([{ path: "", before: 1, after: 2 }]);
  });

  test("a member with the name of a method of objects is compared like any other", () => {
    expect(differences({}, JSON.parse('{"toString":1,"__proto__":2}'))).toEqual([
      { path: "toString", before: undefined, after: 1 },
      { path: "__proto__", before: undefined, after: 2 },
    ]);
  });
});

describe("running balances", () => {
  test("each bucket of each currency has its own", () => {
    const entry = (bucket: string, amount: number, currency = "BRL") => ({ bucket, amount, currency });
    const rows = runningBalances([
      [entry("world", -990), entry("available", 990)],
      [entry("available", -300), entry("clearing", 300)],
      [entry("available", 5, "EUR"), entry("world", -5, "EUR")],
    ]);
    expect(rows.map((entries) => entries.map(({ balance }) => balance))).toEqual([
      [-990, 990],
      [690, 300],
      [5, -5],
    ]);
  });
});

describe("the form for a new charge", () => {
  test("empty fields are left out", () => {
    expect(newChargeInput({ amount: "19,90", name: " ", fail: "" })).toEqual({
      body: { amount: 1990, payment_method: "pix" },
    });
  });

  test("all fields become the request of the contract, the script inside the metadata", () => {
    const texts = {
      amount: "R$ 1.234,56",
      name: "Maria Silva",
      document: "52998224725",
      description: "Order 42",
      expires_in: "600",
      expected: "52998224725",
      pay_after: "5",
      pay_amount: "10,00",
      payer_document: "null",
      payer_name: "Ana",
      med_after: "60",
      metadata: '{"order":42}',
    };
    expect(newChargeInput(texts)).toEqual({
      body: {
        amount: 123_456,
        payment_method: "pix",
        description: "Order 42",
        expires_in: 600,
        customer: { name: "Maria Silva", document: "52998224725" },
        expected_payer_tax_id: "52998224725",
        metadata: {
          order: 42,
          _sandbox: { pay_after: 5, amount: 1000, payer_document: null, payer_name: "Ana", med_after: 60 },
        },
      },
    });
  });

  test("a script of zero seconds is kept, and half written JSON is left out", () => {
    expect(newChargeInput({ amount: "1", pay_after: "0", metadata: '{"a' })).toEqual({
      body: { amount: 1, payment_method: "pix", metadata: { _sandbox: { pay_after: 0 } } },
    });
  });
});

describe("the bounds of a list by date", () => {
  test("a date is its first or its last moment in the zone of the reader", () => {
    expect(bound("2026-11-22", "first")).toBe(new Date(2026, 10, 22).toISOString());
    expect(bound("2026-11-22", "last")).toBe(new Date(2026, 10, 22, 23, 59, 59, 999).toISOString());
  });

  test("an instant, and a text that is none, go to the server as they are", () => {
    expect(bound(" 2026-11-22T10:00:00Z ", "first")).toBe("2026-11-22T10:00:00Z");
    expect(bound("yesterday", "last")).toBe("yesterday");
    expect(bound("", "first")).toBeUndefined();
    expect(bound(undefined, "first")).toBeUndefined();
  });
});

describe("the forms of the actions on a charge", () => {
  const id = "ch_1";

  test.each([
    ["the expected one", { payer_kind: "expected", payer_document: "52998224725" }, {}],
    ["another one", { payer_kind: "other", payer_document: "52998224725" }, { payer_document: "52998224725" }],
    ["none", { payer_kind: "none", payer_document: "52998224725" }, { payer_document: null }],
  ])("a payer whose document is %s", (_, texts, body) => {
    expect(payInput(id, texts)).toEqual({ params: { id }, body });
  });

  test("an amount, a name and a method are sent when they are given", () => {
    expect(payInput(id, { amount: "1,00", payer_name: " Ana ", method: "PIX" }).body).toEqual({
      amount: 100,
      payer_name: "Ana",
      method: "PIX",
    });
  });

  test("a refusal, a refund and a MED case have the fields of the contract, and none that is empty", () => {
    expect(failInput(id, { code: "AC06", reason: "" })).toEqual({
      params: { id },
      body: { provider_error_code: "AC06" },
    });
    expect(
      refundInput("1", { amount: "5,00", strategy: "cashout", pass_fee: "true", destination: "a@b.c" }).body,
    ).toEqual({
      amount: 500,
      strategy: "cashout",
      passFeeToTenant: true,
      destinationKey: "a@b.c",
    });
    expect(refundInput("1", { pass_fee: "" }).body).toEqual({});
    expect(openCaseInput(id, { method: "scam", amount: "", deadline: "2026-12-01T00:00:00Z" }).body).toEqual({
      charge_id: id,
      method: "scam",
      response_deadline: "2026-12-01T00:00:00Z",
    });
  });
});
