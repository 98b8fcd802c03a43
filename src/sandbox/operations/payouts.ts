import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { failPayout, payPayout, requestPayout } from "../../features/payouts/actions.js";
import { PAYOUT_STATUSES } from "../../features/payouts/machine.js";
import type { PayoutRow } from "../../features/payouts/store.js";
import { Payout, toPayout } from "../../features/payouts/wire.js";
import type { Stores } from "../../features/tx.js";
import { fieldError, notFound } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { MAX_AMOUNT } from "../../kernel/money.js";
import { Currency, IdParam, page, queryInteger } from "../../kernel/schemas.js";
import { SAMPLE_PAYER_CPF } from "../../kernel/tax-id.js";
import { PIX_KEY_TYPES, type PixKeyType, pixKeyType } from "../../pix/keys.js";

/** Lists and creates payouts and simulates their end, so that their events can be received. The service has no route for payouts. */

const columns = [
  { header: "Payout", path: "id" },
  { header: "Status", path: "status", format: "status" },
  { header: "Amount", path: "amount", format: "money" },
  { header: "To", path: "destination.pix_key" },
  { header: "End-to-end id", path: "end_to_end_id" },
  { header: "Failure", path: "failure_reason" },
] as const;

/** The default destination of a payout. */
const SAMPLE_KEYS: Readonly<Record<PixKeyType, string>> = {
  CPF: SAMPLE_PAYER_CPF,
  CNPJ: "11222333000181",
  EMAIL: "maria@example.com",
  PHONE: "+5511987654321",
  RANDOM: "7d9f0335-8dcc-4054-9bf9-0dbd61d36906",
};

function findPayout(stores: Stores, bookId: number, id: string): PayoutRow {
  const raw = rawId(id, ID_PREFIX.payout, "");
  const row = raw === null ? null : stores.payouts.inBook(raw, bookId);
  if (row === null) throw notFound("payout", id);
  return row;
}

