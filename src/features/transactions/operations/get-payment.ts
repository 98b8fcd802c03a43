import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { findPayment } from "../actions.js";
import { PaymentShape, toPayment } from "../wire-payment.js";

/** docs/service/payments.md#reading-and-listing-payments */
export const getPayment = defineOperation({
  id: "payments.get",
  method: "GET",
  path: "/v1/payments/{id}",
  auth: "key",
  surface: "api",
  summary: "Read a payment with its codes, links and fees",
  description:
    "Answers the payment with the codes, links and time limits of its methods and with its fees; what does not " +
    "belong to its methods is null. The id is taken with and without `tx_`; a `ch_…` id is a 404. It changes " +
    "nothing.",
  params: IdParam,
  success: { status: 200, description: "The payment as it is now", schema: PaymentShape },
  errors: [],
  cli: {
    command: "payments get",
    picture: true,
    also: { title: "Refunds", list: "payments refunds", when: "paidAt" },
    examples: ["qa-pay payments get tx_0198…", "qa-pay payments get tx_0198… --json"],
    columns: [
      { header: "Payment", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Methods", path: "paymentMethods", format: "list" },
      { header: "Customer", path: "customerName" },
      { header: "Created", path: "createdAt", format: "time" },
      { header: "Paid with", path: "paidWith" },
      { header: "Paid", path: "paidAt", format: "time" },
      { header: "Net", path: "netAmount", format: "money" },
      { header: "Pix code", path: "pixCopyPaste" },
      { header: "Pix until", path: "pixExpiresAt", format: "time" },
      { header: "Card page", path: "cardRedirectUrl" },
      { header: "Entity", path: "mbEntity" },
      { header: "Reference", path: "mbReference" },
      { header: "Multibanco until", path: "mbExpiresAt", format: "time" },
      { header: "Boleto line", path: "boletoLine" },
      { header: "Boleto", path: "boletoPdfUrl" },
      { header: "Boleto until", path: "boletoExpiresAt", format: "time" },
      { header: "Address", path: "cryptoAddress" },
      { header: "Network", path: "cryptoNetwork" },
      { header: "Failure", path: "metadata.failure.reason" },
    ],
  },
}).read(({ caller, params }, reader) => toPayment(reader, findPayment(reader, caller.bookId, params.id)));
