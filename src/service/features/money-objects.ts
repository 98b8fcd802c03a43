/** The amounts that the ledger must hold for the objects of a noun. */

/** The sums that are checked for an object. `wallet` is `available` and `pending` together. */
export const SUMMED = ["wallet", "review", "clearing", "retained", "provider_fees", "platform_fees"] as const;
export type Summed = (typeof SUMMED)[number];

/** A table of objects, with SQL for the amounts that the ledger must hold for each object. */
export interface MoneyObjects {
  /** SQL for the prefix of the public id of the journal's object, which is `reference`. */
  readonly prefix: string;
  readonly table: string;
  /** A pattern (GLOB) for the kinds of their journals. Objects without one have all journals that match no pattern. */
  readonly journals?: string;
  readonly from: string;
  readonly book: string;
  /** SQL for each amount; an amount that is missing is zero. */
  readonly owed: Partial<Readonly<Record<Summed, string>>>;
}
