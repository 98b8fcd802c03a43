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

/** Digits behind the point of currencies that ISO 4217 does not know. */
const CRYPTO_DECIMALS: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, BTC: 8 };

function formatOf(currency: string): Intl.NumberFormat | null {
  try {
    return new Intl.NumberFormat("pt-BR", { style: "currency", currency });
  } catch {
    return null;
  }
}

/** How many digits the smallest unit of a currency stands behind the point. */
export function decimalsOf(currency: string): number {
  return CRYPTO_DECIMALS[currency] ?? formatOf(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * An amount of the smallest unit as a person in Brazil reads it: `R$ 1.234,56`, `€ 19,90`, `12,500000 USDT` (with an
 * ordinary space, so that it can be searched and copied).
 */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const value = amount / 10 ** decimals;
  const format = currency in CRYPTO_DECIMALS ? null : formatOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = format === null ? `${value.toLocaleString("pt-BR", digits)} ${currency}` : format.format(value);
  return text.replace(/\u00a0/g, " ");
}

/** `R$ 1.234,56`. */
export function formatBrl(centavos: number): string {
  return formatMoney(centavos, "BRL");
}
