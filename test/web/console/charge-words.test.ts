import { describe, expect, test } from "vitest";
import { differences } from "../../../src/base/kernel/differences.js";
import type { FieldSpec, Values } from "../../../src/web/console/browser/parts/field-values.js";
import { bodyOf, contractField } from "../../../src/web/console/browser/resource/contract-form.js";
import { bound } from "../../../src/web/console/browser/words/dates.js";

describe("the differences between two values", () => {
  test("changed, new and removed members are listed with their paths", () => {
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

/** The fields of a form by their names in the body, as the contract has them, and more for those that it leaves open. */
function form(id: string, names: readonly string[], open: Readonly<Record<string, Partial<FieldSpec>>> = {}) {
  return [...names, ...Object.keys(open)].map((name) => ({
    ...{ name, label: name },
    ...contractField(id, name),
    ...open[name],
  }));
}

describe("the form for a new charge", () => {
  const fields = form(
    "charges.create",
    ["amount", "customer.name", "customer.document", "description", "expires_in", "expected_payer_tax_id"],
    {
      "metadata._sandbox.pay_after": { kind: "number" },
      "metadata._sandbox.amount": { kind: "money" },
      "metadata._sandbox.payer_document": { takesNull: true },
      metadata: {},
    },
  );
  const body = (values: Values) => bodyOf("charges.create", fields, values);

  test("empty fields are left out", () => {
    expect(body({ amount: "19,90", "customer.name": " ", description: "" })).toEqual({
      amount: 1990,
      payment_method: "pix",
    });
  });

  test("all fields become the request of the contract, what stands inside another field too", () => {
    const values = {
      amount: "R$ 1.234,56",
      "customer.name": " Maria Silva",
      "customer.document": "52998224725",
      description: "Order 42",
      expires_in: "600",
      expected_payer_tax_id: "52998224725",
      "metadata._sandbox.pay_after": "0",
      "metadata._sandbox.amount": "10,00",
      "metadata._sandbox.payer_document": "null",
      metadata: '{"order":42}',
    };
    expect(body(values)).toEqual({
      amount: 123_456,
      payment_method: "pix",
      description: "Order 42",
      expires_in: 600,
      customer: { name: "Maria Silva", document: "52998224725" },
      expected_payer_tax_id: "52998224725",
      metadata: { order: 42, _sandbox: { pay_after: 0, amount: 1000, payer_document: null } },
    });
  });

  test("half written JSON is left out, and a text in place of an object keeps nothing inside", () => {
    const script = { amount: "1", "metadata._sandbox.pay_after": "5" };
    expect(body({ ...script, metadata: '{"a' })).toEqual({
      amount: 1,
      payment_method: "pix",
      metadata: { _sandbox: { pay_after: 5 } },
    });
    expect(body({ ...script, metadata: '"a"' })).toEqual({ amount: 1, payment_method: "pix", metadata: "a" });
  });
});

describe("the bounds of a list by date", () => {
  test("a date is its first or its last moment in the zone of the reader", () => {
    expect(bound("2026-11-22", "first")).toBe(new Date(2026, 10, 22).toISOString());
    expect(bound("2026-11-22", "last")).toBe(new Date(2026, 10, 22, 23, 59, 59, 999).toISOString());
  });

  test("an instant, and a text that is none, go to the server as they are", () => {
    expect(bound("2026-11-22T10:00:00Z", "first")).toBe("2026-11-22T10:00:00Z");
    expect(bound("yesterday", "last")).toBe("yesterday");
  });
});

describe("the forms of the actions", () => {
  test("a payer's document is present, is null where the bank reports none, or is left out", () => {
    const fields = form("sandbox.charges.pay", ["amount", "payer_document", "payer_name", "method"]);
    const body = (values: Values) => bodyOf("sandbox.charges.pay", fields, values);
    expect(body({ payer_document: "52998224725" })).toEqual({ payer_document: "52998224725" });
    expect(body({ payer_document: "null" })).toEqual({ payer_document: null });
    expect(body({ payer_document: "" })).toEqual({});
    expect(body({ amount: "1,00", payer_name: " Ana ", method: "PIX" })).toEqual({
      amount: 100,
      payer_name: "Ana",
      method: "PIX",
    });
  });

  test("a refund and a MED case have the fields of the contract, and none that is empty", () => {
    const refund = form("payments.refund", ["amount", "reason", "strategy", "passFeeToTenant", "destinationKey"]);
    const values = { amount: "5,00", strategy: "cashout", passFeeToTenant: "true", destinationKey: "a@b.c" };
    expect(bodyOf("payments.refund", refund, values)).toEqual({
      amount: 500,
      strategy: "cashout",
      passFeeToTenant: true,
      destinationKey: "a@b.c",
    });
    expect(bodyOf("payments.refund", refund, { passFeeToTenant: "" })).toEqual({});
    const med = form("sandbox.med.open", ["charge_id", "method", "amount", "response_deadline"]);
    expect(med.map(({ kind, required }) => [kind, required])).toEqual([
      ["text", true],
      ["choice", false],
      ["money", false],
      ["text", false],
    ]);
    const given = { charge_id: "ch_1", method: "scam", amount: "", response_deadline: "2026-12-01T00:00:00Z" };
    expect(bodyOf("sandbox.med.open", med, given)).toEqual({
      charge_id: "ch_1",
      method: "scam",
      response_deadline: "2026-12-01T00:00:00Z",
    });
  });
});
