import { z } from "zod";
import { isEmailAddress } from "../../../kernel/email.js";
import { MAX_AMOUNT } from "../../../kernel/money.js";
import { Currency, keyInBody, Metadata } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { checkWebhookUrl } from "../../webhooks/actions.js";
import { createTransaction } from "../create.js";
import { checkMbwayPhone, checkMethods, checkReturnUrl, readDirectives } from "../rules.js";
import { CreatedPayment, MethodName, toCreatedPayment } from "../wire-payment.js";

/** docs/service/payments.md#creating-a-payment */
export const createPayment = defineOperation({
  id: "payments.create",
  method: "POST",
  path: "/v1/payments",
  auth: "key",
  surface: "api",
  summary: "Create a payment by one or several methods",
  description:
    "Creates a payment that its payer may pay by any of `paymentMethods`. The acquirer issues codes, references and " +
    "links a moment later: `payments.get` shows them. `charge.created` and `payment.created` follow; a `webhookUrl` " +
    "receives the legacy events of this payment in place of your endpoints. An equal body with the same " +
    "`idempotencyKey` is answered with the first answer, another body is refused with 409. A method that no " +
    "provider takes for the currency is refused with 422.",
  body: z.object({
    amount: z.int().min(1).max(MAX_AMOUNT).meta({ description: "Smallest unit of the currency (centavos)" }),
    currency: Currency.default("BRL"),
    paymentMethods: z
      .array(MethodName)
      .min(1, "must name one method or more")
      .max(MethodName.options.length)
      .refine((methods) => new Set(methods).size === methods.length, "must not name a method twice"),
    customerId: z.string().optional().meta({ description: "Your own id of the customer; comes back in webhooks" }),
    customerName: z.string().optional(),
    customerDocument: z.string().optional().meta({ description: "CPF, CNPJ, NIF or other tax id" }),
    customerEmail: z.string().refine(isEmailAddress, "must be an e-mail address").optional(),
    customerPhone: z
      .string()
      .optional()
      .meta({ description: "E.164; MBWAY takes it when metadata.phone is not there" }),
    metadata: Metadata.optional().meta({
      description: "Free-form object; returnUrl is where the card page ends, phone is for MBWAY, _sandbox scripts it",
    }),
    webhookUrl: z.string().optional().meta({ description: "Receives this payment's events instead of your endpoints" }),
    idempotencyKey: z
      .string({ error: keyInBody })
      .min(1, "must have 1 to 255 characters")
      .max(255, "must have 1 to 255 characters")
      .meta({ description: "Unique for each intended payment, 1 to 255 characters" }),
  }),
  success: { status: 201, description: "The payment, waiting for its payer", schema: CreatedPayment },
  errors: [
    "invalid_amount",
    "unprocessable_entity",
    "fraud.customer_velocity_exceeded",
    "fraud.account_velocity_exceeded",
  ],
  idempotency: { kind: "payment", field: "idempotencyKey" },
  cli: {
    command: "payments create",
    picture: true,
    examples: [
      "qa-pay payments create --amount 1990 --payment-methods PIX,BOLETO",
      "qa-pay payments create --amount 1990 --currency EUR --payment-methods MBWAY --customer-phone +351912345678",
      'qa-pay payments create --amount 1990 --payment-methods CREDIT_CARD --metadata \'{"returnUrl":"https://shop.example/done"}\'',
    ],
    columns: [
      { header: "Payment", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Methods", path: "paymentMethods", format: "list" },
      { header: "Customer", path: "customerName" },
      { header: "Created", path: "createdAt", format: "time" },
    ],
    next: "Codes and links: qa-pay payments get {id}    Pay it: qa-pay sandbox pay {id}",
  },
}).write(({ caller, body }, tx) => {
  const webhookUrl =
    body.webhookUrl === undefined ? undefined : checkWebhookUrl("webhookUrl", body.webhookUrl, tx.settings.strictHttps);
  if (body.paymentMethods.includes("MBWAY")) checkMbwayPhone(body.metadata?.phone, body.customerPhone);
  if (body.paymentMethods.includes("CREDIT_CARD")) checkReturnUrl(body.metadata?.returnUrl);
  const directives = readDirectives(body.metadata);
  checkMethods(body.paymentMethods, body.currency, body.amount);
  const { row } = createTransaction(tx, caller.bookId, {
    amount: body.amount,
    currency: body.currency,
    methods: body.paymentMethods,
    customer: {
      id: body.customerId,
      name: body.customerName,
      document: body.customerDocument,
      email: body.customerEmail,
      phone: body.customerPhone,
    },
    metadata: body.metadata,
    webhookUrl,
    directives,
    acquirerDelayMs: tx.settings.acquirerDelayMs,
  });
  return toCreatedPayment(row);
});
