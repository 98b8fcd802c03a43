import type { z } from "zod";
import { answerSchema, isMoney, type Resolve, typesOf, unitOf } from "./fields.js";
import type { JsonSchema } from "./schemas.js";

/** The fields of an answer with what they hold, for people: the fields at the top, and the names of those one level down. */

export interface AnswerField {
  readonly name: string;
  /** Such as `integer, centavos`, or `object: name, document`. */
  readonly holds: string;
}

const MOST_CHOICES = 8;
const UNITS = { s: "seconds", ms: "milliseconds" } as const;

function members({ properties = {} }: JsonSchema): string {
  return Object.keys(properties).join(", ");
}

function plainText(name: string, schema: JsonSchema, resolve: Resolve): string {
  const { const: only, enum: choices, format, contentMediaType, properties, items, anyOf = [] } = schema;
  const [type = "any", ...others] = typesOf(schema).filter((one) => one !== "null");
  if (only !== undefined) return `always ${only}`;
  if (choices !== undefined) {
    const known = choices.filter((choice) => choice !== null);
    return known.length > MOST_CHOICES ? `${known.slice(0, 3).join(", ")} and others` : known.join(", ");
  }
  if (format === "date-time") return "time";
  if (contentMediaType !== undefined) return `${contentMediaType} in base64`;
  if (properties !== undefined) return `object: ${members(schema)}`;
  if (items !== undefined) {
    const item = resolve(items);
    return item.properties === undefined ? `list of ${plainText(name, item, resolve)}` : `list of: ${members(item)}`;
  }
  const forms = anyOf.map(resolve).filter((one) => one.properties !== undefined);
  if (forms.length > 1) return `object in one of ${forms.length} forms`;
  if (anyOf.length > 0) return [...new Set(anyOf.map((one) => plainText(name, resolve(one), resolve)))].join(" or ");
  const { unit } = unitOf(name, type === "integer" || type === "number" ? type : "string");
  if (unit !== undefined) return `${type}, ${UNITS[unit]}`;
  return isMoney(name, type) ? "integer, centavos" : [type, ...others].join(" or ");
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, resolve: Resolve): AnswerField[] {
  return Object.entries(properties).map(([name, written]) => {
    const schema = resolve(written);
    const isNullable = typesOf(schema).includes("null");
    const notes = [...(isNullable ? ["null"] : []), ...(required.includes(name) ? [] : ["absent"])];
    const rarely = notes.length === 0 ? "" : ` (may be ${notes.join(" or ")})`;
    return { name, holds: plainText(name, schema, resolve) + rarely };
  });
}

export interface AnswerFields {
  readonly fields: readonly AnswerField[];
  readonly around: readonly AnswerField[];
}

/** The fields of an answer; for a list those of a row, and `around` it the other members of the object. `rows` is the member with the rows of a list, empty when the answer itself is the array. */
export function answerFields(schema: z.ZodType, rows: string | undefined): AnswerFields {
  const { whole, rowOf, resolve } = answerSchema(schema);
  if (rows === undefined) return { fields: fieldsOf(whole, resolve), around: [] };
  return {
    fields: fieldsOf(resolve(rowOf(rows)), resolve),
    around: fieldsOf(whole, resolve).filter(({ name }) => name !== rows),
  };
}