export const sandboxPayouts = defineOperation({
  id: "sandbox.payouts.list",
  method: "GET",
  path: "/_sandbox/payouts",
  auth: "key",
  surface: "sandbox",
  summary: "List the payouts",
  description:
    "Lists the payouts of the key's account and mode, newest first. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    status: z.enum(PAYOUT_STATUSES).optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(Payout) },
  errors: [],
  cli: {
    command: "sandbox payouts list",
    examples: ["qa-pay sandbox payouts list", "qa-pay sandbox payouts list --status pending --json"],
    rows: "data",
    columns: [...columns, { header: "Created", path: "created_at", format: "time" }],
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, status } = query;
  const cursor = after === undefined ? undefined : rawId(after, ID_PREFIX.payout);
  if (cursor === null || (cursor !== undefined && reader.payouts.inBook(cursor, caller.bookId) === null)) {
    throw fieldError("after", "must be the next_cursor of a page before");
  }
  const rows = reader.payouts.search({ book: caller.bookId, status, before: cursor }, limit + 1);
  const data = rows.slice(0, limit).map(toPayout);
  const more = rows.length > limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

export const sandboxPayout = defineOperation({
  id: "sandbox.payouts.get",
  method: "GET",
  path: "/_sandbox/payouts/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Get a payout",
  description: "Answers one payout of the key's account and mode. It changes nothing.",
  params: IdParam,
  success: { status: 200, description: "The payout", schema: Payout },
  errors: [],
  cli: {
    command: "sandbox payouts get",
    examples: ["qa-pay sandbox payouts get po_0198…"],
    columns: [...columns, { header: "Created", path: "created_at", format: "time" }],
  },
}).read(({ caller, params }, reader) => toPayout(findPayout(reader, caller.bookId, params.id)));

export const sandboxCreatePayout = defineOperation({
  id: "sandbox.payouts.create",
  method: "POST",
  path: "/_sandbox/payouts",
  auth: "key",
  surface: "sandbox",
  summary: "Raise a payout: its amount leaves the wallet",
  description:
    "Raises a pending payout, for which the service has no route: its amount leaves the available balance at once. " +
    "`payout.created` and `withdrawal.created` follow. A key that is no Pix key, or none of the named type, is " +
    "refused, and with `overdraw` false also more than is available.",
  body: z.object({
    amount: z.int().min(1).max(MAX_AMOUNT).meta({ description: "Smallest unit of the currency (centavos)" }),
    currency: Currency.default("BRL"),
    pix_key: z.string().optional().meta({ description: "Bare Pix key; default: a sample of its type" }),
    pix_key_type: z.enum(PIX_KEY_TYPES).optional().meta({ description: "Default: what the key is, else CPF" }),
    overdraw: z.boolean().optional().meta({ description: "lets the balance fall below zero" }),
  }),
  success: { status: 201, description: "The pending payout", schema: Payout },
  errors: ["invalid_amount", "unprocessable_entity"],
  cli: {
    command: "sandbox payouts create",
    examples: [
      "qa-pay sandbox payouts create --amount 5000 --pix-key maria@example.com",
      "qa-pay sandbox payouts create --amount 5000 --overdraw",
    ],
    columns: [...columns],
    defaults: { overdraw: false },
    next: "Let the bank answer: qa-pay sandbox payouts pay {id}",
  },
}).write(({ caller, body }, tx) => {
  const pixKey = body.pix_key ?? SAMPLE_KEYS[body.pix_key_type ?? "CPF"];
  const type = pixKeyType(pixKey);
  if (type === null) {
    throw fieldError(
      "pix_key",
      "must be a bare CPF or CNPJ, an e-mail, a phone such as +5511987654321, or a random key",
    );
  }
  if (body.pix_key_type !== undefined && body.pix_key_type !== type) {
    throw fieldError("pix_key_type", `must be ${type}, which is what the key is`);
  }
  const { amount, currency, overdraw } = body;
  return toPayout(requestPayout(tx, caller.bookId, { amount, currency, pixKey, pixKeyType: type, overdraw }));
});

export const sandboxPayPayout = defineOperation({
  id: "sandbox.payouts.pay",
  method: "POST",
  path: "/_sandbox/payouts/{id}/pay",
  auth: "key",
  surface: "sandbox",
  summary: "Let the bank settle a payout",
  description:
    "Settles a pending payout in place of the bank. It becomes paid with an end-to-end id, and `payout.paid`, " +
    "`withdrawal.completed` and `withdrawal.status_changed` follow. One that has ended is refused. It needs no " +
    "body.",
  params: IdParam,
  success: { status: 200, description: "The paid payout", schema: Payout },
  errors: [],
  cli: { command: "sandbox payouts pay", examples: ["qa-pay sandbox payouts pay po_0198…"], columns: [...columns] },
}).write(({ caller, params }, tx) => toPayout(payPayout(tx, findPayout(tx, caller.bookId, params.id))));

export const sandboxFailPayout = defineOperation({
  id: "sandbox.payouts.fail",
  method: "POST",
  path: "/_sandbox/payouts/{id}/fail",
  auth: "key",
  surface: "sandbox",
  summary: "Let the bank refuse a payout: its amount comes back",
  description:
    "Fails a pending payout in place of the bank and gives its amount back to the available balance. " +
    "`payout.failed`, `withdrawal.failed` and `withdrawal.status_changed` follow. One that has ended is refused.",
  params: IdParam,
  body: z.object({ reason: z.string().max(500, "must have at most 500 characters").optional() }),
  success: { status: 200, description: "The failed payout", schema: Payout },
  errors: [],
  cli: {
    command: "sandbox payouts fail",
    examples: ["qa-pay sandbox payouts fail po_0198… --reason 'account closed'"],
    columns: [...columns],
  },
}).write(({ caller, params, body }, tx) =>
  toPayout(failPayout(tx, findPayout(tx, caller.bookId, params.id), body.reason ?? "refused_by_bank")),
);
