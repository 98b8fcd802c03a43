import * as z from "zod";
import { receiptPdf } from "../../../../base/documents/receipt-pdf.js";
import { ApiError, fieldError } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { Amount, Currency, InstantInput, keyInBody, Metadata, queryInteger } from "../../../../base/kernel/schemas.js";
import { maskTaxId } from "../../../../base/kernel/tax-id.js";
import { isoOrNull } from "../../../../base/kernel/time.js";
import { checkWebhookUrl } from "../../../../base/kernel/webhook-url.js";
import { defineOperation, JsonText } from "../../operation.js";
import type { Reader } from "../../tx.js";
import { republish, WebhookUrl } from "../../webhooks/actions.js";
import { cancelTransaction, findPayment } from "../actions.js";
import { methodsOf } from "../catalogue.js";
import { createTransaction } from "../create.js";
import { requestSchemas } from "../detail-schemas.js";
import { detailsIn, headedColumns } from "../details.js";
import { eventsBehind, TRANSACTION_STATUSES, type TransactionStatus } from "../machine.js";
import {
  CreatedPayment,
  MethodName,
  PaymentShape,
  toCreatedPayment,
  toListedPayment,
  toPayment,
} from "../payment-resource.js";
import {
  checkMbwayPhone,
  checkMethods,
  checkReturnUrl,
  descriptionOf,
  MBWAY_NEEDS_A_PHONE,
  readDirectives,
} from "../rules.js";
import { SORT_FIELDS, sortIds } from "../sorting.js";
import type { TransactionRow } from "../store.js";

/** docs/service/payments.md#creating-a-payment */
/** As in lists and webhooks: the answer has the bare id. */
const OWN_ID = { path: "id", header: "Payment", format: "payment" } as const;

export const createPayment = defineOperation({
  id: "payments.create",
  route: "POST /v1/payments",
  summary: "Create a payment by one or several methods",
  questions: ["Create a payment of {amount} for {customerName}?", "Create a payment of {amount}?"],
  description:
    "Creates a payment that its payer may pay by any of `paymentMethods`. The acquirer issues codes, references and " +
    "links a moment later: `payments.get` shows them. `charge.created` and `payment.created` follow; a `webhookUrl` " +
    "receives the legacy events of this payment in place of your endpoints. An equal body with the same " +
    "`idempotencyKey` is answered with the first answer, another body is refused with 409. A method that no " +
    "provider takes for the currency is refused with 422.",
  body: z
    .object({
      amount: Amount.describe("Smallest unit of the currency (centavos)"),
      currency: Currency.default("BRL").describe("Each method is for certain currencies"),
      paymentMethods: z
        .array(MethodName)
        .min(1, "must name one method or more")
        .max(MethodName.options.length)
        .refine((methods) => new Set(methods).size === methods.length, "must not name a method twice")
        .meta({ uniqueItems: true, description: "The methods that the payer may choose from" }),
      ...requestSchemas("payment", ""),
      metadata: Metadata.optional().describe(
        "Free-form object; returnUrl is where the card page ends, phone is for MBWAY, _sandbox sets the outcome",
      ),
      webhookUrl: WebhookUrl.optional().describe("Receives this payment's events instead of your endpoints"),
      idempotencyKey: keyInBody("payment"),
    })
    .meta(MBWAY_NEEDS_A_PHONE),
  success: { status: 201, description: "The payment, waiting for its payer", schema: CreatedPayment },
  errors: [
    "invalid_amount",
    "unprocessable_entity",
    "fraud.customer_velocity_exceeded",
    "fraud.account_velocity_exceeded",
  ],
  idempotency: { kind: "payment", field: "idempotencyKey" },
  cli: {
    examples: [
      "qa-pay payments create --amount 1990 --payment-methods PIX,BOLETO",
      'qa-pay payments create --amount 1990 --currency EUR --payment-methods MBWAY --metadata \'{"phone":"+351912345678"}\'',
      'qa-pay payments create --amount 1990 --payment-methods CREDIT_CARD --metadata \'{"returnUrl":"https://shop.example/done"}\'',
    ],
    columns: [OWN_ID, "status, amount, paymentMethods as Methods, customerName as Customer, createdAt"],
    next: "Codes and links: qa-pay payments get {id}    Pay it: qa-pay sandbox pay {id}",
  },
}).write(({ caller, body }, tx) => {
  const webhookUrl =
    body.webhookUrl === undefined ? undefined : checkWebhookUrl("webhookUrl", body.webhookUrl, tx.settings);
  if (body.paymentMethods.includes("MBWAY")) checkMbwayPhone(body.metadata?.phone);
  if (body.paymentMethods.includes("CREDIT_CARD")) checkReturnUrl(body.metadata?.returnUrl);
  const directives = readDirectives(body.metadata);
  checkMethods(body.paymentMethods, body.currency, body.amount);
  const { row } = createTransaction(tx, caller.bookId, {
    amount: body.amount,
    currency: body.currency,
    methods: body.paymentMethods,
    details: detailsIn("payment", body),
    metadata: body.metadata,
    webhookUrl,
    directives,
    acquirerDelayMs: tx.settings.acquirerDelayMs,
  });
  return toCreatedPayment(row);
});

