import { useLocation } from "preact-iso/router";
import type { IconName } from "../parts/icon-paths.js";
import { useAddressWith } from "../parts/list-address.js";
import type { Tone } from "../parts/values.js";
import { type Item, isFailure } from "./model.js";

/** The pictures of items. They are decoration: the sentence beside them says the same. */
export const ICONS_OF: Readonly<Record<string, IconName>> = {
  request: "terminal-2",
  transition: "receipt-2",
  refund: "arrow-back-up",
  payout: "cash",
  med_case: "scale",
  journal: "wallet",
  event: "bolt",
  email: "mail",
  clock: "clock",
};

/** The colours of the states to which a step leads, for its picture. */
const GOOD: ReadonlySet<unknown> = new Set(["PAID", "APPROVED", "REFUNDED", "paid"]);
const BAD: ReadonlySet<unknown> = new Set(["FAILED", "REFUSED", "DISPUTE", "CHARGEBACK", "failed", "rejected"]);

export function toneOf(item: Item): Tone {
  if (isFailure(item) || BAD.has(item.data.to)) return "bad";
  return GOOD.has(item.data.to) ? "good" : "plain";
}

/** The address of this page with one item marked. */
export function useItemAddress(): (id: string) => string {
  const address = useAddressWith();
  return (at) => address({ at });
}

/** Whether the address marks one of these items. */
export function useMark(items: readonly Item[]): { readonly "aria-current"?: "true"; readonly class: string } {
  const { query } = useLocation();
  return items.some(({ id }) => id === query.at) ? { "aria-current": "true", class: "t-marked" } : { class: "" };
}
