import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Jobs, Preview } from "../job.js";
import type { DueCode } from "../service-texts.js";
import type { Stores } from "../tx.js";
import {
  awaitsIssue,
  canExpire,
  expireWhenDue,
  finaliseWhenDue,
  isWanted,
  type Payment,
  payWhenDue,
} from "./actions.js";
import { defaultMethod, METHOD_NAMES } from "./catalogue.js";
import { isWaiting } from "./machine.js";
import { payerVerdict } from "./rules.js";
import type { NewTransaction } from "./store.js";

const Nothing = z.object({});
const SimulatedPayment = z.object({
  amount: z.int().exactOptional(),
  payerName: z.string().exactOptional(),
  payerDocument: z.string().nullable().exactOptional(),
  method: z.enum(METHOD_NAMES).exactOptional(),
});

declare module "../tx.js" {
  interface JobPayloads {
    "transaction.expire": z.output<typeof Nothing>;
    "transaction.finalise": z.output<typeof Nothing>;
    "transaction.pay": z.output<typeof SimulatedPayment>;
  }
}

/** A preview about a transaction. `codeOf` returns null when the job would change nothing. */
function ofTransaction(
  { transactions }: Stores,
  id: string,
  codeOf: (row: NewTransaction) => DueCode | null,
): Preview | null {
  const row = transactions.anywhere(id);
  const code = row === null ? null : codeOf(row);
  return code === null ? null : { subject: ID_PREFIX.charge + id, code, params: {} };
}

const PAYMENT_CODES = { settle: "charge_paid", hold: "payment_held", return: "payment_returned" } as const;

function paymentCode(row: NewTransaction, payment: Payment): DueCode {
  const isPix = (payment.method ?? defaultMethod(row)) === "PIX";
  const document = payment.payerDocument;
  // Without a document in the scenario, the payer is the expected one.
  const verdict = !isPix || document === undefined ? "settle" : payerVerdict(row.expected_payer_tax_id, document);
  return PAYMENT_CODES[verdict];
}

export const transactionJobs: Pick<Jobs, "transaction.expire" | "transaction.finalise" | "transaction.pay"> = {
  "transaction.expire": {
    payload: Nothing,
    run: expireWhenDue,
    preview: (stores, id) =>
      ofTransaction(stores, id, (row) => {
        if (!canExpire(row)) return null;
        return isWaiting(row.status) ? "charge_expires" : "card_payment_expires";
      }),
  },
  "transaction.finalise": {
    payload: Nothing,
    run: finaliseWhenDue,
    preview: (stores, id) => ofTransaction(stores, id, (row) => (awaitsIssue(row) ? "codes_issued" : null)),
  },
  "transaction.pay": {
    payload: SimulatedPayment,
    run: payWhenDue,
    preview: (stores, id, payment, at) =>
      ofTransaction(stores, id, (row) => (isWanted(row, payment, at) ? paymentCode(row, payment) : null)),
  },
};
