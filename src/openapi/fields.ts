import { z } from "zod";

/** The fields of a query or a body as a list, read from its schema: enough to ask for each of them alone. */

export interface Field {
  /** Dotted path in the body, or the name of a query parameter. */
  readonly field: string;
  readonly place: "body" | "query";
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "json" | "instant";
  /** Accepts the word `null`. */
  readonly nullable: boolean;
  readonly required: boolean;
  /** The allowed values; for a list, the allowed values of each item. */
  readonly choices?: readonly string[] | undefined;
  /** The greatest size of a page, for the field that sets it. */
  readonly most?: number;
  readonly description: string;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly description?: string;
  readonly default?: unknown;
}

type Resolve = (schema: JsonSchema) => JsonSchema;

/** Merges `anyOf: [value, null]` into one schema with two types. Zod writes `anyOf` for a nullable value with rules. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf: [value, other, ...more] = [], ...rest } = schema;
  const isNullable = other?.type === "null" && more.length === 0;
  return value === undefined || !isNullable ? schema : { ...value, ...rest, type: [...typesOf(value), "null"] };
}

interface Shape {
  readonly properties: readonly (readonly [string, JsonSchema])[];
  readonly required: ReadonlySet<string>;
  /** The values that the schema fills in for missing fields. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly resolve: Resolve;
}

interface Definitions {
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** Replaces a reference by the schema that it names. */
function resolver({ $defs }: Definitions): Resolve {
  return (part) => {
    const named = part.$ref === undefined ? undefined : $defs?.[part.$ref.replace("#/$defs/", "")];
    return withNull(named === undefined ? part : { ...named, ...part });
  };
}

function shapeOf(schema: z.ZodObject): Shape {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema & Definitions;
  const required = new Set(json.required);
  const given = Object.fromEntries([...required].map((name) => [name, json.properties?.[name]?.const]));
  const parsed = schema.safeParse(given);
  return {
    properties: Object.entries(json.properties ?? {}),
    required,
    defaults: parsed.success ? parsed.data : {},
    resolve: resolver(json),
  };
}

function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function flagType(schema: JsonSchema): Field["type"] {
  const type = typesOf(schema).find((name) => name !== "null");
  switch (type) {
    case "integer":
    case "number":
    case "boolean":
      return type;
    case "array":
      return "list";
    case "object":
      return "json";
    default:
      if (schema.format === "date-time") return "instant";
      // In a query every value is text. A schema with a minimum means that the text is a number.
      return schema.minimum === undefined ? "string" : "integer";
  }
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || maximum === undefined || maximum >= 1_000_000_000) return "";
  return `${minimum} to ${maximum}`;
}

/** The name of a field as words, used when the field has no description. */
function inWords(field: string): string {
  return field.replace(/[._]/g, " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function describeField(
  field: string,
  written: JsonSchema,
  place: Field["place"],
  required: boolean,
  fallback: unknown,
  resolve: Resolve,
): Field[] {
  const schema = resolve(written);
  if (schema.type === "object" && schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, member]) =>
      describeField(`${field}.${name}`, member, place, false, undefined, resolve),
    );
  }
  const ground = fallback ?? schema.default;
  const words = [
    schema.description ?? inWords(field),
    rangeText(schema),
    schema.const === undefined ? "" : `only ${schema.const}`,
    ground === undefined ? "" : `default ${String(ground)}`,
  ];
  return [
    {
      field,
      place,
      type: flagType(schema),
      nullable: typesOf(schema).includes("null"),
      required,
      ...(place === "query" && field === "limit" && schema.maximum !== undefined ? { most: schema.maximum } : {}),
      choices: schema.enum ?? (schema.items === undefined ? undefined : resolve(schema.items).enum),
      description: words.filter((text) => text !== "").join("; "),
    },
  ];
}

/** Fields inside free JSON are not listed. An object with known members is listed by its members, as dotted paths. */
export function fieldsIn(schema: z.ZodObject | undefined, place: Field["place"]): Field[] {
  if (schema === undefined) return [];
  const { properties, required, defaults, resolve } = shapeOf(schema);
  return properties.flatMap(([name, member]) =>
    describeField(name, member, place, required.has(name), defaults[name], resolve),
  );
}

/** The required fields with only one possible value. They are sent always and need no flag. */
export function constantsOf(schema: z.ZodObject | undefined): Record<string, string> {
  if (schema === undefined) return {};
  const { properties, required } = shapeOf(schema);
  return Object.fromEntries(
    properties.flatMap(([name, { const: value }]) =>
      value !== undefined && required.has(name) ? [[name, value]] : [],
    ),
  );
}

/** The fields of a list's rows. An object with known fields gives its fields; a list or free JSON is one field. */
export function rowFields(schema: z.ZodType, member: string): string[] {
  const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }) as JsonSchema & Definitions;
  const resolve = resolver(json);
  const list = member === "" ? json : resolve(json.properties?.[member] ?? {});
  const leaves = (part: JsonSchema, path: string): string[] => {
    const { properties } = resolve(part);
    if (properties === undefined) return [path];
    return Object.entries(properties).flatMap(([name, inner]) => leaves(inner, path === "" ? name : `${path}.${name}`));
  };
  return leaves(list.items ?? {}, "");
}
