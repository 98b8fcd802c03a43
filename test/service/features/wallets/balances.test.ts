import { beforeEach, describe, expect, it } from "vitest";
import { balance, DOCUMENTS } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const wallets = (key = emulator.key) => emulator.call("GET", "/v1/wallets", { key });
async function paid(amount: number, key = emulator.key): Promise<Loose> {
  const charge = await emulator.charge({ amount }, { key });
  return emulator.sandbox(`/charges/${charge.id}/pay`, {}, { key });
}

describe("the balance", () => {
  const full = (available: number) => ({
    available,
    pending: 0,
    total: available,
    retained: 0,
    currency: "BRL",
    next_release_at: null,
    next_release_amount: null,
    balances: [{ currency: "BRL", available, pending: 0, total: available }],
    primary: { currency: "BRL", available, pending: 0, total: available },
  });

  it("has the full shape, zero before anything happened", async () => {
    expect(await balance(emulator)).toStrictEqual(full(0));
  });

  it("is the amount that was paid, once and immediately", async () => {
    await paid(1990);
    await paid(10);
    expect(await balance(emulator)).toStrictEqual(full(2000));
  });

  it("has the flat shape for one currency", async () => {
    await paid(1990);
    expect(await balance(emulator, emulator.key, "?currency=BRL")).toStrictEqual({
      available: 1990,
      pending: 0,
      currency: "BRL",
      next_release_at: null,
      next_release_amount: null,
    });
  });

  it.each(["EUR", "USDT", "ABCDEFGH"])("of %s, of which there is no wallet, is zero", async (currency) => {
    expect(await balance(emulator, emulator.key, `?currency=${currency}`)).toStrictEqual({
      available: 0,
      pending: 0,
      currency,
      next_release_at: null,
      next_release_amount: null,
    });
  });

  it.each(["", "br", "BR", "brl", "ABCDEFGHI", "BRL ", "B2L", "BRL,EUR", "R$"])(
    "of %o is refused",
    async (currency) => {
      const answer = await emulator.call("GET", `/v1/wallets/balance?currency=${encodeURIComponent(currency)}`);
      expectRefused(answer, "invalid_request", "currency");
    },
  );
});

it("the wallets are a bare array with one entry for each currency", async () => {
  expect((await wallets()).body).toStrictEqual([
    { currency: "BRL", walletType: "OPERATIONAL", balance: 0, pendingBalance: 0 },
  ]);
  await paid(1990);
  expect((await wallets()).body).toStrictEqual([
    { currency: "BRL", walletType: "OPERATIONAL", balance: 1990, pendingBalance: 0 },
  ]);
});

it.each<[string, string, object]>([
  ["a failure", "fail", {}],
  ["an expiry", "expire", {}],
  ["too little", "pay", { amount: 1 }],
  ["too much", "pay", { amount: 2_000 }],
  ["the wrong payer", "pay", { payer_document: DOCUMENTS.otherCpf }],
  ["a payer held for review", "pay", { payer_document: null }],
])("what moves no money %s", async (_what, move, body) => {
  const { id } = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
  await emulator.sandbox(`/charges/${id}/${move}`, body);
  expect(await balance(emulator)).toMatchObject({ available: 0, pending: 0, retained: 0, total: 0 });
});
