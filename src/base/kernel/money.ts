import { trimPasted } from "./pasted-text.js";

/** Money is a whole number of the smallest unit of its currency, such as centavos for BRL. */

/** The largest amount that the service accepts, in the smallest unit. */
export const MAX_AMOUNT = 999_999_999_999;

/** The largest sum (docs/service/wallets.md#largest-sum): a larger whole number is not exact in most readers of JSON. */
export const MAX_SUM = Number.MAX_SAFE_INTEGER;

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

interface Notation {
  readonly format: Intl.NumberFormat;
  readonly decimals: number;
  /** Behind the number, where the format does not name the currency. */
  readonly name: string;
}

/** Formats by currency: creating a format takes far longer than using it. The service has fewer currencies than this. */
const notations = new Map<string, Notation>();
const MOST_NOTATIONS = 50;

function plainNotation(currency: string, decimals: number): Notation {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return { format: new Intl.NumberFormat("pt-BR", digits), decimals, name: ` ${currency}` };
}

function newNotation(currency: string): Notation {
  const decimals = CRYPTO_DECIMALS[currency];
  if (decimals !== undefined) return plainNotation(currency, decimals);
  try {
    const format = new Intl.NumberFormat("pt-BR", { style: "currency", currency });
    return { format, decimals: format.resolvedOptions().maximumFractionDigits ?? 2, name: "" };
  } catch {
    return plainNotation(currency, 2);
  }
}

function notationOf(currency: string): Notation {
  let notation = notations.get(currency);
  if (notation === undefined) {
    if (notations.size >= MOST_NOTATIONS) notations.clear();
    notation = newNotation(currency);
    notations.set(currency, notation);
  }
  return notation;
}

export function decimalsOf(currency: string): number {
  // A start needs these alone, and the first format takes ten milliseconds to create.
  return CRYPTO_DECIMALS[currency] ?? notationOf(currency).decimals;
}

/** The digits of a whole number of smallest units, with a mark before its decimals. A division would round a large amount. */
function digitsOf(amount: number | bigint, decimals: number, mark: string): string {
  const digits = String(amount)
    .replace("-", "")
    .padStart(decimals + 1, "0");
  const end = digits.length - decimals;
  const fraction = decimals === 0 ? "" : mark + digits.slice(end);
  return `${amount < 0 ? "-" : ""}${digits.slice(0, end)}${fraction}`;
}

/** An amount in whole units of its currency. */
function inUnits(amount: number | bigint, decimals: number): number | Intl.StringNumericLiteral {
  // Another host may answer anything as an amount.
  if (typeof amount === "number" && !Number.isSafeInteger(amount)) return amount / 10 ** decimals;
  return digitsOf(amount, decimals, ".") as Intl.StringNumericLiteral;
}

/** An amount as a Brazilian spreadsheet reads it as a number: `1234,56`. */
export function spreadsheetMoney(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  if (Number.isSafeInteger(amount)) return digitsOf(amount, decimals, ",");
  return String(amount / 10 ** decimals).replace(".", ",");
}

/** An amount as in Brazil: `R$ 1.234,56`, `€ 19,90`, `12,500000 USDT`, with plain spaces so that it can be searched. */
export function formatMoney(amount: number | bigint, currency: string): string {
  const { format, decimals, name } = notationOf(currency);
  return `${format.format(inUnits(amount, decimals))}${name}`.replace(/\u00a0/g, " ");
}

export function formatBrl(centavos: number): string {
  return formatMoney(centavos, "BRL");
}

/**
 * Returns the centavos of an amount such as `R$ 19,90`, `19,90`, `R$ 20` or `R$ 1.234,56`. Digits alone are centavos:
 * `1990`. Returns null for other text, and for `19.90`: its dot could separate thousands or centavos.
 */
export function parseAmount(text: string): number | null {
  const [, sign, reais, cents] = /^(R\$)?\s*(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{2}))?$/i.exec(trimPasted(text)) ?? [];
  if (reais === undefined) return null;
  if (sign === undefined && cents === undefined) return reais.includes(".") ? null : Number(reais);
  return Number(reais.replaceAll(".", "") + (cents ?? "00"));
}

const BRAZILIAN = /^(R\$)?\s*(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2}))?$/i;
const ENGLISH = /^(R\$)?\s*(\d+|\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/i;

/**
 * Returns the centavos of a price in reais, with a comma or a dot before its centavos: `19,90`, `19.90`, `R$ 20`, `20 reais`,
 * `1.234,56` or `1,234.56`. Returns null for other text, for digits alone, and for `1.990`, whose dot may separate thousands.
 */
export function readPrice(text: string): number | null {
  const written = trimPasted(text).replace(/^(\d[\d.,]*)\s*rea(?:l|is)$/i, "R$ $1");
  const [, sign, reais, cents] = BRAZILIAN.exec(written) ?? ENGLISH.exec(written) ?? [];
  if (reais === undefined || (sign === undefined && cents === undefined)) return null;
  const centavos = Number(reais.replace(/[.,]/g, "") + (cents ?? "").padEnd(2, "0"));
  return centavos <= MAX_AMOUNT ? centavos : null;
}

/** The same, but only for an unambiguous price: some programs write 1990 centavos as `1990.0`, which returns null here. */
export function certainPrice(text: string): number | null {
  return /^\d+\.0$/.test(trimPasted(text)) ? null : readPrice(text);
}
