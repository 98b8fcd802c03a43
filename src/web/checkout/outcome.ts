import { ID_PREFIX } from "../../base/kernel/ids.js";
import { parseObject } from "../../base/kernel/json.js";
import { fill } from "../../base/kernel/message.js";
import { maskTaxId } from "../../base/kernel/tax-id.js";
import {
  hasMethod,
  METHOD_NAMES,
  methodExpiry,
  type PaymentMethod,
  packMethods,
} from "../../service/features/transactions/catalogue.js";
import {
  type ChargeStatus,
  isWaiting,
  PUBLIC_STATUS,
  type TransactionStatus,
} from "../../service/features/transactions/machine.js";
import { isInFlight } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Stores } from "../../service/features/tx.js";
import type { Messages } from "./visit.js";

/** The end of a transaction, as its page describes it to the payer. */
export interface OutcomePanel {
  readonly tone: "good" | "bad" | "wait" | "plain";
  readonly title: string;
  readonly text: string;
}

/** The reasons that the card page writes into `metadata.failure`. */
export const CARD_DECLINED = "card_declined";
export const THREE_DS_FAILED = "3ds_failed";

/**
 * Returns the status of a transaction at an instant: one that is due to expire counts as expired even before its row
 * says so.
 */
export function statusNow(row: TransactionRow, now: number): TransactionStatus {
  const canExpire = isWaiting(row.status) || isInFlight(row);
  return canExpire && row.expires_at <= now ? "EXPIRED" : row.status;
}

export function failureReason({ failure }: TransactionRow): string | null {
  return failure === null ? null : String(parseObject(failure).reason);
}

type OutcomeText = (row: TransactionRow, texts: Messages["outcome"], stores: Stores) => OutcomePanel;

/** The name of the merchant: the payer contacts the merchant after a payment that came to nothing. */
function merchantOf({ book_id }: TransactionRow, { accounts }: Stores): string {
  return accounts.byBook(book_id)?.name ?? "";
}

const explainFailure: OutcomeText = (row, { refused, failed: unavailable }, stores) => {
  const reason = failureReason(row);
  const refusals: Readonly<Record<string, string>> = {
    [CARD_DECLINED]: refused.declined,
    [THREE_DS_FAILED]: refused.threeDs,
  };
  const refusal = refusals[reason ?? ""];
  const byCard = refusal !== undefined || row.payment_methods === packMethods(["CREDIT_CARD"]);
  if (byCard && row.provider_reference !== null) {
    return { tone: "bad", title: refused.title, text: refusal ?? refused.text };
  }
  const text = hasMethod(row, "PIX") ? unavailable.pix : unavailable.other;
  return { tone: "bad", title: unavailable.title, text: fill(text, { merchant: merchantOf(row, stores) }) };
};

/** Explains why the money went back: the service returned it, or the shop did. */
const explainRefund: OutcomeText = (row, { returned, refunded: byShop }, { refunds }) => {
  const tone = "plain";
  if (row.return_id === null) {
    return { tone, title: byShop.title, text: row.paid_with === "CREDIT_CARD" ? byShop.card : byShop.other };
  }
  const isOtherPayer = refunds.ofTransaction(row.id).some(({ reason }) => reason === "payer_document_mismatch");
  const document = maskTaxId(row.expected_payer_tax_id ?? "");
  const text = isOtherPayer ? fill(returned.payer, { document }) : returned.review;
  return { tone, title: returned.title, text };
};

const OUTCOMES: Readonly<Record<Exclude<ChargeStatus, "pending">, OutcomeText>> = {
  paid: ({ paid_with }, { paid }) => ({
    tone: "good",
    title: paid.title,
    text: paid_with === "PIX" ? paid.pix : paid.other,
  }),
  processing: (row, { authentication, review }) => ({ tone: "wait", ...(isInFlight(row) ? authentication : review) }),
  expired: (row, { expired }, stores) => ({
    tone: "plain",
    title: expired.title,
    text: fill(expired.text, { merchant: merchantOf(row, stores) }),
  }),
  failed: explainFailure,
  cancelled: (row, { cancelled, cancelledHeld }, stores) => ({
    tone: "plain",
    title: cancelled.title,
    // Money that a review held went back with the cancellation.
    text: row.paid_with === null ? fill(cancelled.text, { merchant: merchantOf(row, stores) }) : cancelledHeld,
  }),
  refunded: explainRefund,
  disputed: (_row, { disputed }) => ({ tone: "plain", ...disputed }),
};

/** Returns the outcome; null while the payer can still pay. */
export function outcomeOf(row: TransactionRow, now: number, texts: Messages, stores: Stores): OutcomePanel | null {
  const status = PUBLIC_STATUS[statusNow(row, now)];
  return status === "pending" ? null : OUTCOMES[status](row, texts.outcome, stores);
}

/**
 * Returns the methods with which a transaction can be paid now. There are none after its end, and none before the
 * acquirer has issued it.
 */
export function payableMethods(row: TransactionRow, now: number): PaymentMethod[] {
  if (row.provider_reference === null || !isWaiting(statusNow(row, now))) return [];
  return METHOD_NAMES.filter((method) => hasMethod(row, method) && methodExpiry(row, method) > now);
}

/**
 * Returns the address to which a cardholder goes back: `metadata.returnUrl` (docs/service/payments.md#hosted-pages),
 * with the id and the status of the transaction added to its query. Null when there is none, or none that a browser may
 * open.
 */
export function returnHref(row: TransactionRow, now: number): string | null {
  const { returnUrl } = parseObject(row.metadata);
  if (typeof returnUrl !== "string" || !URL.canParse(returnUrl)) return null;
  const url = new URL(returnUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const statusQuery = `transaction_id=${ID_PREFIX.transaction}${row.id}&status=${statusNow(row, now)}`;
  // The parameters are added as text: URLSearchParams would write the merchant's own parameters in another form.
  url.search = url.search === "" ? statusQuery : `${url.search}&${statusQuery}`;
  return url.href;
}
