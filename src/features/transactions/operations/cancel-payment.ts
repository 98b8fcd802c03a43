import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { cancelTransaction, findPayment } from "../actions.js";
import { PaymentShape, toPayment } from "../wire-payment.js";

/** docs/service/payments.md#cancelling */
export const cancelPayment = defineOperation({
  id: "payments.cancel",
  method: "POST",
  path: "/v1/payments/{id}/cancel",
  auth: "key",
  surface: "api",
  summary: "Cancel a payment that is not completed",
  description:
    "Cancels a payment that is in WAITING_PAYMENT, PENDING or PROCESSING. It becomes CANCELLED, and " +
    "`charge.failed`, `payment.failed` and `payment.status_changed` follow. In any other status it is refused: what " +
    "is settled can be refunded. It needs no body.",
  params: IdParam,
  success: { status: 200, description: "The cancelled payment", schema: PaymentShape },
  errors: [],
  cli: {
    command: "payments cancel",
    examples: ["qa-pay payments cancel tx_0198…"],
    columns: [
      { header: "Payment", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
    ],
  },
}).write(({ caller, params }, tx) => toPayment(tx, cancelTransaction(tx, findPayment(tx, caller.bookId, params.id))));
