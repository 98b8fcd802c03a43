import { isNameOf } from "../../base/kernel/names.js";
import { trimPasted } from "../../base/kernel/pasted-text.js";
import { t } from "../../base/kernel/wording.js";
import { type ChargeStatus, PUBLIC_STATUS } from "../../service/features/transactions/machine.js";
import { InputError } from "./input-error.js";
import { SHOP_STATUSES, type ShopStatus } from "./names.js";

/** The words of shops for the states of orders, and the state of a payment that each agrees with. */

/** Words of a shop for its states, beside the usual ones. */
export type StatusWords = Readonly<Partial<Record<ShopStatus, readonly string[]>>>;

const USUAL: Readonly<Record<ShopStatus, readonly string[]>> = {
  paid: ["paid", "pago", "paga", "settled", "approved", "aprovado", "completed", "fulfilled"],
  open: ["open", "pending", "pendente", "waiting", "aguardando", "created", "new"],
  refunded: ["refunded", "reembolsado", "devolvido", "estornado"],
  disputed: ["disputed", "contestado", "chargeback", "med"],
  cancelled: ["cancelled", "canceled", "cancelado", "expired", "expirado", "failed", "falhou"],
};

const foldWord = (word: string) => trimPasted(word).toLowerCase();

/** Reads a word of a shop in any case; undefined for an unknown one. The shop's own words come before the usual ones. */
export function statusReader(own: StatusWords): (word: string) => ShopStatus | undefined {
  const known = new Map<string, ShopStatus>();
  for (const status of SHOP_STATUSES) for (const word of USUAL[status]) known.set(word, status);
  const given = new Map<string, ShopStatus>();
  for (const status of SHOP_STATUSES) {
    for (const word of (own[status] ?? []).map(foldWord)) {
      const other = given.get(word);
      if (other !== undefined && other !== status) {
        throw new InputError(null, t`The word ${word} cannot mean both ${other} and ${status}.`, "status");
      }
      given.set(word, status);
    }
  }
  return (word) => given.get(foldWord(word)) ?? known.get(foldWord(word));
}

/** The place of a payment's money. */
export type Standing = "paid" | "returned" | "disputed" | "unpaid";

const STANDING: Readonly<Record<ChargeStatus, Standing>> = {
  pending: "unpaid",
  processing: "unpaid",
  paid: "paid",
  failed: "unpaid",
  expired: "unpaid",
  cancelled: "unpaid",
  refunded: "returned",
  disputed: "disputed",
};

export const standingOf = (status: ChargeStatus): Standing => STANDING[status];

/** The status of a listed payment in the words of a charge; undefined for one that the service does not have. */
export function publicStatus(status: unknown): ChargeStatus | undefined {
  return typeof status === "string" && isNameOf(PUBLIC_STATUS, status) ? PUBLIC_STATUS[status] : undefined;
}
