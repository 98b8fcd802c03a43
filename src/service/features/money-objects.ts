import { MED_MONEY } from "./med/store.js";
import { PAYOUT_MONEY } from "./payouts/store.js";
import { REFUND_MONEY } from "./refunds/store.js";
import { TRANSACTION_MONEY } from "./transactions/store.js";

/** The objects that move money, with what the ledger must hold for each. Each feature says it of its own table. */

/** The sums that an object is checked by. `wallet` is `available` and `pending` together. */
export const SUMMED = ["wallet", "review", "clearing", "retained", "provider_fees", "platform_fees"] as const;
export type Summed = (typeof SUMMED)[number];

/** A table of objects, with SQL for the amounts that the ledger must hold for each object. */
export interface MoneyObjects {
  /** SQL for the prefix of the public id of the journal's object, which is `reference`. */
  readonly prefix: string;
  readonly table: string;
  readonly from: string;
  readonly book: string;
  /** SQL for each amount; an amount that is missing is zero. */
  readonly owed: Partial<Readonly<Record<Summed, string>>>;
}

const OTHERS = [REFUND_MONEY, PAYOUT_MONEY, MED_MONEY];

export const MONEY_OBJECTS: readonly MoneyObjects[] = [TRANSACTION_MONEY, ...OTHERS];

/** SQL for the public id of a journal's object. Only the kinds of journals of transactions have no name of a table in them. */
export const PUBLIC_REFERENCE = `CASE
    ${OTHERS.map(({ journals, prefix }) => `WHEN kind GLOB '${journals}' THEN ${prefix}`).join(" ")}
    ELSE ${TRANSACTION_MONEY.prefix} END || reference`;
