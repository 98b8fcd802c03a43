import { DATE_TIME_PATTERN, INSTANT_PATTERN } from "../../base/kernel/time.js";
import type { OpenApiDocument } from "../../service/openapi/document.js";
import type { JsonSchema } from "../../service/openapi/schemas.js";

/** Schemas of the OpenAPI document as lists of fields. */

export interface Field {
  /** Dotted path; items of a list end in `[]`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const DEEPEST = 4;
const CHOICES_SHOWN = 12;

type Schemas = OpenApiDocument["components"]["schemas"];
type Resolved = JsonSchema & { readonly isNullable?: boolean };

/** The schema itself: references are followed, and `null` as a type or an alternative becomes `isNullable`. */
function resolveSchema({ $ref, ...own }: JsonSchema, schemas: Schemas): Resolved {
  const found = { ...schemas[$ref?.split("/").at(-1) ?? ""], ...own };
  if (Array.isArray(found.type) && found.type.includes("null")) {
    return { ...found, type: found.type.filter((type) => type !== "null").join(" | "), isNullable: true };
  }
  const others = (found.anyOf ?? found.oneOf)?.filter(({ type }) => type !== "null");
  const [only] = others ?? [];
  if (only === undefined || others?.length !== 1) return found;
  const { description } = found;
  return { ...resolveSchema(only, schemas), isNullable: true, ...(description === undefined ? {} : { description }) };
}

function typeOf(schema: Resolved, schemas: Schemas): string {
  const text = typeWithoutNull(schema, schemas);
  return schema.isNullable === true ? `${text} | null` : text;
}

/** Texts that a request may use where the contract has a pattern. */
const INSTANTS: Readonly<Record<string, string>> = {
  [INSTANT_PATTERN]: "date-time or date",
  [DATE_TIME_PATTERN]: "date-time",
};

function typeWithoutNull(schema: JsonSchema, schemas: Schemas): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const choices = schema.enum.filter((choice) => choice !== null).map((choice) => JSON.stringify(choice));
    return (choices.length > CHOICES_SHOWN ? [...choices.slice(0, CHOICES_SHOWN), "…"] : choices).join(" | ");
  }
  if (schema.type === "array") return `list of ${typeOf(itemsOf(schema, schemas), schemas)}`;
  const format = schema.format ?? INSTANTS[schema.pattern ?? ""];
  return `${schema.type ?? "any"}${format === undefined ? "" : ` (${format})`}`;
}

const itemsOf = ({ items = {} }: JsonSchema, schemas: Schemas) => resolveSchema(items, schemas);

/** Every field of a schema, with those of the objects inside it. */
export function fieldsOf(written: JsonSchema, schemas: Schemas, prefix = "", depth = 0): Field[] {
  const schema = resolveSchema(written, schemas);
  if (schema.type === "array" && depth <= DEEPEST) {
    return fieldsOf(itemsOf(schema, schemas), schemas, `${prefix}[]`, depth + 1);
  }
  const properties = Object.entries(schema.properties ?? {});
  const required = new Set(schema.required);
  return properties.flatMap(([key, member]) => {
    const found = resolveSchema(member, schemas);
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const type = typeOf(found, schemas);
    const field = { name, type, isRequired: required.has(key), description: found.description ?? "" };
    return [field, ...(depth < DEEPEST ? fieldsOf(member, schemas, name, depth + 1) : [])];
  });
}

/** The names of the fields that an object must have. */
export function requiredFields(written: JsonSchema, schemas: Schemas): readonly string[] {
  return resolveSchema(written, schemas).required ?? [];
}
