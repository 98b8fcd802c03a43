import { DAY, MINUTE } from "../../../base/kernel/duration.js";
import { namesOf } from "../../../base/kernel/names.js";
import { saoPauloDay, saoPauloMidnight } from "../../../base/kernel/time.js";

/** The methods of payment: currencies, time to pay, and refunds (docs/service/payments.md#methods). */

interface Method {
  readonly currencies: readonly string[];
  /** Returns the default end of its time to pay: milliseconds since the epoch. */
  readonly expires: (createdAt: number) => number;
  readonly refundable: boolean;
}

const after = (ms: number) => (createdAt: number) => createdAt + ms;

/** The due date is the third day after the creation. A boleto can be paid until that day ends in São Paulo. */
function endOfThirdDay(createdAt: number): number {
  return saoPauloMidnight(saoPauloDay(createdAt) + 4) - 1;
}

export const PAYMENT_METHODS = {
  PIX: { currencies: ["BRL"], expires: after(60 * MINUTE), refundable: true },
  CREDIT_CARD: { currencies: ["BRL", "EUR", "USD"], expires: after(60 * MINUTE), refundable: true },
  // The session on the payer's phone dies after four minutes.
  MBWAY: { currencies: ["EUR"], expires: after(4 * MINUTE), refundable: false },
  MULTIBANCO: { currencies: ["EUR"], expires: after(7 * DAY), refundable: false },
  BOLETO: { currencies: ["BRL"], expires: endOfThirdDay, refundable: false },
  CRYPTO: { currencies: ["USDT", "USDC", "BTC"], expires: after(60 * MINUTE), refundable: false },
} as const satisfies Record<string, Method>;

export type PaymentMethod = keyof typeof PAYMENT_METHODS;

export const METHOD_NAMES = namesOf(PAYMENT_METHODS);

export type ChargeMethod = Lowercase<PaymentMethod>;

export function chargeMethod(method: PaymentMethod): ChargeMethod {
  return method.toLowerCase() as ChargeMethod;
}

export const CHARGE_METHODS = METHOD_NAMES.map(chargeMethod);

/** Returns methods as the database stores them: `,PIX,BOLETO,`, so that `,PIX,` finds one. */
export function packMethods(methods: readonly PaymentMethod[]): string {
  return `,${methods.join(",")},`;
}

interface WithMethods {
  readonly payment_methods: string;
}

export function methodsOf({ payment_methods }: WithMethods): PaymentMethod[] {
  return payment_methods.slice(1, -1).split(",") as PaymentMethod[];
}

export function hasMethod({ payment_methods }: WithMethods, method: PaymentMethod): boolean {
  return payment_methods.includes(`,${method},`);
}

/** Returns the method of a payer who names none: Pix, or else the first method of the transaction. */
export function defaultMethod(row: WithMethods): PaymentMethod {
  return hasMethod(row, "PIX") ? "PIX" : (methodsOf(row)[0] ?? "PIX");
}

/** The deadline for paying with one of the methods of a transaction, which expires with its last method. */
export function methodExpiry(
  row: WithMethods & { readonly created_at: number; readonly expires_at: number },
  method: PaymentMethod,
): number {
  const isOnly = row.payment_methods === packMethods([method]);
  return isOnly ? row.expires_at : PAYMENT_METHODS[method].expires(row.created_at);
}
