import type { OpenApiDocument } from "../openapi/document.js";
import type { JsonSchema } from "../openapi/schemas.js";

/** Schemas of the OpenAPI document as lists of fields and as examples. */

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
    const shown = schema.enum.slice(0, CHOICES_SHOWN).map((choice) => JSON.stringify(choice));
    return [...shown, ...(schema.enum.length > CHOICES_SHOWN ? ["…"] : [])].join(" | ");
  }
  if (schema.type === "array")
    return `list of ${typeOf(resolved((schema.items ?? {}) as JsonSchema, schemas), schemas)}`;
  const named = Array.isArray(schema.type) ? schema.type.join(" | ") : String(schema.type ?? "any");
  const format = typeof schema.format === "string" ? ` (${schema.format})` : "";
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

function textFor(schema: JsonSchema): string {
  if (schema.format === "date-time") return "2026-01-31T12:00:00.000Z";
  if (schema.format === "date") return "2026-01-31";
  if (schema.format === "email") return "maria@example.com";
  if (schema.format === "uri") return "https://example.com";
  return "text".padEnd(Number(schema.minLength ?? 0), "0");
}

/** A value that fits a schema. */
export function exampleOf(written: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const schema = resolved(written, schemas);
  const [given] = (schema.examples ?? []) as unknown[];
  if (given !== undefined) return given;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choice = ((schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined)?.[0];
  if (choice !== undefined) return exampleOf(choice, schemas, depth);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "object":
      if (depth > DEEPEST) return {};
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(([key, member]) => [
          key,
          exampleOf(member, schemas, depth + 1),
        ]),
      );
    case "array":
      return [exampleOf((schema.items ?? {}) as JsonSchema, schemas, depth + 1)];
    case "integer":
    case "number":
      return Math.max(Number(schema.minimum ?? 1), 1);
    case "boolean":
      return true;
    case "null":
      return null;
    case "string":
      return textFor(schema);
    default:
      return {};
  }
}

/** The example with the required fields alone; all fields when none is required. */
export function shortExample(written: JsonSchema, schemas: Schemas): unknown {
  const schema = resolved(written, schemas);
  const required = (schema.required ?? []) as string[];
  const whole = exampleOf(schema, schemas) as Record<string, unknown>;
  return required.length === 0 ? whole : Object.fromEntries(required.map((name) => [name, whole[name]]));
}
