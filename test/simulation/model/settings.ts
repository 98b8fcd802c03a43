/** The settings under which a simulation runs, in milliseconds and centavos. */

interface Fee {
  readonly fixed: number;
  readonly bps: number;
}

export const FEES: Readonly<Record<string, { readonly provider: Fee; readonly platform: Fee }>> = {
  PIX: { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } },
  CREDIT_CARD: { provider: { fixed: 25, bps: 250 }, platform: { fixed: 9, bps: 45 } },
  PIX_OUT: { provider: { fixed: 12, bps: 0 }, platform: { fixed: 7, bps: 11 } },
};

export const SETTLEMENT_HOLD = 120_000;
export const RETRY_BASE = 7_000;
export const MAX_RETRY = 6 * 3_600_000;
export const MAX_ATTEMPTS = 4;
export const REFUND_STEP = 2_000;
export const CHARGE_LIFE = 3_600_000;
export const LARGEST_CHARGE_LIFE = 86_400_000;
export const DEVOLUTION_WINDOW = 90 * 86_400_000;
/** The largest amount that any request may name. */
export const LARGEST_AMOUNT = 999_999_999_999;
/** The instant at which every run begins, and to which a reset returns. */
export const START = Date.UTC(2026, 10, 21, 12, 0, 0);

/** A share in basis points, rounded half up. */
function share(amount: number, bps: number): number {
  const exact = BigInt(amount) * BigInt(bps);
  const whole = exact / 10_000n;
  return Number(exact % 10_000n >= 5_000n ? whole + 1n : whole);
}

/** Both fees of a settlement: together they never exceed the amount, and the provider takes its own first. */
export function feesOf(method: string, amount: number): { provider: number; platform: number } {
  const fee = FEES[method];
  if (fee === undefined) return { provider: 0, platform: 0 };
  const provider = Math.min(amount, fee.provider.fixed + share(amount, fee.provider.bps));
  const platform = Math.min(amount - provider, fee.platform.fixed + share(amount, fee.platform.bps));
  return { provider, platform };
}
