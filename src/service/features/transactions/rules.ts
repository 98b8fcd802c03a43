import { ApiError, fieldError } from "../../../base/kernel/errors.js";
import { isJsonObject, parseObject } from "../../../base/kernel/json.js";
import { isWebAddress } from "../../../base/kernel/page-address.js";
import { saysSomething } from "../../../base/kernel/pasted-text.js";
import { isBareCpfOrCnpj, isCpfOrCnpj, normalizeTaxId } from "../../../base/kernel/tax-id.js";
import { checkUrlText } from "../../../base/kernel/url.js";
import { BOLETO_MAX_AMOUNT } from "../../../base/methods/boleto.js";
import { MULTIBANCO_MAX_AMOUNT, MULTIBANCO_MIN_AMOUNT } from "../../../base/methods/multibanco.js";
import { hasMethod, methodExpiry, PAYMENT_METHODS, type PaymentMethod } from "./catalogue.js";
import { isUndecided } from "./machine.js";
import type { NewTransaction } from "./store.js";

/** Rules of a charge beside its schema (docs/service/charges.md#creating-a-charge, docs/service/charges.md#metadata). */

/** Metadata keys that belong to the service. */
const RESERVED = new Set(["med", "failure"]);

export const MIN_EXPIRY = 60;
export const MAX_EXPIRY = 86_400;
/** The seconds in which a charge can be paid by default. */
export const DEFAULT_EXPIRY = 3_600;

/** Metadata as stored and answered: without reserved keys and those that begin with an underscore, with the description. */
export function publicMetadata(
  metadata: Readonly<Record<string, unknown>>,
  description: string | undefined,
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (!RESERVED.has(key) && !key.startsWith("_")) kept[key] = value;
  }
  if (description !== undefined) kept.description = description;
  return kept;
}

/** Returns the description of a payment, which `publicMetadata` put into its metadata; null when there is none. */
export function descriptionOf({ metadata }: Pick<NewTransaction, "metadata">): string | null {
  const { description } = parseObject(metadata);
  return typeof description === "string" ? description : null;
}

export interface PayerExpectation {
  readonly customer?: { readonly name?: string | undefined; readonly document?: string | undefined } | undefined;
  readonly expected_payer_tax_id?: string | undefined;
}

/** An expected payer has a valid document, the customer's own, and a name (docs/service/charges.md#creating-a-charge). */
export function checkPayer({ customer, expected_payer_tax_id: expected }: PayerExpectation): void {
  const document = customer?.document;
  if (document !== undefined && !isCpfOrCnpj(document)) {
    throw fieldError("customer.document", "must be a valid CPF or CNPJ, its letters capitals");
  }
  if (expected === undefined) return;
  if (!isBareCpfOrCnpj(expected)) {
    throw fieldError(
      "expected_payer_tax_id",
      "must be a valid CPF of 11 digits or CNPJ of 14 characters, without punctuation",
    );
  }
  if (document !== undefined && normalizeTaxId(document) !== normalizeTaxId(expected)) {
    throw fieldError("expected_payer_tax_id", "must be the same document as customer.document");
  }
  if (customer?.name === undefined || !saysSomething(customer.name)) {
    throw fieldError("customer.name", "is required when expected_payer_tax_id is set");
  }
}

/** The result of a payment of the exact amount, by its payer (docs/service/charges.md#expected-payer). */
export function payerVerdict(expected: string | null, payer: string | null): "settle" | "hold" | "return" {
  if (expected === null) return "settle";
  if (payer === null) return "hold";
  return normalizeTaxId(expected) === normalizeTaxId(payer) ? "settle" : "return";
}

/** `metadata._sandbox`: the later steps of this transaction without further requests. */
export interface Directives {
  /** Seconds after creation at which the simulated payer pays. */
  readonly payAfter?: number;
  readonly payerDocument?: string | null;
  readonly payerName?: string;
  readonly payAmount?: number;
  /** Seconds after settlement at which its payer's bank opens a MED case. */
  readonly medAfter?: number;
  /** The provider refuses it at creation, with this code. */
  readonly fail?: string;
  /** False: the provider binds no txid to its Pix, so answers have none. */
  readonly txid?: boolean;
}

const MAX_DELAY = 10 * 365 * 86_400;

function directive(name: string, valid: boolean, message: string): void {
  if (!valid) throw fieldError(`metadata._sandbox.${name}`, message);
}

/**
 * Reads `metadata._sandbox`. An unknown or malformed directive is refused: a scenario must not fail without a message.
 */
