import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { fieldError, rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { Amount, Currency, textUpTo } from "../../../../base/kernel/schemas.js";
import { SAMPLE_PAYER_CPF } from "../../../../base/kernel/tax-id.js";
import { PIX_KEY_TYPES, type PixKeyType, pixKeyType } from "../../../../base/pix/keys.js";
import { defineOperation } from "../../operation.js";
import type { Stores } from "../../tx.js";
import { failPayout, payPayout, requestPayout } from "../actions.js";
import { PAYOUT_STATUSES } from "../machine.js";
import { Payout, toPayout } from "../resource.js";
import type { PayoutRow } from "../store.js";

/** Lists and creates payouts and simulates their end, so that their events can be received. The service has no route for payouts. */

const columns = "id as Payout, status, amount, destination.pix_key as To, end_to_end_id, failure_reason as Failure";

const SAMPLE_KEYS: Readonly<Record<PixKeyType, string>> = {
  CPF: SAMPLE_PAYER_CPF,
  CNPJ: "11222333000181",
  EMAIL: "maria@example.com",
  PHONE: "+5511987654321",
  RANDOM: "7d9f0335-8dcc-4054-9bf9-0dbd61d36906",
};

function findPayout(stores: Stores, bookId: number, id: string): PayoutRow {
  return rowById("payout", id, (raw) => stores.payouts.inBook(raw, bookId));
}

export const sandboxPayouts = defineOperation({
  id: "sandbox.payouts.list",
  route: "GET /_sandbox/payouts",
  summary: "List the payouts",
  description:
    "Lists the payouts of the key's account and mode, newest first. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    status: z.enum(PAYOUT_STATUSES).optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(Payout) },
  cli: {
    examples: ["qa-pay sandbox payouts list", "qa-pay sandbox payouts list --status pending --json"],
    columns: `${columns}, created_at`,
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, status } = query;
  const before = rowAt(after, [ID_PREFIX.payout, ""], (id) => reader.payouts.inBook(id, caller.bookId))?.id;
  const rows = reader.payouts.list({ book: caller.bookId, status, before }, limit + 1);
  return cursorPage(rows, limit, toPayout);
});

export const sandboxPayout = defineOperation({
  id: "sandbox.payouts.get",
  route: "GET /_sandbox/payouts/{id}",
  summary: "Get a payout",
  description: "Answers one payout of the key's account and mode. It changes nothing.",
  success: { status: 200, description: "The payout", schema: Payout },
  cli: {
    columns: `${columns}, created_at`,
  },
}).read(({ caller, params }, reader) => toPayout(findPayout(reader, caller.bookId, params.id)));

export const sandboxCreatePayout = defineOperation({
  id: "sandbox.payouts.create",
  route: "POST /_sandbox/payouts",
  summary: "Create a payout: its amount leaves the wallet",
  description:
    "Creates a pending payout, for which the service has no route: its amount leaves the available balance at once. " +
    "`payout.created` and `withdrawal.created` follow. A key that is no Pix key, or none of the named type, is " +
    "refused, and with `overdraw` false also more than is available.",
  body: z.object({
    amount: Amount.describe("Smallest unit of the currency (centavos)"),
    currency: Currency.default("BRL").describe("Currency of the wallet that the money leaves"),
    pix_key: z.string().optional().describe("Bare Pix key; default: a sample of its type"),
    pix_key_type: z.enum(PIX_KEY_TYPES).optional().describe("Default: the type that the key has, else CPF"),
    overdraw: z.boolean().optional().describe("Lets the balance fall below zero"),
  }),
  success: { status: 201, description: "The pending payout", schema: Payout },
  errors: ["invalid_amount", "unprocessable_entity"],
  cli: {
    examples: [
      "qa-pay sandbox payouts create --amount 5000 --pix-key maria@example.com",
      "qa-pay sandbox payouts create --amount 5000 --overdraw",
    ],
    columns,
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
  route: "POST /_sandbox/payouts/{id}/pay",
  summary: "Let the bank settle a payout",
  description:
    "Settles a pending payout in place of the bank. It becomes paid with an end-to-end id, and `payout.paid`, " +
    "`withdrawal.completed` and `withdrawal.status_changed` follow. One that has ended is refused. It needs no " +
    "body.",
  success: { status: 200, description: "The paid payout", schema: Payout },
  cli: { columns },
}).write(({ caller, params }, tx) => toPayout(payPayout(tx, findPayout(tx, caller.bookId, params.id))));

export const sandboxFailPayout = defineOperation({
  id: "sandbox.payouts.fail",
  route: "POST /_sandbox/payouts/{id}/fail",
  summary: "Let the bank refuse a payout: its amount comes back",
  description:
    "Fails a pending payout in place of the bank and returns its amount to the available balance. " +
    "`payout.failed`, `withdrawal.failed` and `withdrawal.status_changed` follow. One that has ended is refused.",
  body: z.object({
    reason: textUpTo(500).optional().describe("Why the bank refuses it; default: refused_by_bank"),
  }),
  success: { status: 200, description: "The failed payout", schema: Payout },
  cli: {
    examples: ["qa-pay sandbox payouts fail po_0198… --reason 'account closed'"],
    columns,
  },
}).write(({ caller, params, body }, tx) =>
  toPayout(failPayout(tx, findPayout(tx, caller.bookId, params.id), body.reason ?? "refused_by_bank")),
);
