import * as z from "zod";
import type { Reader } from "./tx.js";

/**
 * The customer of the payment that an object belongs to. Lists for people have it, so that no page reads a payment for
 * each row.
 */
export const CustomerName = z.string().nullable().describe("The customer of its payment");

export function customerNameOf({ transactions }: Reader, row: { readonly transaction_id: string }): string | null {
  return transactions.anywhere(row.transaction_id)?.customer_name ?? null;
}
