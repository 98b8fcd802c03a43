/** Money is an integer of the smallest unit of its currency (centavos for BRL); nothing here makes a fraction. */

/** The largest amount the service takes, in the smallest unit. */
export const MAX_AMOUNT = 999_999_999_999;

export interface Fee {
  /** Smallest units per transaction. */
  readonly fixed: number;
  /** Basis points of the amount: 99 is 0.99 %. */
  readonly bps: number;
}

/** The two fees of a settled transaction and what is left, all in the smallest unit. */
export interface FeeSplit {
  readonly providerFee: number;
  readonly platformFee: number;
  readonly netAmount: number;
}

/** `amount` × `bps` / 10 000 rounded half up, exact for every amount the service takes. */
function share(amount: number, bps: number): number {
  return Number((BigInt(amount) * BigInt(bps) + 5_000n) / 10_000n);
}

/** Both fees of a settlement. Together they never exceed the amount: the provider is paid first. */
export function splitFees(amount: number, provider: Fee, platform: Fee): FeeSplit {
  const providerFee = Math.min(amount, provider.fixed + share(amount, provider.bps));
  const platformFee = Math.min(amount - providerFee, platform.fixed + share(amount, platform.bps));
  return { providerFee, platformFee, netAmount: amount - providerFee - platformFee };
}

const BRL = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" });

/** `R$ 1.234,56`, as a person in Brazil reads it (with an ordinary space, so that it can be searched and copied). */
export function formatBrl(centavos: number): string {
  return BRL.format(centavos / 100).replace(/\u00a0/g, " ");
}
