import { expect, it } from "vitest";
import { orderIn, orderKey } from "../../../src/base/kernel/order-name.js";

it.each([
  ["#2041", "2041"],
  ["# 2041", "2041"],
  ["pedido 2041", "2041"],
  ["Pedido #2041", "2041"],
  ["PEDIDO Nº 2041", "2041"],
  ["pedido n. 2041", "2041"],
  ["pedido número 2041", "2041"],
  ["pedido: A-17/b", "A-17/b"],
  ["order 8003", "8003"],
  ["Order no. 8003", "8003"],
  ["order id 8003", "8003"],
  ["  compra 9 ", "9"],
  ["pedido#9", "9"],
  ["pedido nº9", "9"],
])("%s names the order %s", (text, name) => {
  expect([orderIn(text), orderKey(text)]).toEqual([name, name.toLowerCase()]);
});

it.each(["2041", "pedido", "pedido azul", "maria 2041", "pedidos 2041 e 2042", "#", "order of 2041", "order2041"])(
  "%s has no such words before a name",
  (text) => {
    expect([orderIn(text), orderKey(text)]).toEqual([null, text]);
  },
);
