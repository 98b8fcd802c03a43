import { describe, expect, test } from "vitest";
import { type PaletteGroup, rankOf } from "../../../src/web/console/browser/words/palette-rank.js";

const entry = (group: PaletteGroup, text: string, about = "") => ({ group, text, about });
const PAYOUTS = entry("page", "Payouts");
const PAY = entry("actions", "Pay");
const CANCEL = entry("actions", "Cancel payment");
const COMMAND = entry("commands", "Pay a charge as a simulated payer", "qa-pay sandbox pay");
const LIST = entry("commands", "List payments and charges", "qa-pay payments list");
const CHARGE = entry("objects", "charge of R$ 19,90, paid, customer Maria");
const EMAIL = { ...entry("objects", "e-mail to owner@qa-pay.test"), isMinor: true };
const ALL = [EMAIL, CHARGE, PAYOUTS, LIST, CANCEL, COMMAND, PAY];

function order(query: string): string[] {
  return ALL.map((one) => ({ text: one.text, rank: rankOf(one, query) }))
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => Number(a.rank) - Number(b.rank))
    .map(({ text }) => text);
}

describe("the order of the palette", () => {
  test("an action of the page comes first, then commands with the word, pages, commands that begin so, objects, e-mails", () => {
    expect(order("pay")).toEqual([PAY, CANCEL, COMMAND, PAYOUTS, LIST, CHARGE, EMAIL].map(({ text }) => text));
  });

  test("a command is found by its words, in front of what the server finds", () => {
    expect(order("pay a charge")).toEqual([COMMAND, LIST, CHARGE, EMAIL].map(({ text }) => text));
  });

  test("a page is first by its whole name, without case and accents, and also found by some of its letters", () => {
    expect(rankOf(entry("page", "Devoluções"), "devolucoes")).toBe(0);
    expect(rankOf(PAYOUTS, "PAYOUTS")).toBe(0);
    expect(rankOf(PAYOUTS, "pyts")).toBe(7);
    expect(rankOf(PAYOUTS, "stp")).toBeNull();
  });

  test("the page of a name is first, in the singular too, and by other words for what it has", () => {
    const refunds = { ...entry("page", "Refunds"), also: ["money back", "estorno"] };
    const accounts = { ...entry("page", "Accounts and keys"), also: ["token"] };
    const command = entry("commands", "Refund a payment", "qa-pay payments refund");
    const best = (query: string) =>
      [CHARGE, EMAIL, command, refunds, accounts]
        .map((one) => ({ text: one.text, rank: rankOf(one, query) ?? 99 }))
        .toSorted((a, b) => a.rank - b.rank)[0]?.text;
    for (const query of ["refund", "Refunds", "estorno", "money back"]) expect(best(query)).toBe("Refunds");
    for (const query of ["key", "keys", "token"]) expect(best(query)).toBe("Accounts and keys");
    expect(best("refund a payment")).toBe("Refund a payment");
  });

  test("a number and its unit are found with and without a space", () => {
    const hour = entry("settings", "Advance the clock by 1 h");
    expect(rankOf(hour, "1h")).toBe(4);
    expect(rankOf(hour, "1 h")).toBe(4);
    expect(rankOf(hour, "2h")).toBeNull();
  });

  test("a command is found by its own words, and a setting is not found by a word that it lacks", () => {
    expect(rankOf(LIST, "payments list")).toBe(3);
    expect(rankOf(entry("settings", "Theme: dark"), "pay")).toBeNull();
  });
});
