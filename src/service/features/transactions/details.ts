import { byName, namesOf } from "../../../base/kernel/names.js";
import { pick } from "../../../base/kernel/pick.js";

/** The texts that a merchant sends about a payment and its customer, and receives back unchanged. */

/** The personal facts in a text. A file of `incident save` replaces them by invented ones; `words` may name anybody. */
export type Personal = "name" | "document" | "email" | "phone" | "words";

/** By their columns. */
export const PERSONAL_COLUMNS = {
  customer_id: "words",
  customer_name: "name",
  customer_document: "document",
  customer_email: "email",
  customer_phone: "phone",
  expected_payer_tax_id: "document",
} as const satisfies Record<string, Personal>;

export type DetailColumn = keyof typeof PERSONAL_COLUMNS;
export type Details = Readonly<Record<DetailColumn, string | null>>;

export const DETAIL_COLUMNS = namesOf(PERSONAL_COLUMNS);

export const NO_DETAILS: Details = byName(DETAIL_COLUMNS, () => null);

/** The columns, each with its field in bodies and answers. */
const FIELDS: Readonly<Record<"charge" | "payment", readonly (readonly [DetailColumn, string])[]>> = {
  charge: [
    ["customer_name", "customer.name"],
    ["customer_document", "customer.document"],
    ["customer_email", "customer.email"],
    ["customer_phone", "customer.phone"],
    ["expected_payer_tax_id", "expected_payer_tax_id"],
  ],
  payment: [
    ["customer_id", "customerId"],
    ["customer_name", "customerName"],
    ["customer_document", "customerDocument"],
    ["customer_email", "customerEmail"],
  ],
};

/** Returns the columns for the fields of a body or an answer. */
export function detailsIn(of: "charge" | "payment", body: object): Details {
  const details: Record<DetailColumn, string | null> = { ...NO_DETAILS };
  for (const [column, path] of FIELDS[of]) {
    const value = pick(body, path);
    if (typeof value === "string") details[column] = value;
  }
  return details;
}
