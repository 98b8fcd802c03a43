import { parseAmount } from "../../../../base/kernel/money.js";
import { dayOf } from "../words/dates.js";

/** The values of form fields as text, and as they are sent. Pure. */

/** The fields of a form. Their values are texts until the form is sent. */
export interface FieldSpec {
  readonly name: string;
  readonly label: string;
  /**
   * `text` when left out. `money` takes a price or centavos and returns centavos. `list`: items with commas. `share`: a
   * number from 0 to 1, shown in per cent.
   */
  readonly kind?: "text" | "money" | "number" | "share" | "choice" | "long" | "json" | "list" | "yes" | "date";
  /** For `choice` and `json` the allowed values, for `list` buttons below the field; maybe with words. */
  readonly choices?: readonly (string | { readonly value: string; readonly words: string })[];
  /** For `choice`: the words for no choice. */
  readonly none?: string;
  /** Values that a text field suggests. Others are allowed. */
  readonly suggestions?: readonly string[];
  readonly required?: boolean;
  readonly value?: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Texts that buttons below the field write into it, such as the whole amount and half of it. */
  readonly quick?: readonly { readonly label: string; readonly text: string }[];
  /** The name under which the field is folded away. */
  readonly group?: string;
  /** True if the word `null` stands for no value, which differs from an empty field. */
  readonly takesNull?: boolean;
  /** The field's name in a refusal of the service; its own name when left out. */
  readonly param?: string;
}

export type Values = Readonly<Record<string, string>>;

export const itemsOf = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** The value of a field as the operation takes it; undefined for an empty field. */
export function fieldValue({ kind, takesNull }: FieldSpec, given: string): unknown {
  const text = given.trim();
  if (text === "") return undefined;
  if (takesNull === true && text === "null") return null;
  if (kind === "money") return parseAmount(text) ?? undefined;
  if (kind === "number" || kind === "share") return Number(text);
  if (kind === "yes") return text === "true";
  if (kind === "list") return itemsOf(text);
  if (kind === "date") return dayOf(text, new Date()) ?? undefined;
  if (kind !== "json") return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
