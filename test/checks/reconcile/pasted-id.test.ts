import { expect, test } from "vitest";
import { toPlainId } from "../../../src/checks/reconcile/orders.js";

const RAW = "01a1fce5-07bb-7000-9ded-5f668d9661ce";

test.each([
  `ch_${RAW}`,
  `TX_${RAW.toUpperCase()}`,
  `\u200bch_${RAW}\u202c`,
  `\`ch_${RAW}\``,
  `*${RAW}*.`,
  `"ch_${RAW}",`,
  `ch_${RAW.replaceAll("-", "\u2011")}`,
  `ch_${RAW}\r`,
])("the cell %j of a shop names the payment", (cell) => {
  expect(toPlainId(cell)).toBe(RAW);
});

test("a cell that holds no id stays as it is, in small letters", () => {
  expect(toPlainId(" Order_7* ")).toBe("order_7*");
});
