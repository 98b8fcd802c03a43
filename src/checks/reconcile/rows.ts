import type { Difference, DifferenceCode } from "./judge.js";
import { orderReader, type ReadingOptions } from "./orders.js";
import { differencesOf, newTotals, type ReconcileParts } from "./reconcile.js";

/** The comparison of rows that a program holds, in place of a file. */

/** The differences between the orders of a shop and the payments of the service. */
export interface Reconciliation {
  /** The number of compared orders. */
  readonly checked: number;
  /** The number of them without a difference. */
  readonly matched: number;
  readonly differences: Difference[];
  /** The number of differences of each kind. */
  readonly counts: Readonly<Record<DifferenceCode, number>>;
}

/** Throws InputError with the number of the row that cannot be read. */
export async function reconcileRows(
  rows: Iterable<Readonly<Record<string, unknown>>>,
  reading: ReadingOptions,
  parts: ReconcileParts,
): Promise<Reconciliation> {
  function* orders() {
    const reader = orderReader(reading, "row");
    let line = 0;
    for (const values of rows) {
      line++;
      const order = reader.order({ line, values });
      if (order !== null) yield order;
    }
    reader.checkWords();
  }
  const totals = newTotals();
  const differences: Difference[] = [];
  for await (const difference of differencesOf(orders(), parts, totals))
    differences.push({ ...difference, text: String(difference.text) });
  const { checked, matched, counts } = totals;
  return { checked, matched, differences, counts };
}
