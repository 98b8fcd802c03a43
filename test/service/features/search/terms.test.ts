import { expect, it } from "vitest";
import { termsOf } from "../../../../src/service/features/search/terms.js";

it.each([
  ["19,90, Maria", ["19,90", "Maria"]],
  ["R$ 1.234,56 maria; silva", ["R$ 1.234,56", "maria", "silva"]],
  ["maria 30 reais", ["maria", "30 reais"]],
  ["30 reais", []],
  ["maria pedido 2041", ["maria", "pedido 2041"]],
  ["#2041, maria", ["#2041", "maria"]],
  ["maria pedido nº 2041; 19,90", ["maria", "pedido nº 2041", "19,90"]],
  ["pedido azul", ["pedido", "azul"]],
  ["Maria Silva ,", ["Maria", "Silva"]],
  ["silva@example.com", []],
  ["one two three four five six", []],
])("a search with several terms %j is the terms %j", (q, terms) => {
  expect(termsOf(q)).toEqual(terms);
});