/** docs/service/payments.md#reading-and-listing-payments */
export const getPayment = defineOperation({
  id: "payments.get",
  route: "GET /v1/payments/{id}",
  summary: "Read a payment with its codes, links and fees",
  description:
    "Answers the payment with the codes, links and time limits of its methods and with its fees; what does not " +
    "belong to its methods is null. The id is taken with and without `tx_`; a `ch_…` id is a 404. It changes " +
    "nothing.",
  success: { status: 200, description: "The payment as it is now", schema: PaymentShape },
  cli: {
    examples: ["qa-pay payments get tx_0198…", "qa-pay payments get tx_0198… --json"],
    columns: [
      OWN_ID,
      "status, amount, paymentMethods as Methods",
      ...headedColumns("payment"),
      "createdAt, paidWith, paidAt",
      { path: "charge.settlement.end_to_end_id", isBeside: true },
      "netAmount as Net, pixCopyPaste as Pix code, pixExpiresAt as Pix until, cardRedirectUrl as Card page",
      "mbEntity as Entity, mbReference as Reference, mbExpiresAt as Multibanco until, boletoLine",
      "boletoPdfUrl as Boleto, boletoExpiresAt as Boleto until, cryptoAddress as Address",
      "cryptoNetwork as Network, metadata.failure.reason as Failure",
    ],
  },
}).read(({ caller, params }, reader) => toPayment(reader, findPayment(reader, caller.bookId, params.id)));

/** docs/service/payments.md#cancelling */
export const cancelPayment = defineOperation({
  id: "payments.cancel",
  route: "POST /v1/payments/{id}/cancel",
  summary: "Cancel a payment that is not completed",
  questions: [
    "Cancel the payment of {amount} by {customerName}?",
    "Cancel the payment of {amount}?",
    "Cancel the payment {id}?",
  ],
  asksAbout: "/v1/payments/{id}",
  description:
    "Cancels a payment that is in WAITING_PAYMENT, PENDING or PROCESSING. It becomes CANCELLED, and " +
    "`charge.failed`, `payment.failed` and `payment.status_changed` follow. In any other status it is refused: what " +
    "is settled can be refunded. It needs no body.",
  success: { status: 200, description: "The cancelled payment", schema: PaymentShape },
  cli: {
    columns: [OWN_ID, "status, amount"],
  },
}).write(({ caller, params }, tx) => toPayment(tx, cancelTransaction(tx, findPayment(tx, caller.bookId, params.id))));

