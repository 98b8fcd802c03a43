import type { OpenApiDocument } from "../openapi/document.js";
import type { JsonSchema } from "../openapi/schemas.js";

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

/** The schema itself: references are followed, and `null` as an alternative is put aside. */
function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = typeof schema.$ref === "string" ? schema.$ref.split("/").at(-1) : undefined;
  const found = name === undefined ? schema : { ...schemas[name], ...schema, $ref: undefined };
  const choices = (found.anyOf ?? found.oneOf) as JsonSchema[] | undefined;
  const others = choices?.filter(({ type }) => type !== "null");
  const [only] = others ?? [];
  return only !== undefined && others?.length === 1
    ? { ...resolved(only, schemas), isNullable: true, ...own(found) }
    : found;
}

function own({ description }: JsonSchema): JsonSchema {
  return description === undefined ? {} : { description };
}

function typeOf(schema: JsonSchema, schemas: Schemas): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) {
    const choices = schema.enum.slice(0, CHOICES_SHOWN).map((choice) => JSON.stringify(choice));
    const rest = schema.enum.length > CHOICES_SHOWN ? ["…"] : [];
    return [...choices, ...rest, ...(schema.isNullable === true ? ["null"] : [])].join(" | ");
  }
  if (schema.type === "array")
    return `list of ${typeOf(resolved((schema.items ?? {}) as JsonSchema, schemas), schemas)}`;
  const named = Array.isArray(schema.type) ? schema.type.join(" | ") : String(schema.type ?? "any");
  const formats = [schema, ...((schema.anyOf ?? []) as JsonSchema[])].flatMap(({ format }) => format ?? []);
  const format = formats.length === 0 ? "" : ` (${formats.join(" or ")})`;
  return `${named}${format}${schema.isNullable === true ? " | null" : ""}`;
}

/** Every field of a schema, with those of the objects inside it. */
export function fieldsOf(written: JsonSchema, schemas: Schemas, prefix = "", depth = 0): Field[] {
  const schema = resolved(written, schemas);
  if (schema.type === "array" && depth <= DEEPEST) {
    return fieldsOf((schema.items ?? {}) as JsonSchema, schemas, `${prefix}[]`, depth + 1);
  }
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema.required ?? []) as string[]);
  return properties.flatMap(([key, member]) => {
    const found = resolved(member, schemas);
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const field = {
      name,
      type: typeOf(found, schemas),
      isRequired: required.has(key),
      description: String(found.description ?? ""),
    };
    return [field, ...(depth < DEEPEST ? fieldsOf(member, schemas, name, depth + 1) : [])];
  });
}

/** The names of the fields that an object must have. */
export function requiredFields(written: JsonSchema, schemas: Schemas): readonly string[] {
  return (resolved(written, schemas).required ?? []) as string[];
}
