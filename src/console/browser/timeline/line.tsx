import { useLocation } from "preact-iso/router";
import type { IconName } from "../parts/icon-paths.js";
import { useAddressWith } from "../parts/list-address.js";
import { type Tone, toneOfCode } from "../words/codes.js";
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

/** The colour of a step's picture: that of the state to which it leads. */
export const toneOf = (item: Item): Tone => (isFailure(item) ? "bad" : toneOfCode(String(item.data.to)));

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
