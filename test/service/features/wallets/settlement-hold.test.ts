import { beforeEach, describe, expect, it } from "vitest";
import { balance } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { sharedEmulator } from "../../../support/shared.js";

const DAY = 86_400;

const platform = { fixed: 10, bps: 0 };
const fees = { PIX: { provider: { fixed: 0, bps: 0 }, platform } };
const emulator = sharedEmulator({ frozen: true, settlementHoldMs: DAY * 1_000, fees });
beforeEach(() => emulator.sandbox("/reset"));

const now = async () => Date.parse((await emulator.sandbox("/clock")).now);
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
async function paid(amount: number): Promise<void> {
  const { id } = await emulator.charge({ amount });
  await emulator.sandbox(`/charges/${id}/pay`);
}
const money = async (): Promise<Loose> => {
  const { available, pending, total, next_release_at, next_release_amount } = await balance(emulator);
  return { available, pending, total, next_release_at, next_release_amount };
};

describe("settled money that is held", () => {
  it("is pending without its fees, and the balance shows when it is released", async () => {
    await paid(1_000);
    const release = new Date((await now()) + DAY * 1_000).toISOString();
    expect(await balance(emulator)).toStrictEqual({
      available: 0,
      pending: 990,
      total: 990,
      retained: 0,
      currency: "BRL",
      next_release_at: release,
      next_release_amount: 990,
      balances: [{ currency: "BRL", available: 0, pending: 990, total: 990 }],
      primary: { currency: "BRL", available: 0, pending: 990, total: 990 },
    });
    expect(await balance(emulator, emulator.key, "?currency=BRL")).toStrictEqual({
      available: 0,
      pending: 990,
      currency: "BRL",
      next_release_at: release,
      next_release_amount: 990,
    });
    const { body } = await emulator.call("GET", "/v1/wallets");
    expect(body).toEqual([{ currency: "BRL", walletType: "OPERATIONAL", balance: 0, pendingBalance: 990 }]);
  });

  it("becomes available at its instant, not a millisecond before", async () => {
    await paid(1_000);
    await advance(DAY - 0.001);
    expect(await money()).toMatchObject({ available: 0, pending: 990, next_release_amount: 990 });
    await advance(0.001);
    expect(await money()).toEqual({
      available: 990,
      pending: 0,
      total: 990,
      next_release_at: null,
      next_release_amount: null,
    });
  });

  it("that is used up by fees creates no tranche", async () => {
    await paid(10);
    expect(await money()).toMatchObject({ available: 0, pending: 0, next_release_at: null });
    await advance(2 * DAY);
    expect(await money()).toMatchObject({ available: 0, pending: 0 });
  });
});
