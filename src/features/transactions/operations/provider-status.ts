import { z } from "zod";
import { IdParam } from "../../../kernel/schemas.js";
import { isoOrNull } from "../../../kernel/time.js";
import { defineOperation } from "../../operation.js";
import { findPayment } from "../actions.js";
import { TRANSACTION_STATUSES, type TransactionStatus } from "../machine.js";

/** The emulated provider. */
const PROVIDER = "emulated-acquirer";

/** The provider's names of a status. They differ from the service's names, so that the two are not confused. */
const PROVIDER_STATUS: Readonly<Record<TransactionStatus, string>> = {
  PENDING: "created",
  WAITING_PAYMENT: "awaiting_payer",
  PROCESSING: "under_analysis",
  PAID: "settled",
  APPROVED: "captured",
  REFUSED: "refused",
  CANCELLED: "voided",
  EXPIRED: "lapsed",
  REFUNDED: "returned",
  CHARGEBACK: "charged_back",
  DISPUTE: "contested",
};

/** docs/service/payments.md#provider-status */
export const providerStatus = defineOperation({
  id: "payments.provider-status",
  method: "GET",
  path: "/v1/payments/{id}/provider-status",
  auth: "key",
  surface: "api",
  summary: "Ask the provider how a payment stands",
  description:
    "Asks the acquirer, which is emulated, how it sees the payment. A payment that never reached it has null in the " +
    "provider's fields and `TRANSACTION_HAS_NO_PROVIDER_REFERENCE` in `error`. It changes nothing.",
  params: IdParam,
  success: {
    status: 200,
    description: "The status here and at the provider; `error` tells that it never got there",
    schema: z.object({
      localStatus: z.enum(TRANSACTION_STATUSES),
      provider: z.string().nullable(),
      providerTransactionId: z.string().nullable(),
      providerStatus: z.string().nullable(),
      rawResponse: z.record(z.string(), z.unknown()).nullable(),
      error: z.literal("TRANSACTION_HAS_NO_PROVIDER_REFERENCE").optional(),
    }),
  },
  errors: [],
  cli: {
    command: "payments provider-status",
    examples: ["qa-pay payments provider-status tx_0198…"],
    columns: [
      { header: "Status here", path: "localStatus", format: "status" },
      { header: "At the provider", path: "providerStatus" },
      { header: "Provider", path: "provider" },
      { header: "Its id", path: "providerTransactionId" },
      { header: "Error", path: "error" },
    ],
  },
}).read(({ caller, params }, reader) => {
  const row = findPayment(reader, caller.bookId, params.id);
  const reference = row.provider_reference;
  if (reference === null) {
    return {
      localStatus: row.status,
      provider: null,
      providerTransactionId: null,
      providerStatus: null,
      rawResponse: null,
      error: "TRANSACTION_HAS_NO_PROVIDER_REFERENCE" as const,
    };
  }
  const status = PROVIDER_STATUS[row.status];
  return {
    localStatus: row.status,
    provider: PROVIDER,
    providerTransactionId: reference,
    providerStatus: status,
    rawResponse: {
      id: reference,
      state: status,
      amount: row.amount,
      currency: row.currency,
      end_to_end_id: row.end_to_end_id,
      settled_at: isoOrNull(row.paid_at),
    },
  };
});
