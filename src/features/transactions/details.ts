import { byName, namesOf } from "../../kernel/names.js";
import { pick } from "../../kernel/pick.js";

/**
 * What a merchant says of a payment and gets back as it was sent. The fields of bodies, the columns, the fields of answers, the
 * order of lists, what the commands and the console show of a charge, and what `conform` knows follow from this table. What they
 * show of its customer stands with them.
 */

/** Where a detail is in the bodies of a route and in its answers. */
interface Place {
  readonly at: string;
  /** What it is, for the documents. */
  readonly about: string;
  /** The form of its text in a body: any text when left out. */
  readonly form?: "tax_id" | "bare_tax_id" | "email";
  /** It is in no answer. */
  readonly isHidden?: true;
}

/** What a detail may tell of a person. A file of `incident save` has something made up in its place; `words` may name anybody. */
export type Personal = "name" | "document" | "email" | "phone" | "words";

interface Detail {
  readonly personal: Personal;
  readonly charge?: Place;
  readonly payment?: Place;
  /** What commands call it. */
  readonly header?: string;
}

/** By their columns, in the order of the fields of bodies and answers. */
const DETAILS = {
  customer_id: {
    personal: "words",
    payment: { at: "customerId", about: "Your own id of the customer; comes back in webhooks", isHidden: true },
  },
  customer_name: {
    personal: "name",
    charge: { at: "customer.name", about: "Name of the customer; the checkout page shows it" },
    payment: { at: "customerName", about: "Name of the customer; the checkout page shows it" },
  },
  customer_document: {
    personal: "document",
    charge: { at: "customer.document", about: "CPF or CNPJ, bare or punctuated, letters as capitals", form: "tax_id" },
    payment: { at: "customerDocument", about: "CPF, CNPJ, NIF or other tax id" },
  },
  customer_email: {
    personal: "email",
    charge: { at: "customer.email", about: "E-mail address of the customer, given back as it was sent" },
    payment: { at: "customerEmail", about: "E-mail address of the customer", form: "email" },
  },
  customer_phone: {
    personal: "phone",
    charge: { at: "customer.phone", about: "Phone of the customer, given back as it was sent" },
  },
  expected_payer_tax_id: {
    personal: "document",
    charge: {
      at: "expected_payer_tax_id",
      about: "CPF or CNPJ, without punctuation, of the only payer whose money is kept; needs the customer's name",
      form: "bare_tax_id",
    },
    header: "Expected payer",
  },
} as const satisfies Record<string, Detail>;

type Route = "charge" | "payment";
export type DetailColumn = keyof typeof DETAILS;
export type Details = Readonly<Record<DetailColumn, string | null>>;

/** The names of the details of a route inside of an object of its body: `customer.`, or empty for the body itself. */
export type DetailName<Column, Of extends Route, Within extends string> = Column extends DetailColumn
  ? (typeof DETAILS)[Column] extends Readonly<Record<Of, { readonly at: `${Within}${infer Name}` }>>
    ? Name extends `${string}.${string}`
      ? never
      : Name
    : never
  : never;

export type HiddenColumn<Of extends Route> = {
  [Column in DetailColumn]: (typeof DETAILS)[Column] extends Readonly<Record<Of, { readonly isHidden: true }>>
    ? Column
    : never;
}[DetailColumn];

export interface PlacedDetail extends Place {
  readonly column: DetailColumn;
  /** The last part of `at`. */
  readonly name: string;
  readonly header?: string;
}

function placesOf(of: Route): PlacedDetail[] {
  return namesOf(DETAILS).flatMap((column) => {
    const { [of]: place, header }: Detail = DETAILS[column];
    if (place === undefined) return [];
    const name = place.at.slice(place.at.lastIndexOf(".") + 1);
    return [{ ...place, column, name, ...(header !== undefined && { header }) }];
  });
}

const PLACES: Readonly<Record<Route, readonly PlacedDetail[]>> = {
  charge: placesOf("charge"),
  payment: placesOf("payment"),
};

/** The details of a route inside of an object of its body and its answers, or in all of it. */
export function detailsWithin(of: Route, within: string): PlacedDetail[] {
  return PLACES[of].filter(({ at, name }) => at === within + name);
}

/** The details of a charge that are no part of its customer: commands and the console show them by their names. */
export const CHARGE_DETAILS = detailsWithin("charge", "").map(({ name }) => name) as DetailName<
  DetailColumn,
  "charge",
  ""
>[];

export const DETAIL_COLUMNS = namesOf(DETAILS);

export const PERSONAL_COLUMNS = byName<DetailColumn, Personal>(DETAIL_COLUMNS, (column) => DETAILS[column].personal);

const NONE: Details = byName(DETAIL_COLUMNS, () => null);

/** The columns of what a body says. Without a body, none of them has a value. */
export function detailsIn(of: Route, body: object): Details {
  const details: Record<DetailColumn, string | null> = { ...NONE };
  for (const { column, at } of PLACES[of]) {
    const value = pick(body, at);
    if (typeof value === "string") details[column] = value;
  }
  return details;
}
