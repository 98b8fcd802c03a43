import { z } from "zod";
import type { CliFace } from "../../../kernel/contract.js";
import { MAX_AMOUNT } from "../../../kernel/money.js";
import { Metadata } from "../../../kernel/schemas.js";
import { type Caller, defineOperation, StoredAnswer } from "../../operation.js";
import type { Tx } from "../../tx.js";
import { createTransaction } from "../create.js";
import { checkPayer, DEFAULT_EXPIRY, MAX_EXPIRY, MIN_EXPIRY, readDirectives } from "../rules.js";
import { Charge, toCharge } from "../wire-charge.js";

/** docs/service/charges.md#creating-a-charge */

const ChargeBody = z.object({
  amount: z.int().min(1).max(MAX_AMOUNT).meta({ description: "Centavos" }),
  currency: z.literal("BRL", { error: "must be BRL for Pix" }).default("BRL"),
  payment_method: z.literal("pix", { error: "must be pix" }),
  description: z
    .string()
    .max(500, "must have at most 500 characters")
    .optional()
    .meta({ description: "What it is for, at most 500 characters; comes back as metadata.description" }),
  expires_in: z
    .number()
    .refine(Number.isInteger, "must be an integer")
    .refine((seconds) => seconds >= MIN_EXPIRY, `must be at least ${MIN_EXPIRY} seconds`)
    .optional()
    .meta({
      type: "integer",
      minimum: MIN_EXPIRY,
      description: "Seconds until it expires, from 60; more than 86400 counts as 86400 (default 3600)",
    }),
  customer: z
    .object({
      name: z.string().optional(),
      document: z.string().optional().meta({ description: "CPF or CNPJ" }),
      email: z.string().optional(),
      phone: z.string().optional(),
    })
    .optional(),
  expected_payer_tax_id: z
    .string()
    .optional()
    .meta({ description: "CPF or CNPJ of the only payer whose money is kept; needs the customer's name" }),
  metadata: Metadata.optional().meta({ description: "Free-form object; metadata._sandbox scripts the outcome" }),
});

const cli: CliFace = {
  command: "charges create",
  picture: true,
  asks: { amount: "Amount", description: "Description", "customer.name": "Name of the customer" },
  examples: [
    "qa-pay charges create --amount 1990",
    'qa-pay charges create --amount 1990 --description "Order 42" --customer-name "Maria Silva" --expires-in 600',
    'qa-pay charges create --amount 1990 --metadata \'{"order":42,"_sandbox":{"pay_after":5}}\' --json',
  ],
  columns: [
    { header: "Charge", path: "id" },
    { header: "Status", path: "status", format: "status" },
    { header: "Amount", path: "amount", format: "money" },
    { header: "Expires", path: "pix.expires_at", format: "time" },
    { header: "Checkout", path: "checkout_url" },
    { header: "Pix code", path: "pix.br_code" },
  ],
  next: "Pay it as a simulated payer: qa-pay sandbox pay {id}",
};

function create(caller: Caller, body: z.output<typeof ChargeBody>, tx: Tx) {
  checkPayer(body);
  const { row, stored } = createTransaction(tx, caller.bookId, {
    methods: ["PIX"],
    amount: body.amount,
    currency: body.currency,
    description: body.description,
    expiresIn: Math.min(body.expires_in ?? DEFAULT_EXPIRY, MAX_EXPIRY),
    customer: body.customer,
    expectedPayerTaxId: body.expected_payer_tax_id,
    metadata: body.metadata,
    directives: readDirectives(body.metadata),
    // The answer contains the code, so the acquirer issues it before the charge is answered.
    acquirerDelayMs: 0,
  });
  return stored === null ? toCharge(tx, row) : new StoredAnswer(stored.chargeJson, stored.seq);
}

export const createChargeOperation = defineOperation({
  id: "charges.create",
  method: "POST",
  path: "/v1/charges",
  auth: "key",
  surface: "api",
  summary: "Create a Pix charge",
  description:
    "Creates a Pix charge in BRL and answers it with its code, its QR image and its checkout page. `charge.created` " +
    "and `payment.created` follow. The answer is kept under the Idempotency-Key: an equal body under the same key " +
    "is answered with it again and creates nothing, another body is refused with 409. Also refused are a document " +
    "that is no CPF or CNPJ, an expected payer who is not the customer, and a directive of `metadata._sandbox` that " +
    "does not exist.",
  body: ChargeBody,
  success: { status: 201, description: "The charge, waiting for its payer", schema: Charge },
  errors: ["invalid_amount", "fraud.customer_velocity_exceeded", "fraud.account_velocity_exceeded"],
  idempotency: { kind: "charge" },
  cli,
}).write(({ caller, body }, tx) => create(caller, body, tx));

/** A shortcut: the same operation with the payment method fixed. */
export const createPixCharge = defineOperation({
  id: "pix.charges.create",
  method: "POST",
  path: "/v1/pix/charges",
  auth: "key",
  surface: "api",
  summary: "Create a Pix charge (shortcut with the payment method fixed)",
  description:
    "The same as `charges.create` with `payment_method` fixed to `pix`, which may be left out of the body. Both " +
    "paths share their idempotency keys: an equal request to one replays what the other has answered.",
  body: ChargeBody.extend({ payment_method: ChargeBody.shape.payment_method.default("pix") }),
  success: { status: 201, description: "The charge, waiting for its payer", schema: Charge },
  errors: ["invalid_amount", "fraud.customer_velocity_exceeded", "fraud.account_velocity_exceeded"],
  idempotency: { kind: "charge", implied: { payment_method: "pix" } },
}).write(({ caller, body }, tx) => create(caller, body, tx));
