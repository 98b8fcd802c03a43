import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { fieldError, rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../../base/kernel/ids.js";
import { Amount, InstantInput, idCursor, Metadata, textUpTo } from "../../../../base/kernel/schemas.js";
import { normalizeTaxId } from "../../../../base/kernel/tax-id.js";
import { type Caller, defineOperation, JsonText, StoredAnswer } from "../../operation.js";
import type { Stores, Tx } from "../../tx.js";
import { packMethods } from "../catalogue.js";
import { Charge, toCharge } from "../charge-resource.js";
import { createTransaction } from "../create.js";
import { requestSchemas } from "../detail-schemas.js";
import { detailsIn, headedColumns } from "../details.js";
import { CHARGE_STATUSES, statusesBehind } from "../machine.js";
import { checkPayer, DEFAULT_EXPIRY, MAX_EXPIRY, MIN_EXPIRY, readDirectives } from "../rules.js";
import type { TransactionRow } from "../store.js";

/** docs/service/charges.md#creating-a-charge */

const ChargeBody = z.object({
  amount: Amount.describe("Centavos"),
  currency: z.literal("BRL", { error: "must be BRL for Pix" }).default("BRL").describe("Pix is paid in reais"),
  payment_method: z.literal("pix", { error: "must be pix" }).describe("Charges are paid by Pix"),
  description: textUpTo(500)
    .optional()
    .describe("Description, at most 500 characters; returned as metadata.description"),
  expires_in: z
    .number()
    .refine(Number.isInteger, "must be an integer")
    .refine((seconds) => seconds >= MIN_EXPIRY, `must be at least ${MIN_EXPIRY} seconds`)
    .optional()
    .meta({
      type: "integer",
      minimum: MIN_EXPIRY,
      description:
        `Seconds until it expires, from ${MIN_EXPIRY}; more than ${MAX_EXPIRY} counts as ${MAX_EXPIRY} ` +
        `(default ${DEFAULT_EXPIRY})`,
    }),
  customer: z.object(requestSchemas("charge", "customer")).optional().describe("Who is to pay"),
  ...requestSchemas("charge", ""),
  metadata: Metadata.optional().describe("Free-form object; metadata._sandbox sets the outcome"),
});

function create(caller: Caller, body: z.output<typeof ChargeBody>, tx: Tx) {
  checkPayer(body);
  const { row, stored } = createTransaction(tx, caller.bookId, {
    methods: ["PIX"],
    amount: body.amount,
    currency: body.currency,
    description: body.description,
    expiresIn: Math.min(body.expires_in ?? DEFAULT_EXPIRY, MAX_EXPIRY),
    details: detailsIn("charge", body),
    metadata: body.metadata,
    directives: readDirectives(body.metadata),
    // The answer contains the code, so the acquirer issues it before the charge is answered.
    acquirerDelayMs: 0,
  });
  return stored === null ? toCharge(tx, row) : new StoredAnswer(stored.chargeJson, stored.seq);
}

export const createChargeOperation = defineOperation({
  id: "charges.create",
  route: "POST /v1/charges",
  summary: "Create a Pix charge",
  questions: ["Create a charge of {amount} for {customer.name}?", "Create a charge of {amount}?"],
  description:
    "Creates a Pix charge in BRL and answers it with its code, its QR image and its checkout page. `charge.created` " +
    "and `payment.created` follow, or, where the provider refuses it at once, the events of the failure alone. The answer is kept under the Idempotency-Key: an equal body under the same key " +
    "is answered with it again and creates nothing, another body is refused with 409. Also refused are a document " +
    "that is no CPF or CNPJ, an expected payer who is not the customer, and a directive of `metadata._sandbox` that " +
    "does not exist.",
  body: ChargeBody,
  success: { status: 201, description: "The charge, waiting for its payer", schema: Charge },
  errors: ["invalid_amount", "fraud.customer_velocity_exceeded", "fraud.account_velocity_exceeded"],
  idempotency: { kind: "charge" },
  cli: {
    examples: [
      "qa-pay charges create --amount 1990",
      'qa-pay charges create --amount 1990 --description "Order 42" --customer-name "Maria Silva" --expires-in 600',
      'qa-pay charges create --amount 1990 --metadata \'{"order":42,"_sandbox":{"pay_after":5}}\' --json',
    ],
    columns: "id as Charge, status, amount, pix.expires_at, checkout_url as Checkout, pix.br_code as Pix code",
    next: "Pay it as a simulated payer: qa-pay sandbox pay {id}",
  },
}).write(({ caller, body }, tx) => create(caller, body, tx));

/** A shortcut: the same operation with the payment method fixed. */
export const createPixCharge = defineOperation({
  id: "pix.charges.create",
  route: "POST /v1/pix/charges",
  summary: "Create a Pix charge (shortcut with the payment method fixed)",
  questions: ["Create a charge of {amount} for {customer.name}?", "Create a charge of {amount}?"],
  description:
    "The same as `charges.create` with `payment_method` fixed to `pix`, which may be left out of the body. Both " +
    "paths share their idempotency keys: an equal request to one replays what the other has answered.",
  body: ChargeBody.extend({ payment_method: ChargeBody.shape.payment_method.default("pix") }),
  success: { status: 201, description: "The charge, waiting for its payer", schema: Charge },
  errors: ["invalid_amount", "fraud.customer_velocity_exceeded", "fraud.account_velocity_exceeded"],
  idempotency: { kind: "charge", implied: { payment_method: "pix" } },
  cli: {
    examples: ["qa-pay pix charges create --amount 1990"],
    columns: "id as Charge, status, amount, pix.expires_at, checkout_url as Checkout, pix.br_code as Pix code",
    next: "Pay it as a simulated payer: qa-pay sandbox pay {id}",
  },
}).write(({ caller, body }, tx) => create(caller, body, tx));

/** Returns a transaction of the caller's book by `ch_<uuid>` or the bare uuid, with any methods. */
function findCharge(stores: Stores, bookId: number, id: string): TransactionRow {
  return rowById("charge", id, (raw) => stores.transactions.inBook(raw, bookId), { isBare: true });
}

/** docs/service/charges.md#reading-a-charge */
export const getCharge = defineOperation({
  id: "charges.get",
  route: "GET /v1/charges/{id}",
  summary: "Read a charge",
  description:
    "Answers the charge by `ch_…` or by the same id without the prefix, which events contain: payments by other methods too, which " +
    "have no `pix` block. It changes nothing. A charge of another account or mode is a 404.",
  success: { status: 200, description: "The charge as it is now", schema: Charge },
  cli: {
    examples: ["qa-pay charges get ch_0198…", "qa-pay charges get ch_0198… --json"],
    columns: [
      "id as Charge, status, amount",
      ...headedColumns("charge"),
      "created_at, pix.expires_at",
      { path: "payment.paidAt", format: "time", isBeside: true },
      "settlement.end_to_end_id, metadata.failure.reason as Failure, metadata.failure.providerErrorCode as Provider code, checkout_url as Checkout",
    ],
  },
}).read(({ caller, params }, reader) => {
  // Integrators that poll read the same charge again and again, so its JSON is kept until the charge changes. A charge
  // with other methods loses its Pix code with time, so its JSON is created every time.
  const { printed } = reader.transactions;
  const raw = rawId(params.id, ID_PREFIX.charge, "") ?? "";
  const known = printed.charges.get(raw, caller.bookId);
  if (known !== null) return new JsonText(known);
  const row = findCharge(reader, caller.bookId, params.id);
  const json = JSON.stringify(toCharge(reader, row));
  // The key is the id of the row: a piece of the request's text would keep the whole request in memory.
  if (row.payment_methods === packMethods(["PIX"])) printed.charges.keep(row.id, caller.bookId, json);
  return new JsonText(json);
});

/** docs/service/charges.md#listing-charges: not released, so it answers 404 without `--preview charge-list`. */
export const listCharges = defineOperation({
  id: "charges.list",
  route: "GET /v1/charges",
  summary: "List charges (preview)",
  description:
    "Lists the charges of the key's account and mode, payments by other methods too, newest first, one page at a time: `next_cursor` goes into " +
    "`starting_after`. The service does not offer this route yet: it answers 404 unless the server was started with " +
    "`--preview charge-list`. An unknown parameter, a bad value and a cursor that is none of your charges are " +
    "refused.",
  preview: "charge-list",
  query: z.strictObject({
    limit: PAGE_QUERY.limit,
    starting_after: idCursor(ID_PREFIX.charge).optional().describe("Id of the last charge of the previous page"),
    status: z.enum(CHARGE_STATUSES).optional(),
    created_after: InstantInput.optional().describe("Inclusive"),
    created_before: InstantInput.optional().describe("Inclusive"),
    customer_id: z.string().optional().describe("Document of the customer"),
  }),
  success: {
    status: 200,
    description: "One page of charges, newest first",
    schema: z.object({ object: z.literal("list"), ...page(Charge).shape }),
  },
  cli: {
    examples: ["qa-pay charges list --status paid --limit 10"],
    columns: "id as Charge, status, amount, customer.name as Customer, created_at",
  },
}).read(({ caller, query }, reader) => {
  const { transactions } = reader;
  const refusal = () => fieldError("starting_after", "must be the id of one of your charges");
  const find = (id: string) => transactions.inBook(id, caller.bookId);
  const last = rowAt(query.starting_after, [ID_PREFIX.charge], find, refusal);
  const filters = {
    book: caller.bookId,
    from: query.created_after,
    to: query.created_before,
    taxId: query.customer_id === undefined ? undefined : normalizeTaxId(query.customer_id),
    after: last?.seq,
  };
  const statuses = query.status === undefined ? undefined : statusesBehind(query.status);
  const rows = transactions.newest(filters, statuses, query.limit + 1);
  return { object: "list" as const, ...cursorPage(rows, query.limit, (row) => toCharge(reader, row)) };
});
