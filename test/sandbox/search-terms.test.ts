import { describe, expect, it } from "vitest";
import { termsOf, withAllTerms } from "../../src/sandbox/search/terms.js";

describe("a search with several terms", () => {
  it.each([
    ["19,90, Maria", ["19,90", "Maria"]],
    ["R$ 1.234,56 maria; silva", ["R$ 1.234,56", "maria", "silva"]],
    ["Maria Silva ,", ["Maria", "Silva"]],
    ["silva@example.com", []],
    ["one two three four five six", []],
  ])("%j is the terms %j", (q, terms) => {
    expect(termsOf(q)).toEqual(terms);
  });

  const charge = (id: string, text: string) => ({ kind: "charge" as const, id, text });
  const maria = charge("ch_1", "charge of R$\u00a019,90, paid, payer Maria João");
  const dear = charge("ch_2", "charge of R$\u00a087,65, paid, payer Maria João");
  const ana = charge("ch_3", "charge of R$\u00a019,90, paid, payer Ana");
  const metadata = charge("ch_4", "charge of R$\u00a05,00, paid, payer Rui");

  it("finds what every term has found", () => {
    expect(withAllTerms(["7731", "order-8"], [[maria, metadata], [metadata]])).toEqual([metadata]);
  });

  it("finds what one term has found when its sentence has the others: of a frequent amount only the newest are found", () => {
    const terms = ["r$ 19,90", "Joao"];
    expect(withAllTerms(terms, [[ana], [maria, dear]])).toEqual([maria]);
  });
});
