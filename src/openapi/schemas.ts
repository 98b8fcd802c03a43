import { z } from "zod";

export type JsonSchema = { [key: string]: unknown };

export const COMPONENTS = "#/components/schemas/";

/** The member `example` of a parameter or of a content; nothing when there is none. */
export function exampleMember(example: unknown): JsonSchema {
  return example === undefined ? {} : { example };
}

/** The bounds that zod writes for every integer. They tell a reader nothing. */
const SAFE_INTEGERS: JsonSchema = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function simplify(schema: JsonSchema, io: "input" | "output"): void {
  for (const [bound, value] of Object.entries(SAFE_INTEGERS)) if (schema[bound] === value) delete schema[bound];
  delete schema.propertyNames;
  // Answers may get more fields within a version, so the schema must not tell clients to refuse unknown fields.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

type Definitions = JsonSchema & { $defs?: Record<string, JsonSchema> };

/** Turns zod schemas into JSON Schema, and collects the schemas that have a name. */
export interface SchemaWriter {
  write(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    write(schema, io) {
      const json = z.toJSONSchema(schema, {
        io,
        target: "draft-2020-12",
        override: ({ jsonSchema }) => simplify(jsonSchema as JsonSchema, io),
      });
      const named: Definitions = JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${COMPONENTS}`));
      const { $schema: _dialect, $defs: definitions = {}, ...own } = named;
      for (const [name, definition] of Object.entries(definitions)) {
        const known = components[name];
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
          throw new Error(`two different schemas are called ${name}`);
        }
        components[name] = definition;
      }
      return own;
    },
  };
}

/** The schema with null as one more value. */
function orNull(schema: JsonSchema): JsonSchema {
  const { const: only, enum: choices = only === undefined ? undefined : [only], description, ...rest } = schema;
  const about = description === undefined ? {} : { description };
  if (rest.type === undefined) return { anyOf: [rest, { type: "null" }], ...about };
  const type = [rest.type, "null"].flat();
  return { ...rest, ...about, type, ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}) };
}

function takesNull({ type, anyOf, $ref }: JsonSchema): boolean {
  if (type !== undefined) return [type].flat().includes("null");
  return Array.isArray(anyOf) ? anyOf.some((one: JsonSchema) => takesNull(one)) : $ref === undefined;
}

/** A schema of a body in which optional fields may be null: the service counts that as left out. */
export function withNulls(schema: JsonSchema): JsonSchema {
  if (schema.properties === undefined) return schema;
  const required = (schema.required ?? []) as readonly string[];
  const members = Object.entries(schema.properties as Record<string, JsonSchema>).map(([name, written]) => {
    const member = withNulls(written);
    return [name, required.includes(name) || takesNull(member) ? member : orNull(member)];
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/**
 * Returns the parameters of a query. Zod sees the text of the query string, so it knows neither type nor default
 * of a parameter that transforms: the type follows from the range, and the default is the result for an empty query.
 */
export function queryParameters(writer: SchemaWriter, query: z.ZodObject): JsonSchema[] {
  const json = writer.write(query, "input");
  const defaults = query.safeParse({});
  return Object.entries((json.properties ?? {}) as Record<string, JsonSchema>).map(([name, property]) => {
    const { description, ...schema } = property;
    if (schema.minimum !== undefined || schema.maximum !== undefined) {
      schema.type = "integer";
      delete schema.pattern;
    }
    const fallback: unknown = defaults.success ? defaults.data[name] : undefined;
    if (fallback !== undefined) schema.default = fallback;
    const required = Array.isArray(json.required) && json.required.includes(name) ? { required: true } : {};
    return { name, in: "query", ...required, ...(description === undefined ? {} : { description }), schema };
  });
}
