import { describe, expect, it } from "vitest";
import type { Fee } from "../../../../src/base/kernel/money.js";
import { balance, expectCharge } from "../../../support/charges.js";
import type { TestEmulator } from "../../../support/emulator.js";
import { ownEmulator } from "../../../support/shared.js";

const NONE: Fee = { fixed: 0, bps: 0 };

function withFees(provider: Fee, platform: Fee): Promise<TestEmulator> {
  return ownEmulator({ frozen: true, fees: { PIX: { provider, platform } } });
}

/** The net amount of a payment of `amount`, by the wallet and by the events. */
async function settle(emulator: TestEmulator, amount: number): Promise<unknown> {
  const { id } = await emulator.charge({ amount });
  const { charge } = await emulator.sandbox(`/charges/${id}/pay`);
  expectCharge(charge);
  expect(charge.amount).toBe(amount);
  const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.completed`);
  const { providerFee, platformFee, netAmount, paidWith } = data[0].payload.data;
  expect([paidWith, (await balance(emulator)).available]).toEqual(["PIX", netAmount]);
  return [providerFee, platformFee, netAmount];
}

describe("fees", () => {
  it("are none by default", async () => {
    const emulator = await ownEmulator({ frozen: true });
    expect(await settle(emulator, 1990)).toEqual([0, 0, 1990]);
  });

  it.each<[number, Fee, Fee, number[]]>([
    [10_000, NONE, { fixed: 30, bps: 99 }, [0, 129, 9_871]],
    [10_000, { fixed: 5, bps: 10 }, { fixed: 30, bps: 99 }, [15, 129, 9_856]],
    // Half a centavo goes up.
    [50, NONE, { fixed: 0, bps: 100 }, [0, 1, 49]],
    [49, NONE, { fixed: 0, bps: 100 }, [0, 0, 49]],
    [150, NONE, { fixed: 0, bps: 100 }, [0, 2, 148]],
    // Together they never take more than there is; the provider comes first.
    [20, { fixed: 15, bps: 0 }, { fixed: 30, bps: 0 }, [15, 5, 0]],
    [10, { fixed: 15, bps: 0 }, { fixed: 30, bps: 0 }, [10, 0, 0]],
    [1, NONE, { fixed: 0, bps: 10_000 }, [0, 1, 0]],
    // Exact where a floating-point product would not be.
    [999_999_999_999, NONE, { fixed: 0, bps: 9_999 }, [0, 999_899_999_999, 100_000_000]],
  ])("of %d by %o and %o", async (amount, provider, platform, expected) => {
    expect(await settle(await withFees(provider, platform), amount)).toEqual(expected);
  });
});
