import { describe, expect, it } from "vitest";
import { createdAt, type Found, foundLine } from "../../../src/web/console/browser/words/found.js";
import "../../support/console-texts.js";

/** An id of 4 December 2026, at noon. */
const NOON = new Date(2026, 11, 4, 12).getTime();
const hex = NOON.toString(16).padStart(12, "0");
const raw = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-3b5f5a4815a1`;

const found = (kind: Found["kind"], id: string, parts: Found["parts"]): Found => ({ kind, id, parts, text: "" });

describe("a result of the search", () => {
  it("is amount, state, person and day, and no id", () => {
    const charge = found("charge", `ch_${raw}`, [
      { code: "charge", params: { amount: 34_900, currency: "BRL" } },
      { code: "value", params: { value: "paid" } },
      { code: "customer", params: { text: "Luíza Cavalcanti" } },
    ]);
    expect(foundLine(charge, "en")).toEqual({
      text: "R$ 349,00",
      status: "PAID",
      rest: ["Luíza Cavalcanti", "4 Dec"],
    });
    expect(foundLine(charge, "pt-BR").rest).toEqual(["Luíza Cavalcanti", "4 dez"]);
  });

  it("says what else it is, and why it matches", () => {
    const refund = found("refund", `re_${raw}`, [
      { code: "refund", params: { amount: 1_000, currency: "BRL" } },
      { code: "value", params: { value: "PENDING" } },
      { code: "about_charge", params: { charge: "ch_1" } },
    ]);
    expect(foundLine(refund, "en")).toEqual({
      text: "Refund of R$ 10,00",
      status: "PENDING",
      rest: ["about ch_1", "4 Dec"],
    });
    const account = found("account", "acc_1", [{ code: "account", params: { name: "Loja" } }]);
    expect(foundLine(account, "pt-BR")).toEqual({ text: "Conta Loja", status: null, rest: [] });
  });

  it("knows its day by its id alone", () => {
    expect(createdAt(raw)).toBe(NOON);
    expect(createdAt("before-refund")).toBeNull();
  });
});
