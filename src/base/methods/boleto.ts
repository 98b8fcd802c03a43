import { DAY } from "../kernel/duration.js";
import { saoPauloDay } from "../kernel/time.js";

/**
 * Bank boletos: the 44 digits of the barcode and the 47 of the line that people type.
 *
 * Source: BCB, Carta-Circular 2.926/2000; the due factor starts over on 2025-02-22 (FEBRABAN).
 */

/** Ten digits: R$ 99.999.999,99. */
export const BOLETO_MAX_AMOUNT = 9_999_999_999;

/** 1997-10-07 is the day with factor 0. The same factors come back every FACTOR_CYCLE days. */
const FACTOR_BASE = Date.UTC(1997, 9, 7) / DAY;
const FACTOR_CYCLE = 9_000;

export interface Boleto {
  /** Three digits. */
  readonly bank: string;
  /** Any instant of the due day in São Paulo, milliseconds since the epoch. */
  readonly dueAt: number;
  /** Centavos, at most BOLETO_MAX_AMOUNT. */
  readonly amount: number;
  /** 25 digits at the bank's disposal. */
  readonly freeField: string;
}

/** Returns the four digits that stand for the due day: 1000 to 9999, and then from 1000 again. */
function dueFactor(dueAt: number): string {
  const days = saoPauloDay(dueAt) - FACTOR_BASE;
  return String(days < 10_000 ? days : ((days - 1_000) % FACTOR_CYCLE) + 1_000).padStart(4, "0");
}

/**
 * Returns the check digit of one field of the line: weights 2 and 1 from the right, digits of each product added up.
 */
function mod10(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const product = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** Returns the check digit of the whole barcode: weights 2 to 9 from the right. It is never 0. */
function mod11(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => total + Number(digit) * (2 + (index % 8)), 0);
  const digit = 11 - (sum % 11);
  return digit >= 10 ? "1" : String(digit);
}

/**
 * Returns the 44 digits of the barcode.
 *
 * @throws RangeError when the amount has too many digits.
 */
export function boletoBarcode({ bank, dueAt, amount, freeField }: Boleto): string {
  if (amount > BOLETO_MAX_AMOUNT) throw new RangeError(`A boleto has no room for ${amount} centavos`);
  const tail = dueFactor(dueAt) + String(amount).padStart(10, "0") + freeField;
  return `${bank}9${mod11(`${bank}9${tail}`)}${tail}`;
}

/** Returns the 47 digits that people type where there is no barcode reader. */
export function digitableLine(barcode: string): string {
  const free = barcode.slice(19);
  const fields = [barcode.slice(0, 4) + free.slice(0, 5), free.slice(5, 15), free.slice(15)];
  return fields.map((field) => field + mod10(field)).join("") + barcode.slice(4, 19);
}

export function freeFieldOf(id: string): string {
  return (BigInt(`0x${id.replaceAll("-", "")}`) % 10n ** 25n).toString().padStart(25, "0");
}
