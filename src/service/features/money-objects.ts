/** How a noun says what the ledger must hold for its objects. */

/** The sums that an object is checked by. `wallet` is `available` and `pending` together. */
export const SUMMED = ["wallet", "review", "clearing", "retained", "provider_fees", "platform_fees"] as const;
export type Summed = (typeof SUMMED)[number];

/** A table of objects, with SQL for the amounts that the ledger must hold for each object. */
export interface MoneyObjects {
  /** SQL for the prefix of the public id of the journal's object, which is `reference`. */
  readonly prefix: string;
  readonly table: string;
  /** A pattern (GLOB) for the kinds of their journals. The objects without one have all journals that no pattern fits. */
  readonly journals?: string;
  readonly from: string;
  readonly book: string;
  /** SQL for each amount; an amount that is missing is zero. */
  readonly owed: Partial<Readonly<Record<Summed, string>>>;
}
