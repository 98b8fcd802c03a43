/**
 * Multibanco references: an entity of five digits and a reference of nine, the last two of which check entity,
 * reference and amount.
 *
 * Source: SIBS check digits as issuers publish them (weights modulo 97).
 */

/** The emulator's entity: a number that no issuer has. */
export const MULTIBANCO_ENTITY = "99999";

/** Cents: 1 EUR to 999 999,99 EUR. */
export const MULTIBANCO_MIN_AMOUNT = 100;
export const MULTIBANCO_MAX_AMOUNT = 99_999_999;

/** Returns the nine digits of a reference. `seven` are the issuer's own digits, `amount` is in cents. */
export function multibancoReference(entity: string, seven: string, amount: number): string {
  const number = BigInt(entity + seven + String(amount).padStart(8, "0"));
  const check = 98n - ((number * 100n) % 97n);
  return seven + check.toString().padStart(2, "0");
}

export function sevenDigitsOf(id: string): string {
  return (BigInt(`0x${id.replaceAll("-", "")}`) % 10_000_000n).toString().padStart(7, "0");
}
