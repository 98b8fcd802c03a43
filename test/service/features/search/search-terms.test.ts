import { describe, expect, it } from "vitest";
import { withAllTerms } from "../../../../src/service/features/search/merge.js";
import { DOCUMENTS } from "../../../support/charges.js";
import { sharedEmulator } from "../../../support/shared.js";

describe("a search with several terms", () => {
  const part = (value: string) => ({ code: "value" as const, params: { value } });
  const charge = (id: string, ...parts: string[]) => ({
    kind: "charge" as const,
    id,
    parts: parts.map(part),
    person: null,
  });
  const maria = charge("ch_1", "charge of R$\u00a019,90", "paid", "payer Maria João");
  const dear = charge("ch_2", "charge of R$\u00a087,65", "paid", "payer Maria João");
  const ana = charge("ch_3", "charge of R$\u00a019,90", "paid", "payer Ana");
  const metadata = charge("ch_4", "charge of R$\u00a05,00", "paid", "payer Rui");

  it("finds what every term has found", () => {
    expect(withAllTerms(["7731", "order-8"], [[maria, metadata], [metadata]])).toEqual([metadata]);
  });

  it("finds what one term has found when its sentence has the others: of a frequent amount only the newest are found", () => {
    const terms = ["r$ 19,90", "Joao"];
    expect(withAllTerms(terms, [[ana], [maria, dear]])).toEqual([maria]);
  });

  it("says of each object what every term has matched", () => {
    const named = charge("ch_4", "charge of R$\u00a05,00", "paid", "customer Rui Silva");
    const sent = charge("ch_4", "charge of R$\u00a05,00", "paid", "payer Rui", "e-mail rui@loja.example");
    const whole = ["charge of R$\u00a05,00", "paid", "payer Rui", "customer Rui Silva", "e-mail rui@loja.example"];
    expect(withAllTerms(["5,00", "silva", "loja"], [[metadata], [named], [sent]])).toEqual([charge("ch_4", ...whole)]);
  });
});

describe("the answer of a search with several terms", () => {
  const emulator = sharedEmulator({ frozen: true });

  it("says what each term has matched, also where the payer has another name", async () => {
    const pagador = await emulator.charge({
      amount: 5_512,
      customer: { name: "Rita da Silva", email: "rita@padaria.example", document: DOCUMENTS.otherCpf },
      metadata: { description: `${"Pão de queijo, ".repeat(10)}entrega na Rua das Flores` },
    });
    await emulator.sandbox(`/charges/${pagador.id}/pay`, { payer_name: "Pagador de Teste" });
    for (const [q, ...parts] of [
      ["silva 55,12", "R$ 55,12", "customer Rita da Silva"],
      ["pagador silva", "payer Pagador de Teste", "customer Rita da Silva"],
      ["silva padaria flores", "customer Rita da Silva", "e-mail rita@padaria.example", "entrega na Rua das Flores"],
      [`${DOCUMENTS.otherCpf} silva`, "customer has this document: ***.", "customer Rita da Silva"],
      ["rua flores", "entrega na Rua das Flores"],
    ] as const) {
      const [hit, ...others] = (await emulator.sandbox(`/search?${new URLSearchParams({ q })}`)).data;
      expect([q, hit?.id, others]).toEqual([q, pagador.id, []]);
      for (const part of parts) expect(hit?.text).toContain(part);
    }
  });
});
