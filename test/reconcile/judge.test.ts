import { describe, expect, it } from "vitest";
import { CHARGE_STATUSES, type ChargeStatus } from "../../src/features/transactions/machine.js";
import { judge, type OrderPayment } from "../../src/reconcile/judge.js";
import { SHOP_STATUSES, type ShopStatus } from "../../src/reconcile/names.js";
import type { Order } from "../../src/reconcile/orders.js";

/** What an order and its payment say, and the difference that follows; "" where they agree. */
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

  it("without a number of the order are told with an id that can be copied", () => {
    const [found] = judge({ ...order("open"), order: null }, [payment("paid")], null, (words) => words.join(" "));
    expect(found?.text).toBe("The order of ch_1 is open in the shop, but R$ 1,00 was paid at the service.");
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
