import { type MoneyObjects, SUMMED, type Summed } from "../money-objects.js";

/** The comparison of objects with the ledger. */

/** A whole number as text, which JavaScript reads with BigInt. */
export type ExactSum = string;

export const exact = (sql: string) => `CAST(${sql} AS TEXT)`;

export function isIn(sum: Summed): string {
  return sum === "wallet" ? "e.bucket IN ('available', 'pending')" : `e.bucket = '${sum}'`;
}

/** Returns SQL for the public id of a journal's object. */
export function publicReference(money: readonly MoneyObjects[]): string {
  const named = money.filter(({ journals }) => journals !== undefined);
  const others = money.find(({ journals }) => journals === undefined);
  const cases = named.map(({ journals, prefix }) => `WHEN kind GLOB '${journals}' THEN ${prefix}`);
  return `CASE ${cases.join(" ")} ELSE ${others?.prefix ?? "''"} END || reference`;
}

/** The amounts that the objects of a table have. The others must be zero in the ledger. */
export const namesToCompare = ({ owed }: MoneyObjects) => SUMMED.filter((name) => owed[name] !== undefined);

/** A number that only another program writes may be larger than JavaScript holds exactly. Some drivers refuse to return it. */
export const roundedSql = (number: string) => `CAST(${number} AS REAL)`;

/** Exact amounts by currency and bucket, or by another name. An amount that is missing is zero. */
export function createSums() {
  const sums = new Map<string, Map<string, bigint>>();
  return {
    add(currency: string, bucket: string, amount: ExactSum | number | bigint): void {
      const ofCurrency = sums.get(currency) ?? new Map<string, bigint>();
      sums.set(currency, ofCurrency.set(bucket, (ofCurrency.get(bucket) ?? 0n) + BigInt(amount)));
    },
    of: (currency: string, bucket: string) => sums.get(currency)?.get(bucket) ?? 0n,
    currencies: () => [...sums.keys()],
  };
}
export type Sums = ReturnType<typeof createSums>;
