import { fieldError } from "../../../base/kernel/errors.js";
import { decimalsOf } from "../../../base/kernel/money.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { MULTIBANCO_ENTITY } from "../../../base/methods/multibanco.js";
import type { Reader } from "../tx.js";
import { PAYMENT_METHODS, type PaymentMethod } from "./catalogue.js";
import { answeredIn } from "./details.js";
import type { ListFilters } from "./lists.js";
import { isUndecided, TRANSACTION_STATUSES } from "./machine.js";
import { codesOf, PaymentShape } from "./payment-resource.js";

/** Pages of payments in the order of any of their fields (docs/decisions/015-lists-and-figures.md). */

type Field = keyof typeof PaymentShape.shape;
type ComputedField = "pixQrCode" | "mbReference" | "boletoBarcode" | "boletoLine" | "cryptoAddress";

const UNDECIDED = TRANSACTION_STATUSES.filter(isUndecided)
  .map((status) => `'${status}'`)
  .join();

/** SQL: true if the codes of a payment's method are issued. */
function isIssued(method: PaymentMethod): string {
  return `provider_reference IS NOT NULL AND instr(payment_methods, ',${method},') > 0`;
}

/** SQL: the deadline of a method that may end before its payment: see `methodExpiry`. */
function endOf(method: "PIX" | "CREDIT_CARD"): string {
  return `CASE payment_methods WHEN ',${method},' THEN expires_at ELSE created_at + ${PAYMENT_METHODS[method].expires(0)} END`;
}

/** SQL: `value` if the codes of a method are shown: see `showsCodes`. Each `?` is the emulated now. */
function whereShown(method: PaymentMethod, value: string): string {
  let unpaid = "1";
  if (method === "PIX" || method === "CREDIT_CARD") {
    const seen = `CASE WHEN status IN (${UNDECIDED}) THEN ? ELSE updated_at END`;
    unpaid = `(${endOf(method)} >= expires_at OR ${endOf(method)} > ${seen})`;
  }
  return `CASE WHEN ${isIssued(method)} AND CASE WHEN paid_at IS NULL THEN ${unpaid} ELSE paid_with = '${method}' END THEN ${value} END`;
}

const CRYPTO_UNITS = PAYMENT_METHODS.CRYPTO.currencies
  .map((name) => `WHEN '${name}' THEN 1e${decimalsOf(name)}`)
  .join(" ");

/** SQL: the metadata of answers. A failed payment is never contested, so it has at most one block of the service. */
const METADATA = `substr(metadata, 1, length(metadata) - 1)
  || CASE WHEN failure IS NULL THEN '' ELSE iif(metadata = '{}', '', ',') || '"failure":' || failure END
  || CASE WHEN med IS NULL THEN '' ELSE iif(metadata = '{}', '', ',') || '"med":' || med END || '}'`;

const TEXTS = answeredIn("payment", "");

/** The SQL by which each field is sorted: its value, or an expression with the same order. */
const SQL: Readonly<Record<Exclude<Field, ComputedField>, string>> = {
  id: "id",
  status: "status",
  amount: "amount",
  currency: "currency",
  ...byName(namesOf(TEXTS), (name) => TEXTS[name].column),
  paymentMethods: "payment_methods",
  metadata: METADATA,
  createdAt: "created_at",
  // A payment that is held for review has a method already but does not show it.
  paidWith: "CASE WHEN paid_at IS NOT NULL THEN paid_with END",
  // Two of these codes and links first differ in the id.
  pixCopyPaste: whereShown("PIX", "id"),
  cardRedirectUrl: whereShown("CREDIT_CARD", "id"),
  boletoPdfUrl: whereShown("BOLETO", "id"),
  pixExpiresAt: `CASE WHEN ${isIssued("PIX")} THEN ${endOf("PIX")} END`,
  mbEntity: whereShown("MULTIBANCO", `'${MULTIBANCO_ENTITY}'`),
  // Boleto and Multibanco can be paid as long as the payment, and crypto is always the only method.
  mbExpiresAt: `CASE WHEN ${isIssued("MULTIBANCO")} THEN expires_at END`,
  boletoExpiresAt: `CASE WHEN ${isIssued("BOLETO")} THEN expires_at END`,
  cryptoAmount: whereShown("CRYPTO", `amount / CASE currency ${CRYPTO_UNITS} END`),
  cryptoNetwork: whereShown("CRYPTO", "currency"),
  cryptoCurrency: whereShown("CRYPTO", "currency"),
  providerFee: "provider_fee",
  platformFee: "platform_fee",
  netAmount: "amount - provider_fee - platform_fee",
  paidAt: "paid_at",
};

const COLUMNS: Readonly<Record<string, string>> = SQL;

/** Codes that SQL cannot compute, with their methods. They are created for every matching payment, and sorted here. */
const COMPUTED: Readonly<Record<ComputedField, PaymentMethod>> = {
  pixQrCode: "PIX",
  mbReference: "MULTIBANCO",
  boletoBarcode: "BOLETO",
  boletoLine: "BOLETO",
  cryptoAddress: "CRYPTO",
};
/** The maximum of codes created for one answer: as many as five full pages show. */
const MOST_COMPUTED = 500;

export const SORT_FIELDS = namesOf(PaymentShape.shape);

function isComputed(field: Field): field is ComputedField {
  return Object.hasOwn(COMPUTED, field);
}

export interface SortedPage {
  readonly sortBy: Field;
  readonly sortOrder: "asc" | "desc";
  readonly limit: number;
  readonly offset: number;
}

/** Sorts as SQL does: payments without a code first, equal ones by their creation, and everything reversed for desc. */
function pageByCode(reader: Reader, filters: ListFilters, field: ComputedField, page: SortedPage): string[] {
  const { inBook, listSortedIds } = reader.transactions;
  const sorted = listSortedIds(filters, { column: "seq", order: "ASC", values: [] }, MOST_COMPUTED, 0)
    .flatMap((id) => inBook(id, filters.book) ?? [])
    .map((row) => ({ id: row.id, code: String(codesOf(reader, row, COMPUTED[field])[field] ?? "") }))
    .sort((one, other) => (one.code < other.code ? -1 : Number(one.code > other.code)))
    .map(({ id }) => id);
  return (page.sortOrder === "asc" ? sorted : sorted.reverse()).slice(page.offset, page.offset + page.limit);
}

/** Returns the ids of one page of the payments that match the filters. `total` is the number of all. */
export function sortIds(reader: Reader, filters: ListFilters, total: number, page: SortedPage): string[] {
  const { sortBy, sortOrder, limit, offset } = page;
  if (isComputed(sortBy)) {
    if (total <= MOST_COMPUTED) return pageByCode(reader, filters, sortBy, page);
    const next = "narrow the list by status, startDate or endDate, or sort by another field";
    throw fieldError("sortBy", `sorts ${MOST_COMPUTED} payments by ${sortBy} at most, and ${total} match: ${next}`);
  }
  if (offset >= total) return [];
  const column = COLUMNS[sortBy] ?? "";
  const values = Array.from(column.matchAll(/\?/g), () => reader.now);
  const order = sortOrder === "asc" ? "ASC" : "DESC";
  return reader.transactions.listSortedIds(filters, { column, values, order }, limit, offset);
}
