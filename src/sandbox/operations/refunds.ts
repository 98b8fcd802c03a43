import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { advanceRefund } from "../../features/refunds/actions.js";
import { REFUND_STATUSES } from "../../features/refunds/machine.js";
import type { RefundRow } from "../../features/refunds/store.js";
import { Refund, toRefund } from "../../features/refunds/wire.js";
import { findTransaction } from "../../features/transactions/actions.js";
import type { Stores } from "../../features/tx.js";
import { fieldError, notFound } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IdParam, idFilter, page, queryInteger } from "../../kernel/schemas.js";

/** Lists refunds and simulates the acquirer, which carries them out. The work itself is in the actions of refunds. */

export const sandboxRefunds = defineOperation({
  id: "sandbox.refunds.list",
  method: "GET",
  path: "/_sandbox/refunds",
  auth: "key",
  surface: "sandbox",
  summary: "List the refunds of all payments",
  description:
    "Lists the refunds of the key's account and mode, newest first, failed ones included. Money that went back " +
    "without a request, as from a wrong payer, is among them. An unknown parameter, a bad value and a `charge` that " +
    "is no id are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    status: z.enum(REFUND_STATUSES).optional(),
    charge: idFilter("a charge or payment", ID_PREFIX.charge, ID_PREFIX.transaction, "")
      .optional()
      .meta({ description: "Only those of this charge or payment" }),
  }),
  success: { status: 200, description: "Newest first", schema: page(Refund) },
  errors: ["not_found"],
  cli: {
    command: "sandbox refunds list",
    examples: ["qa-pay sandbox refunds list --status PENDING", "qa-pay sandbox refunds list --charge ch_0198…"],
    rows: "data",
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Payment", path: "transactionId" },
      { header: "Failure", path: "failureReason" },
      { header: "Created", path: "createdAt", format: "time" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, status, charge } = query;
  const cursor = after === undefined ? undefined : rawId(after, ID_PREFIX.refund);
  if (cursor === null || (cursor !== undefined && reader.refunds.inBook(cursor, caller.bookId) === null)) {
    throw fieldError("after", "must be the next_cursor of a page before");
  }
  const transaction = charge === undefined ? undefined : findTransaction(reader, caller.bookId, charge).id;
  const rows = reader.refunds.search({ book: caller.bookId, status, transaction, before: cursor }, limit + 1);
  const data = rows.slice(0, limit).map(toRefund);
  const more = rows.length > limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

function findRefund(stores: Stores, bookId: number, id: string): RefundRow {
  const raw = rawId(id, ID_PREFIX.refund, "");
  const refund = raw === null ? null : stores.refunds.inBook(raw, bookId);
  if (refund === null) throw notFound("refund", id);
  return refund;
}

export const sandboxRefund = defineOperation({
  id: "sandbox.refunds.get",
  method: "GET",
  path: "/_sandbox/refunds/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Get a refund",
  description: "Answers one refund of the key's account and mode, whatever payment it is of. It changes nothing.",
  params: IdParam,
  success: { status: 200, description: "The refund", schema: Refund },
  errors: [],
  cli: {
    command: "sandbox refunds get",
    examples: ["qa-pay sandbox refunds get rf_0198…"],
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Payment", path: "transactionId" },
      { header: "Reason", path: "reason" },
      { header: "End-to-end id", path: "endToEndId" },
      { header: "Failure", path: "failureReason" },
      { header: "Created", path: "createdAt", format: "time" },
    ],
  },
}).read(({ caller, params }, reader) => toRefund(findRefund(reader, caller.bookId, params.id)));

export const sandboxAdvanceRefund = defineOperation({
  id: "sandbox.refunds.advance",
  method: "POST",
  path: "/_sandbox/refunds/{id}/advance",
  auth: "key",
  surface: "sandbox",
  summary: "Let a refund take its next step, or both, or fail",
  description:
    "Takes a refund to the named status in place of the acquirer. `payment.refunded` follows each step; FAILED " +
    "gives the amount back to the wallet. A refund that has ended is refused.",
  params: IdParam,
  body: z.object({
    to: z
      .enum(["IN_PROGRESS", "REFUNDED", "FAILED"])
      .meta({ description: "From PENDING, REFUNDED and FAILED pass through IN_PROGRESS" }),
  }),
  success: { status: 200, description: "The refund", schema: Refund },
  errors: [],
  cli: {
    command: "sandbox refunds advance",
    examples: ["qa-pay sandbox refunds advance rf_0198… --to REFUNDED"],
    columns: [
      { header: "Refund", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "End-to-end id", path: "endToEndId" },
      { header: "Failure", path: "failureReason" },
    ],
  },
}).write(({ caller, params, body }, tx) =>
  toRefund(advanceRefund(tx, findRefund(tx, caller.bookId, params.id), body.to)),
);