export function readDirectives(metadata: Readonly<Record<string, unknown>> | undefined): Directives {
  const script = metadata?._sandbox;
  if (script === undefined || script === null) return {};
  if (!isJsonObject(script)) throw fieldError("metadata._sandbox", "must be an object of directives");
  const { pay_after, payer_document, payer_name, amount, fail, med_after, txid, ...unknown } = script;
  const stray = Object.keys(unknown)[0];
  if (stray !== undefined) {
    throw fieldError(
      `metadata._sandbox.${stray}`,
      "is no directive; there are pay_after, payer_document, payer_name, amount, med_after, txid and fail",
    );
  }
  const isPresent = <T>(value: T | undefined): value is T => value !== undefined;
  for (const [name, seconds] of [["pay_after", pay_after] as const, ["med_after", med_after] as const]) {
    const valid = typeof seconds === "number" && seconds >= 0 && seconds <= MAX_DELAY;
    directive(name, !isPresent(seconds) || valid, `must be a number of seconds from 0 to ${MAX_DELAY}`);
  }
  if (isPresent(payer_document)) {
    const document = payer_document === null || (typeof payer_document === "string" && isCpfOrCnpj(payer_document));
    directive("payer_document", document, "must be a valid CPF or CNPJ, or null when the bank does not report it");
  }
  if (isPresent(payer_name)) directive("payer_name", typeof payer_name === "string", "must be a string");
  if (isPresent(amount))
    directive("amount", Number.isSafeInteger(amount) && Number(amount) > 0, "must be a positive integer");
  if (isPresent(txid))
    directive("txid", typeof txid === "boolean", "must be true, or false for a provider that binds none");
  if (isPresent(fail)) {
    directive("fail", typeof fail === "string" && fail !== "", "must be the provider's error code");
    directive("fail", !isPresent(pay_after) && !isPresent(med_after), "cannot be combined with pay_after or med_after");
  }
  for (const name of ["payer_document", "payer_name", "amount"] as const) {
    if (isPresent(script[name])) directive(name, isPresent(pay_after), "needs pay_after beside it");
  }
  return {
    ...(isPresent(pay_after) ? { payAfter: Number(pay_after) } : {}),
    ...(isPresent(payer_document) ? { payerDocument: payer_document === null ? null : String(payer_document) } : {}),
    ...(isPresent(payer_name) ? { payerName: String(payer_name) } : {}),
    ...(isPresent(amount) ? { payAmount: Number(amount) } : {}),
    ...(isPresent(med_after) ? { medAfter: Number(med_after) } : {}),
    ...(isPresent(fail) ? { fail: String(fail) } : {}),
    ...(txid === false ? { txid } : {}),
  };
}

/** True while the cardholder is being authenticated. All other payments in PROCESSING are held for review. */
export function isInFlight({ status, held_at }: Pick<NewTransaction, "status" | "held_at">): boolean {
  return status === "PROCESSING" && held_at === null;
}

/**
 * True if the codes and links of a method are shown (docs/decisions/016-codes-from-the-row.md). They are shown from
 * their issue on, until another method has paid, or until the method expires before the transaction does. A transaction
 * that ended unpaid shows the codes that it showed at its end.
 */
export function showsCodes(row: NewTransaction, method: PaymentMethod, now: number): boolean {
  return row.provider_reference !== null && isOffered(row, method, now);
}

/** The same, also before the codes have been issued. */
export function isOffered(row: NewTransaction, method: PaymentMethod, now: number): boolean {
  if (!hasMethod(row, method)) return false;
  if (row.paid_at !== null) return row.paid_with === method;
  const end = methodExpiry(row, method);
  return end >= row.expires_at || end > (isUndecided(row.status) ? now : row.updated_at);
}

/** Returns `ms` in whole seconds, rounded to two significant digits, so that a distribution of them stays small. */
export function roundSeconds(ms: number): number {
  return Number(Math.max(0, Math.round(ms / 1_000)).toPrecision(2));
}

function unprocessable(message: string): ApiError {
  return new ApiError("unprocessable_entity", { message });
}

/** Checks that a provider accepts these methods for this currency and amount. Throws `unprocessable_entity`. */
export function checkMethods(methods: readonly PaymentMethod[], currency: string, amount: number): void {
  for (const method of methods) {
    const currencies: readonly string[] = PAYMENT_METHODS[method].currencies;
    if (!currencies.includes(currency)) {
      throw unprocessable(`No provider takes ${method} for ${currency}; it is for ${currencies.join(", ")}.`);
    }
  }
  if (methods.includes("BOLETO") && amount > BOLETO_MAX_AMOUNT) {
    throw unprocessable("A boleto has room for R$ 99.999.999,99 at most.");
  }
  if (methods.includes("MULTIBANCO") && (amount < MULTIBANCO_MIN_AMOUNT || amount > MULTIBANCO_MAX_AMOUNT)) {
    throw unprocessable("A Multibanco reference is for 1,00 EUR to 999 999,99 EUR.");
  }
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** The condition of `checkMbwayPhone` on the body of a payment, as JSON Schema. */
export const MBWAY_NEEDS_A_PHONE = {
  if: { properties: { paymentMethods: { contains: { const: "MBWAY" } } } },
  // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema; nobody awaits a schema
  then: {
    properties: {
      metadata: {
        type: "object",
        properties: { phone: { type: "string", pattern: E164.source } },
        required: ["phone"],
      },
    },
    required: ["metadata"],
  },
};

/** Checks the phone to which MBWAY sends its request, which must be in E.164. */
export function checkMbwayPhone(phone: unknown): void {
  if (typeof phone === "string" && E164.test(phone)) return;
  const isMissing = phone === undefined || phone === null;
  throw fieldError(
    "metadata.phone",
    `${isMissing ? "is required for MBWAY:" : "must be"} a phone number such as +351912345678`,
  );
}

/** Checks the address to which the card page sends the cardholder. A browser opens it, so it must be a web address. */
export function checkReturnUrl(url: unknown): void {
  if (url === undefined || url === null) return;
  if (typeof url === "string") checkUrlText("metadata.returnUrl", url);
  if (typeof url === "string" && isWebAddress(url)) return;
  throw fieldError("metadata.returnUrl", "must be a web address such as https://shop.example/order/42");
}
