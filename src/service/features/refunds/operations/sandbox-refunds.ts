import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { idFilter } from "../../../../base/kernel/schemas.js";
import { CustomerName, customerNameOf } from "../../customer-name.js";
import { defineOperation } from "../../operation.js";
import { findTransaction } from "../../transactions/actions.js";
import type { Stores } from "../../tx.js";
import { advanceRefund } from "../actions.js";
import { REFUND_STATUSES } from "../machine.js";
import { Refund, toRefund } from "../resource.js";
import type { RefundRow } from "../store.js";

/** Lists refunds and simulates the acquirer, which carries them out. The work itself is in the actions of refunds. */

/** A refund with what people know its payment by. */
const ListedRefund = Refund.extend({ customerName: CustomerName }).meta({ id: "ListedRefund" });

export const sandboxRefunds = defineOperation({
  id: "sandbox.refunds.list",
  route: "GET /_sandbox/refunds",
  summary: "List the refunds of all payments",
  description:
    "Lists the refunds of the key's account and mode, newest first, failed ones included. Money that went back " +
    "without a request, as from a wrong payer, is among them. An unknown parameter, a bad value and a `charge` that " +
    "is no id are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    status: z.enum(REFUND_STATUSES).optional(),
    charge: idFilter("a charge or payment", ID_PREFIX.charge, ID_PREFIX.transaction, "")
      .optional()
      .describe("Only those of this charge or payment"),
  }),
  success: { status: 200, description: "Newest first", schema: page(ListedRefund) },
  errors: ["not_found"],
  cli: {
    examples: ["qa-pay sandbox refunds list --status PENDING", "qa-pay sandbox refunds list --charge ch_0198…"],
    columns: "id as Refund, status, amount, transactionId as Payment, failureReason as Failure, createdAt",
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, status, charge } = query;
  const before = rowAt(after, [ID_PREFIX.refund, ""], (id) => reader.refunds.inBook(id, caller.bookId))?.id;
  const transaction = charge === undefined ? undefined : findTransaction(reader, caller.bookId, charge).id;
  const rows = reader.refunds.list({ book: caller.bookId, status, transaction, before }, limit + 1);
  return cursorPage(rows, limit, (row) => ({ ...toRefund(row), customerName: customerNameOf(reader, row) }));
});

function findRefund(stores: Stores, bookId: number, id: string): RefundRow {
  return rowById("refund", id, (raw) => stores.refunds.inBook(raw, bookId));
}

export const sandboxRefund = defineOperation({
  id: "sandbox.refunds.get",
  route: "GET /_sandbox/refunds/{id}",
  summary: "Get a refund",
  description: "Answers one refund of the key's account and mode, whatever payment it is of. It changes nothing.",
  success: { status: 200, description: "The refund", schema: Refund },
  cli: {
    columns: [
      "id as Refund, status, amount, transactionId as Payment, reason, endToEndId, failureReason as Failure",
      "createdAt",
    ],
  },
}).read(({ caller, params }, reader) => toRefund(findRefund(reader, caller.bookId, params.id)));

export const sandboxAdvanceRefund = defineOperation({
  id: "sandbox.refunds.advance",
  route: "POST /_sandbox/refunds/{id}/advance",
  summary: "Let a refund take its next step, or both, or fail",
  description:
    "Takes a refund to the named status in place of the acquirer. `payment.refunded` follows each step; FAILED " +
    "returns the amount to the wallet. A refund that has ended is refused.",
  body: z.object({
    to: z
      .enum(["IN_PROGRESS", "REFUNDED", "FAILED"])
      .describe("From PENDING, REFUNDED and FAILED pass through IN_PROGRESS"),
  }),
  success: { status: 200, description: "The refund", schema: Refund },
  cli: {
    examples: ["qa-pay sandbox refunds advance rf_0198… --to REFUNDED"],
    columns: "id as Refund, status, amount, endToEndId, failureReason as Failure",
  },
}).write(({ caller, params, body }, tx) =>
  toRefund(advanceRefund(tx, findRefund(tx, caller.bookId, params.id), body.to)),
);