/** docs/service/payments.md#sending-events-again */
export const resendPaymentWebhook = defineOperation({
  id: "payments.resend-webhook",
  route: "POST /v1/payments/{id}/resend-webhook",
  summary: "Send the events of a payment's present status again",
  questions: [
    "Send the webhooks of the payment of {amount} by {customerName} again?",
    "Send the webhooks of the payment {id} again?",
  ],
  asksAbout: "/v1/payments/{id}",
  description:
    "Sends the events of the payment's present status once more, under the ids that they had, as new deliveries. " +
    "`resent` is false when no endpoint wants any of them. The payment stays as it is. It needs no body.",
  success: {
    status: 200,
    description: "Whether an endpoint receives it, and the status that was sent",
    schema: z.object({ resent: z.boolean(), status: z.enum(TRANSACTION_STATUSES) }),
  },
  cli: {
    columns: "resent, status",
  },
}).write(({ caller, params }, tx) => {
  const { id, book_id, status, webhook_url } = findPayment(tx, caller.bookId, params.id);
  return {
    resent: republish(tx, { bookId: book_id, subject: id, types: eventsBehind(status), target: webhook_url }) > 0,
    status,
  };
});

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
  route: "GET /v1/payments/{id}/provider-status",
  summary: "Read the status of a payment at the provider",
  description:
    "Reads the status of the payment at the acquirer, which is emulated. A payment that never reached it has null in the " +
    "provider's fields and `TRANSACTION_HAS_NO_PROVIDER_REFERENCE` in `error`. It changes nothing.",
  success: {
    status: 200,
    description: "The status here and at the provider; `error` is set when the payment never reached the provider",
    schema: z.object({
      localStatus: z.enum(TRANSACTION_STATUSES),
      provider: z.string().nullable(),
      providerTransactionId: z.string().nullable(),
      providerStatus: z.string().nullable(),
      rawResponse: z.record(z.string(), z.unknown()).nullable(),
      error: z.literal("TRANSACTION_HAS_NO_PROVIDER_REFERENCE").optional(),
    }),
  },
  cli: {
    columns: [
      "localStatus as Status here, providerStatus as At the provider, provider",
      "providerTransactionId as Its id, error",
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

/** docs/service/payments.md#receipt */
export const paymentReceipt = defineOperation({
  id: "payments.receipt",
  route: "GET /v1/payments/{id}/receipt",
  summary: "Get the receipt of a settled payment as a PDF",
  description:
    "Answers the receipt of a settled payment as a PDF in base64. Before settlement it is refused with 422. It " +
    "changes nothing.",
  success: {
    status: 200,
    description: "The PDF in base64",
    schema: z.object({ contentType: z.literal("application/pdf"), base64: z.string() }),
  },
  errors: ["unprocessable_entity"],
  cli: {
    examples: ["qa-pay payments receipt tx_0198…", "qa-pay payments receipt tx_0198… --output receipt.pdf --open"],
    columns: [],
  },
}).read(async ({ caller, params }, reader) => {
  const pdf = await receiptOf(reader, findPayment(reader, caller.bookId, params.id));
  return { contentType: "application/pdf" as const, base64: Buffer.from(pdf).toString("base64") };
});

/** The receipt of a payment as a PDF. Throws `unprocessable_entity` before it is settled. */
export function receiptOf(reader: Reader, row: TransactionRow): Promise<Uint8Array> {
  if (row.paid_at === null || row.paid_with === null) {
    const message = `There is a receipt once a payment is settled; this one is ${row.status}.`;
    throw new ApiError("unprocessable_entity", { message });
  }
  return receiptPdf({
    merchant: reader.accounts.byBook(row.book_id)?.name ?? "",
    amount: row.amount,
    currency: row.currency,
    method: row.paid_with,
    paidAt: row.paid_at,
    payerName: row.payer_name,
    payerDocumentMasked: row.payer_document === null ? null : maskTaxId(row.payer_document),
    endToEndId: row.end_to_end_id,
    transactionId: ID_PREFIX.transaction + row.id,
    description: descriptionOf(row),
    status: row.status,
  });
}

/**
 * Returns a payment as JSON for a list. Lists show the same payments again and again, so the text is kept until the
 * payment changes. A payment with several methods loses codes with time, so its text is created every time.
 */
function readJson(reader: Reader, bookId: number, id: string): string | null {
  const { printed, inBook } = reader.transactions;
  const known = printed.listed.get(id, bookId);
  if (known !== null) return known;
  const row = inBook(id, bookId);
  if (row === null) return null;
  const json = JSON.stringify(toListedPayment(reader, row));
  if (methodsOf(row).length === 1) printed.listed.keep(row.id, bookId, json);
  return json;
}

/** docs/service/payments.md#reading-and-listing-payments */
export const listPayments = defineOperation({
  id: "payments.list",
  route: "GET /v1/payments",
  summary: "List payments and charges",
  description:
    "Lists payments and charges alike in the transaction format, with `tx_…` ids, the newest first unless `sortBy` " +
    "says otherwise. `total` counts everything that the filters match. An unknown parameter, status, field or date " +
    "is refused.",
  query: z.strictObject({
    page: queryInteger(1, 1_000_000_000, 1),
    limit: queryInteger(1, 100, 20),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    startDate: InstantInput.optional().describe("Inclusive bound on createdAt"),
    endDate: InstantInput.optional().describe("Inclusive bound on createdAt"),
    sortBy: z
      .enum(SORT_FIELDS)
      .default("createdAt")
      .describe("Field to sort by; codes and images need at most 500 matching payments"),
    sortOrder: z.enum(["asc", "desc"]).default("desc"),
  }),
  success: {
    status: 200,
    description: "One page, and the total",
    schema: z.object({ data: z.array(PaymentShape), total: z.int(), page: z.int(), limit: z.int() }),
  },
  cli: {
    examples: ["qa-pay payments list --status PAID --limit 50", "qa-pay payments list --sort-by amount --page 2"],
    columns: [
      "id as Payment, status, amount, paymentMethods as Methods, customerName as Customer",
      { header: "Charge", path: "id", format: "charge", ifWide: true },
      "createdAt",
      { path: "paidAt", ifWide: true },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { page, limit, sortBy, sortOrder } = query;
  const offset = (page - 1) * limit;
  if (!Number.isSafeInteger(offset)) throw fieldError("page", "is too large");
  const filters = { book: caller.bookId, from: query.startDate, to: query.endDate, status: query.status };
  const total = reader.transactions.count(filters);
  const ids = sortIds(reader, filters, total, { sortBy, sortOrder, limit, offset });
  const data = ids.flatMap((id) => readJson(reader, caller.bookId, id) ?? []).join();
  return new JsonText(`{"data":[${data}],"total":${total},"page":${page},"limit":${limit}}`);
});
