import * as z from "zod";

/** A JSON Schema, as far as zod writes it and it is read here. */
export type JsonSchema = {
  $ref?: string;
  type?: string | readonly string[];
  const?: string;
  enum?: readonly (string | null)[];
  format?: string;
  pattern?: string;
  contentMediaType?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  items?: JsonSchema;
  maxItems?: number;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  description?: string;
  default?: unknown;
};

export type Definitions = JsonSchema & { $schema?: string; $defs?: Record<string, JsonSchema> };

/** A part of an OpenAPI document that is only written, and not read here. */
export type OpenApiObject = { readonly [name: string]: unknown };

export interface Reference {
  readonly $ref: string;
}

/** The body of a request, or an answer. */
export interface WithContent {
  readonly required?: boolean;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export const COMPONENTS = "#/components/schemas/";

/** The member `example` of a parameter or of a content; nothing when there is none. */
export function exampleMember(example: unknown): { readonly example?: unknown } {
  return example === undefined ? {} : { example };
}

/** The bounds that zod writes for every integer. They do not help a reader. */
const SAFE_INTEGERS = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

const unescapedSlash = (escaped: string, sign: string) => (sign === "/" ? sign : escaped);

function simplify(schema: z.core.JSONSchema.BaseSchema, io: "input" | "output"): void {
  for (const [bound, value] of Object.entries(SAFE_INTEGERS)) if (schema[bound] === value) delete schema[bound];
  delete schema.propertyNames;
  // JavaScript writes a slash as \/ in the text of a pattern. Generators that write patterns into code escape it themselves.
  if (schema.pattern !== undefined) schema.pattern = schema.pattern.replace(/\\(.)/g, unescapedSlash);
  // Answers may get more fields within a version, so the schema must not make clients refuse unknown fields.
  if (io === "output" && schema.additionalProperties === false) delete schema.additionalProperties;
}

/** Turns zod schemas into JSON Schema, and collects the schemas that have a name. */
export interface SchemaWriter {
  write(schema: z.ZodType, io: "input" | "output"): JsonSchema;
  readonly components: Readonly<Record<string, JsonSchema>>;
}

/** Returns a writer for one document. Two schemas of one name must be the same. */
export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    write(schema, io) {
      const json = z.toJSONSchema(schema, {
        io,
        target: "draft-2020-12",
        override: ({ jsonSchema }) => simplify(jsonSchema, io),
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
  return { ...rest, ...about, type, ...(choices === undefined ? {} : { enum: [...choices, null] }) };
}

function takesNull({ type, anyOf, $ref }: JsonSchema): boolean {
  if (type !== undefined) return [type].flat().includes("null");
  return anyOf === undefined ? $ref === undefined : anyOf.some(takesNull);
}

/** A schema of a body in which optional fields may be null: the service counts that as left out. */
export function withNulls(schema: JsonSchema): JsonSchema {
  const { properties, required = [] } = schema;
  if (properties === undefined) return schema;
  const members = Object.entries(properties).map(([name, written]) => {
    const member = withNulls(written);
    return [name, required.includes(name) || takesNull(member) ? member : orNull(member)] as const;
  });
  return { ...schema, properties: Object.fromEntries(members) };
}

/**
 * Returns the parameters of a query. Zod sees the text of the query string, so it knows neither type nor default
 * of a parameter that transforms: the type follows from the range, and the default is the result for an empty query.
 */
export function queryParameters(writer: SchemaWriter, query: z.ZodObject): Parameter[] {
  const json = writer.write(query, "input");
  const defaults = query.safeParse({});
  return Object.entries(json.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property;
    if (schema.minimum !== undefined || schema.maximum !== undefined) {
      schema.type = "integer";
      delete schema.pattern;
    }
    const fallback: unknown = defaults.success ? defaults.data[name] : undefined;
    if (fallback !== undefined) schema.default = fallback;
    const required = json.required?.includes(name) ? { required: true } : {};
    return { name, in: "query", ...required, ...(description === undefined ? {} : { description }), schema };
  });
}
