import { byName, namesOf } from "../../../base/kernel/names.js";
import { pick } from "../../../base/kernel/pick.js";

/**
 * The texts that a merchant sends about a payment and its customer, and receives back unchanged. Each is declared here
 * once: the store, bodies and answers of charges and of payments, sorting, columns of commands, the page and the form of a
 * charge in the console, and case files follow. A migration adds the column to the database.
 */

/** A field in the bodies and answers of one resource. */
export interface DetailField {
  /** `customer.name` is the member `name` of the object `customer`. */
  readonly name: string;
  /** The form of a request's text. Without one, any text is taken. */
  readonly form?: "taxId" | "bareTaxId" | "email";
  /** The maximum of characters that a request may have. */
  readonly most?: number;
  /** The description of a request's field. */
  readonly about: string;
  /** No answer has it. */
  readonly isHidden?: true;
}

/** The personal facts in a text. A file of `incident save` replaces them by invented ones; `words` may name anybody. */
export type Personal = "name" | "document" | "email" | "phone" | "words";

export interface Detail {
  readonly personal: Personal;
  /**
   * The name in the tables of commands. With one, the page of a charge shows the text too, and its form takes it, under the
   * name that `terms` of the console's texts has for the column.
   */
  readonly header?: string;
  readonly charge?: DetailField;
  readonly payment?: DetailField;
}

/** By their columns, in the order of bodies and answers. */
export const DETAILS = {
  customer_id: {
    personal: "words",
    payment: {
      name: "customerId",
      about: "Your own id of the customer; webhooks contain it",
      isHidden: true,
    },
  },
  customer_name: {
    personal: "name",
    header: "Customer",
    charge: { name: "customer.name", about: "Name of the customer; the checkout page shows it" },
    payment: { name: "customerName", about: "Name of the customer; the checkout page shows it" },
  },
  customer_document: {
    personal: "document",
    header: "Document",
    charge: {
      name: "customer.document",
      form: "taxId",
      about: "CPF or CNPJ, with or without punctuation, letters as capitals",
    },
    payment: { name: "customerDocument", about: "CPF, CNPJ, NIF or other tax id" },
  },
  customer_email: {
    personal: "email",
    charge: { name: "customer.email", about: "E-mail address of the customer, returned as it was sent" },
    payment: { name: "customerEmail", form: "email", about: "E-mail address of the customer" },
  },
  customer_phone: {
    personal: "phone",
    charge: { name: "customer.phone", about: "Phone of the customer, returned as it was sent" },
  },
  expected_payer_tax_id: {
    personal: "document",
    header: "Expected payer",
    charge: {
      name: "expected_payer_tax_id",
      form: "bareTaxId",
      about: "CPF or CNPJ, without punctuation, of the only payer whose money is kept; needs the customer's name",
    },
  },
} as const satisfies Readonly<Record<string, Detail>>;

export type DetailColumn = keyof typeof DETAILS;
export type Details = Readonly<Record<DetailColumn, string | null>>;

export const DETAIL_COLUMNS = namesOf(DETAILS);
const ROWS: Readonly<Record<DetailColumn, Detail>> = DETAILS;

export const NO_DETAILS: Details = byName(DETAIL_COLUMNS, () => null);

export const PERSONAL_COLUMNS: Readonly<Record<DetailColumn, Personal>> = byName(
  DETAIL_COLUMNS,
  (column) => ROWS[column].personal,
);

/** The columns with a header, but for the customer's name and document, which the page of a charge shows in one line. */
export const SINGLE_DETAILS = DETAIL_COLUMNS.filter(
  (column) => ROWS[column].header !== undefined && column !== "customer_name" && column !== "customer_document",
);

/** Their fields in the request for a charge, for its form. */
export const SINGLE_FIELDS = SINGLE_DETAILS.flatMap((column) => {
  const row = DETAILS[column];
  return "charge" in row ? [row.charge.name] : [];
});

export type Resource = "charge" | "payment";

type FieldOf<Of extends Resource> = Extract<(typeof DETAILS)[DetailColumn], { readonly [Each in Of]: DetailField }>[Of];
type InAnswers<Field> = Exclude<Field, { readonly isHidden: true }>;
/** The names of fields in the object `In`, or outside of any for an empty text. */
type NameIn<In extends string, Field> = Field extends { readonly name: infer Name extends string }
  ? In extends ""
    ? Exclude<Name, `${string}.${string}`>
    : Name extends `${In}.${infer Inner}`
      ? Inner
      : never
  : never;

type Member = Omit<DetailField, "name"> & { readonly column: DetailColumn };
type Members<In extends string, Field> = Readonly<Record<NameIn<In, Field>, Member>>;

/** Returns the fields of a body in the object `within`, or outside of any for an empty text, by their names there. */
export function requestedIn<Of extends Resource, In extends string>(of: Of, within: In) {
  const all = DETAIL_COLUMNS.flatMap((column) => {
    const field: DetailField | undefined = ROWS[column][of];
    if (field === undefined) return [];
    const [name = "", outer = ""] = field.name.split(".").reverse();
    return outer === within ? [[name, { ...field, column }] as const] : [];
  });
  return Object.fromEntries<Member>(all) as Members<In, FieldOf<Of>>;
}

/** Returns the same of an answer. */
export function answeredIn<Of extends Resource, In extends string>(of: Of, within: In) {
  const all = Object.entries<Member>(requestedIn(of, within)).filter(([, { isHidden }]) => !isHidden);
  return Object.fromEntries(all) as Members<In, InAnswers<FieldOf<Of>>>;
}

/** Returns the columns for the fields of a body or an answer. */
export function detailsIn(of: Resource, body: object): Details {
  const details: Record<DetailColumn, string | null> = { ...NO_DETAILS };
  for (const column of DETAIL_COLUMNS) {
    const { name } = ROWS[column][of] ?? {};
    const value = name === undefined ? undefined : pick(body, name);
    if (typeof value === "string") details[column] = value;
  }
  return details;
}

function placesOf<Name extends string>(members: Readonly<Record<Name, Member>>) {
  return namesOf(members).map((name) => [name, members[name].column] as const);
}

/** Returns a function that reads the texts of a row, each by its name in the answer. Missing texts are left out. */
export function presentTexts<Name extends string>(members: Readonly<Record<Name, Member>>) {
  const places = placesOf(members);
  return (row: Details): { [Each in Name]?: string } => {
    const texts: { [Each in Name]?: string } = {};
    for (const [name, column] of places) {
      const text = row[column];
      if (text !== null) texts[name] = text;
    }
    return texts;
  };
}

/** The same, with null for missing texts. */
export function nullableTexts<Name extends string>(members: Readonly<Record<Name, Member>>) {
  const places = placesOf(members);
  const none: Readonly<Record<Name, string | null>> = byName(namesOf(members), () => null);
  return (row: Details): Record<Name, string | null> => {
    const texts: Record<Name, string | null> = { ...none };
    for (const [name, column] of places) texts[name] = row[column];
    return texts;
  };
}

/** Returns the columns of a command that shows one charge or payment. */
export function headedColumns(of: Resource): string[] {
  return DETAIL_COLUMNS.flatMap((column) => {
    const { header, [of]: field } = ROWS[column];
    return header === undefined || field === undefined || field.isHidden ? [] : [`${field.name} as ${header}`];
  });
}
