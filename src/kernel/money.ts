/** Money is a whole number of the smallest unit of its currency, such as centavos for BRL. */

/** The largest amount that the service accepts, in the smallest unit. */
export const MAX_AMOUNT = 999_999_999_999;

export interface Fee {
  /** Smallest units per transaction. */
  readonly fixed: number;
  /** Basis points of the amount: 99 is 0.99 %. */
  readonly bps: number;
}

/** The two fees of a settled transaction and the net amount, all in the smallest unit. */
export interface FeeSplit {
  readonly providerFee: number;
  readonly platformFee: number;
  readonly netAmount: number;
}

/** `amount` × `bps` / 10 000, rounded half up. Exact for every amount that the service accepts. */
function share(amount: number, bps: number): number {
  return Number((BigInt(amount) * BigInt(bps) + 5_000n) / 10_000n);
}

/** Splits an amount into both fees and the net amount. The fees never exceed the amount; the provider is paid first. */
export function splitFees(amount: number, provider: Fee, platform: Fee): FeeSplit {
  const providerFee = Math.min(amount, provider.fixed + share(amount, provider.bps));
  const platformFee = Math.min(amount - providerFee, platform.fixed + share(amount, platform.bps));
  return { providerFee, platformFee, netAmount: amount - providerFee - platformFee };
}

/** The number of decimal places of currencies that ISO 4217 does not have. */
const CRYPTO_DECIMALS: Readonly<Record<string, number>> = { USDT: 6, USDC: 6, BTC: 8 };

/** Formats by currency: to make one takes far longer than to use it. The service has fewer currencies than this. */
const formats = new Map<string, Intl.NumberFormat | null>();
const MOST_FORMATS = 50;

function newFormat(currency: string): Intl.NumberFormat | null {
  try {
    return new Intl.NumberFormat("pt-BR", { style: "currency", currency });
  } catch {
    return null;
  }
}

function formatOf(currency: string): Intl.NumberFormat | null {
  const known = formats.get(currency);
  if (known !== undefined) return known;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const format = newFormat(currency);
  formats.set(currency, format);
  return format;
}

/** The number of decimal places of a currency. */
export function decimalsOf(currency: string): number {
  return CRYPTO_DECIMALS[currency] ?? formatOf(currency)?.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * An amount in the notation of Brazil: `R$ 1.234,56`, `€ 19,90`, `12,500000 USDT`. The space is an ordinary one, so that
 * the text can be searched.
 */
export function formatMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  const value = amount / 10 ** decimals;
  const format = currency in CRYPTO_DECIMALS ? null : formatOf(currency);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = format === null ? `${value.toLocaleString("pt-BR", digits)} ${currency}` : format.format(value);
  return text.replace(/\u00a0/g, " ");
}

/** An amount in centavos as `R$ 1.234,56`. */
export function formatBrl(centavos: number): string {
  return formatMoney(centavos, "BRL");
}

/**
 * Returns the centavos of an amount such as `R$ 19,90`, `19,90`, `R$ 20` or `R$ 1.234,56`. Digits alone are centavos:
 * `1990`. Returns null for other text, and for `19.90`: its dot could separate thousands or centavos.
 */
export function parseAmount(text: string): number | null {
  const [, sign, reais, cents] = /^(R\$)?\s*(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{2}))?$/i.exec(text.trim()) ?? [];
  if (reais === undefined) return null;
  if (sign === undefined && cents === undefined) return reais.includes(".") ? null : Number(reais);
  return Number(reais.replaceAll(".", "") + (cents ?? "00"));
}
