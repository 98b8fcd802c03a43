import { DAY } from "../../../base/kernel/duration.js";
import { ApiError, fieldError, stateError } from "../../../base/kernel/errors.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { normalizeTaxId } from "../../../base/kernel/tax-id.js";
import { iso } from "../../../base/kernel/time.js";
import { PAYMENT_METHODS } from "../transactions/catalogue.js";
import { isSettled } from "../transactions/machine.js";
import type { NewTransaction } from "../transactions/store.js";
import type { RefundStrategy } from "./machine.js";

/** The rules of refunding a transaction (docs/service/refunds.md#creating-a-refund, docs/decisions/017-refunds.md). */

export interface RefundRequest {
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
  readonly strategy?: RefundStrategy | undefined;
  readonly passFeeToTenant?: boolean | undefined;
  readonly destinationKey?: string | undefined;
}

export interface RefundPlan {
  readonly amount: number;
  readonly strategy: RefundStrategy | null;
  readonly destinationKey: string | null;
}

type Refundable = Pick<NewTransaction, "status" | "amount" | "currency" | "paid_with" | "paid_at" | "payer_document">;

/** A Pix can be returned by its end-to-end id for 90 days from its settlement (BCB, API Pix, `PixDevolucaoInvalida`). */
const RETURN_WINDOW_MS = 90 * DAY;

function checkSettled({ status }: Refundable): void {
  if (isSettled(status)) return;
  const disputed = status === "DISPUTE" || status === "CHARGEBACK";
  const reason = disputed ? "it is disputed, and the case decides" : "only a settled payment can be refunded";
  throw stateError(`The payment is ${status}: ${reason}.`);
}

function checkForPix(request: RefundRequest): void {
  for (const name of ["strategy", "passFeeToTenant", "destinationKey"] as const) {
    if (request[name] !== undefined && request[name] !== false) throw fieldError(name, "is for Pix payments only");
  }
}

function planOfPix(row: Refundable, request: RefundRequest, now: number): Omit<RefundPlan, "amount"> {
  const { strategy = "cashout", destinationKey } = request;
  if (strategy === "cashout") {
    const document = row.payer_document === null ? null : normalizeTaxId(row.payer_document);
    const key = destinationKey ?? document;
    if (key === null) throw fieldError("destinationKey", "is required: the bank did not report the payer's document");
    return { strategy, destinationKey: key };
  }
  for (const name of ["passFeeToTenant", "destinationKey"] as const) {
    if (request[name] !== undefined && request[name] !== false) throw fieldError(name, "goes with strategy cashout");
  }
  const closes = (row.paid_at ?? 0) + RETURN_WINDOW_MS;
  if (now >= closes) {
    const message = `A Pix can be returned for 90 days after its settlement: before ${iso(closes)}. Use strategy cashout.`;
    throw new ApiError("unprocessable_entity", { message });
  }
  return { strategy, destinationKey: null };
}

/** Returns amount and way of a refund; `taken` is the sum of others. Throws ApiError when it cannot be carried out. */
export function refundPlan(row: Refundable, request: RefundRequest, taken: number, now: number): RefundPlan {
  checkSettled(row);
  if (row.paid_with === null || !PAYMENT_METHODS[row.paid_with].refundable) throw new ApiError("REFUND_NOT_SUPPORTED");
  if (row.paid_with !== "PIX") checkForPix(request);
  const remaining = row.amount - taken;
  const amount = request.amount ?? remaining;
  if (amount > remaining || amount === 0) {
    const left = remaining === 0 ? "nothing is left to refund" : `at most ${formatMoney(remaining, row.currency)}`;
    throw fieldError("amount", `exceeds what can be refunded: ${left}`, "invalid_amount");
  }
  const how = row.paid_with === "PIX" ? planOfPix(row, request, now) : { strategy: null, destinationKey: null };
  return { amount, ...how };
}
