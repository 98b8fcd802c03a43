import { describe, expect, it } from "vitest";
import { judge, type OrderPayment, unknownPayment } from "../../../src/checks/reconcile/judge.js";
import { SHOP_STATUSES, type ShopStatus } from "../../../src/checks/reconcile/names.js";
import type { Order } from "../../../src/checks/reconcile/orders.js";
import { CHARGE_STATUSES, type ChargeStatus } from "../../../src/service/features/transactions/machine.js";

/** An order and its payment, and the difference between them; "" where they agree. */
const RULES: Readonly<Record<ShopStatus, Readonly<Record<"paid" | "refunded" | "disputed" | "unpaid", string>>>> = {
  paid: { paid: "", refunded: "missed_refund", disputed: "missed_dispute", unpaid: "unearned_order" },
  open: { paid: "missed_payment", refunded: "", disputed: "", unpaid: "" },
  cancelled: { paid: "missed_payment", refunded: "", disputed: "", unpaid: "" },
  refunded: { paid: "phantom_refund", refunded: "", disputed: "", unpaid: "phantom_refund" },
  disputed: { paid: "phantom_refund", refunded: "", disputed: "", unpaid: "phantom_refund" },
};

const PAIRS = SHOP_STATUSES.flatMap((shop) => CHARGE_STATUSES.map((service) => [shop, service] as const));
const order = (status: ShopStatus, amount: Order["amount"] = 100, id: string | null = "ch_1"): Order => {
  return { line: 1, id, order: "7", status, amount };
};
const payment = (status: ChargeStatus, isOwn = true, amount = 100): OrderPayment => {
  return { id: isOwn ? "ch_1" : "ch_2", status, amount, currency: "BRL", order: "7", isOwn };
};
const codes = (row: Order, ...found: OrderPayment[]) =>
  judge(row, found, null, (words) => words.join(" ")).map(({ code }) => code);

describe("an order and its payment", () => {
  it.each(PAIRS)("%s in the shop, %s at the service", (shop, service) => {
    const standing = service === "paid" || service === "refunded" || service === "disputed" ? service : "unpaid";
    const expected = RULES[shop][standing];
    expect(codes(order(shop), payment(service))).toEqual(expected === "" ? [] : [expected]);
  });

  it.each(PAIRS)("of other amounts differ when one says paid: %s, %s", (shop, service) => {
    const isCompared = shop === "paid" || service === "paid";
    expect(codes(order(shop, 101), payment(service)).includes("wrong_amount")).toBe(isCompared);
    expect(codes(order(shop, null), payment(service))).not.toContain("wrong_amount");
  });

  it("without a number of the order are reported with an id that can be copied", () => {
    const [found] = judge({ ...order("open"), order: null }, [payment("paid")], null, (words) => words.join(" "));
    expect(String(found?.text)).toBe("The order of ch_1 is open in the shop, but R$ 1,00 was paid at the service.");
  });

  it("decimal amounts are those of the currency", () => {
    expect(codes(order("paid", "1.00"), payment("paid"))).toEqual([]);
    expect(codes(order("paid", "1.001"), payment("paid"))).toEqual(["wrong_amount"]);
    expect(codes(order("paid", "0.000001"), { ...payment("paid"), currency: "BTC" })).toEqual([]);
  });
});

describe("an order with several payments", () => {
  it.each([
    ["paid", "expired", "paid", []],
    ["open", "expired", "paid", ["missed_payment"]],
    ["paid", "refunded", "paid", []],
    ["refunded", "refunded", "paid", ["phantom_refund"]],
    ["paid", "expired", "disputed", ["missed_dispute"]],
    ["paid", "expired", "pending", ["unearned_order"]],
  ] as const)("%s in the shop, %s and %s at the service", (shop, own, other, expected) => {
    expect(codes(order(shop), payment(own), payment(other, false))).toEqual(expected);
    expect(codes(order(shop), payment(other, false), payment(own))).toEqual(expected);
  });
});

describe("an order without a payment", () => {
  it.each([
    ["paid", ["unearned_order"]],
    ["open", []],
    ["cancelled", []],
    ["refunded", ["phantom_refund"]],
    ["disputed", ["phantom_refund"]],
  ] as const)("%s in the shop", (shop, expected) => {
    expect(codes(order(shop, 100, null))).toEqual(expected);
    expect(codes(order(shop))).toEqual(["unknown_order"]);
  });
});

describe("a difference is reported in one sentence, with the command that shows more", () => {
  const HERE = "Order 7 is";
  it.each([
    ["open", "paid", `${HERE} open in the shop, but R$ 1,00 was paid at the service.`, "why ch_1"],
    ["paid", "expired", `${HERE} paid in the shop, but expired at the service.`, "why ch_1"],
    ["paid", "refunded", `${HERE} paid in the shop, but its R$ 1,00 went back to the payer.`, "payments get ch_1"],
    ["refunded", "paid", `${HERE} refunded in the shop, but paid at the service.`, "payments refunds ch_1"],
    ["paid", "disputed", `${HERE} paid in the shop, but disputed at the service.`, "med list --charge-id ch_1"],
  ] as const)("%s in the shop, %s at the service", (shop, service, text, command) => {
    const [found] = judge(order(shop), [payment(service)], null, (words) => words.join(" "));
    expect([String(found?.text), found?.command]).toEqual([text, command]);
  });

  it("an order that was paid twice, and a payment in no row", () => {
    const line = (words: readonly string[]) => words.join(" ");
    const [twice] = judge(order("paid"), [payment("paid")], { count: 2, ids: ["ch_1", "ch_2"] }, line);
    const unknown = unknownPayment(payment("paid"), line);
    expect([twice, unknown].map((one) => [one?.code, String(one?.text), one?.command])).toEqual([
      ["paid_twice", "Order 7 was paid 2 times, with ch_1, ch_2.", "payments get ch_2"],
      ["unknown_payment", "R$ 1,00 was paid with ch_1 for order 7, but no row has this payment.", "payments get ch_1"],
    ]);
  });
});
