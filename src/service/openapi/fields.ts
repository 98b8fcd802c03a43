import * as z from "zod";
import { DATE_TIME_PATTERN, INSTANT_PATTERN } from "../../base/kernel/time.js";
import type { Definitions, JsonSchema } from "./schemas.js";

/** The fields of a query or a body as a list, read from its schema: enough to prompt for each of them alone. */

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
  /** A number from 0 to 1. */
  readonly share?: true;
  /** For a length of time: what its number counts. */
  readonly unit?: "s" | "ms";
  /** For an instant: what a day without a time means. */
  readonly bound?: Bound;
  readonly description: string;
}

/** `at`: the first or the last moment of the day. `exclusive`: the instant itself is not included. */
export interface Bound {
  readonly at: "start" | "end";
  readonly exclusive: boolean;
}

export type Resolve = (schema: JsonSchema) => JsonSchema;

/** Merges `anyOf: [value, null]` into one schema with two types. Zod writes `anyOf` for a nullable value with rules. */
function withNull(schema: JsonSchema, resolve: Resolve): JsonSchema {
  const { anyOf: [written, other, ...more] = [], ...rest } = schema;
  if (written === undefined || other?.type !== "null" || more.length > 0) return schema;
  const value = resolve(written);
  return { ...value, ...rest, type: [...typesOf(value), "null"] };
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Definitions {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Definitions;
}

interface Shape {
  readonly properties: readonly (readonly [string, JsonSchema])[];
  readonly required: ReadonlySet<string>;
  /** The values that the schema fills in for missing fields. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly resolve: Resolve;
}

/** Replaces a reference by the schema that it names. */
function resolver({ $defs }: Definitions): Resolve {
  const resolve: Resolve = (part) => {
    const named = part.$ref === undefined ? undefined : $defs?.[part.$ref.replace("#/$defs/", "")];
    return withNull(named === undefined ? part : { ...named, ...part }, resolve);
  };
  return resolve;
}

function shapeOf(schema: z.ZodObject): Shape {
  const json = jsonSchemaOf(schema, "input");
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

export function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

/** True if the text of a request is an instant, or an instant or a date. */
function isInstant({ pattern }: JsonSchema): boolean {
  return pattern === INSTANT_PATTERN || pattern === DATE_TIME_PATTERN;
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
      if (isInstant(schema)) return "instant";
      // In a query every value is text. A schema with a minimum means that the text is a number.
      return schema.minimum === undefined ? "string" : "integer";
  }
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || maximum === undefined || maximum >= 1_000_000_000) return "";
  return `${minimum} to ${maximum}`;
}

/** The unit of a field's number, by the name of the field. */
export function unitOf(field: string, type: Field["type"]): { unit?: "s" | "ms" } {
  if (type !== "integer" && type !== "number") return {};
  if (/_ms$/.test(field)) return { unit: "ms" };
  return /(^|[._])(seconds|expires_in|retry_after)$/.test(field) ? { unit: "s" } : {};
}

const MONEY = /[aA]mount$|[bB]alance$|[fF]ee$|^(?:available|pending|retained)$/;

/** True if a field is an amount in the smallest unit, by its name. */
export function isMoney(name: string, type: string | undefined): boolean {
  return type === "integer" && MONEY.test(name);
}

/** The moment of a day that an instant stands for: its end for the end of a range and for a deadline, else its beginning. */
function boundOf(field: string, type: Field["type"], { description = "" }: JsonSchema): { bound?: Bound } {
  if (type !== "instant") return {};
  const isEnd = /before$|until$|deadline$|^end|[a-z]End/.test(field);
  return { bound: { at: isEnd ? "end" : "start", exclusive: /\bexclusive\b/i.test(description) } };
}

/** The name of a field as words, used when the field has no description. */
function inWords(field: string): string {
  return field.replace(/[._]/g, " ").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

interface FieldUse {
  readonly place: Field["place"];
  readonly required: boolean;
  readonly fallback?: unknown;
}

function describeField(
  field: string,
  written: JsonSchema,
  { place, required, fallback }: FieldUse,
  resolve: Resolve,
): Field[] {
  const schema = resolve(written);
  if (schema.type === "object" && schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, member]) =>
      describeField(`${field}.${name}`, member, { place, required: false }, resolve),
    );
  }
  const ground = fallback ?? schema.default;
  const words = [
    schema.description ?? inWords(field),
    rangeText(schema),
    schema.const === undefined ? "" : `only ${schema.const}`,
    ground === undefined ? "" : `default ${String(ground)}`,
  ];
  const type = flagType(schema);
  return [
    {
      field,
      place,
      type,
      ...unitOf(field, type),
      ...boundOf(field, type, schema),
      nullable: typesOf(schema).includes("null"),
      required,
      ...(type === "number" && schema.minimum === 0 && schema.maximum === 1 ? { share: true as const } : {}),
      ...(place === "query" && field === "limit" && schema.maximum !== undefined ? { most: schema.maximum } : {}),
      choices: (schema.enum ?? resolve(schema.items ?? {}).enum)?.filter((choice) => choice !== null),
      description: words.filter((text) => text !== "").join("; "),
    },
  ];
}

/** Fields inside free JSON are not listed. An object with known members is listed by its members, as dotted paths. */
export function fieldsIn(schema: z.ZodObject | undefined, place: Field["place"]): Field[] {
  if (schema === undefined) return [];
  const { properties, required, defaults, resolve } = shapeOf(schema);
  return properties.flatMap(([name, member]) =>
    describeField(name, member, { place, required: required.has(name), fallback: defaults[name] }, resolve),
  );
}

/** The required fields with only one possible value. They are sent always, so their flags may be left out. */
export function constantsOf(schema: z.ZodObject | undefined): Record<string, string> {
  if (schema === undefined) return {};
  const { properties, required } = shapeOf(schema);
  return Object.fromEntries(
    properties.flatMap(([name, { const: value }]) =>
      value !== undefined && required.has(name) ? [[name, value]] : [],
    ),
  );
}

/** The schema of an answer, and of the rows of a list in it: `member` is empty when the answer itself is the array. */
export function answerSchema(schema: z.ZodType) {
  const json = jsonSchemaOf(schema, "output");
  const resolve = resolver(json);
  const whole = resolve(json);
  const rowOf = (member: string) => resolve(member === "" ? whole : (whole.properties?.[member] ?? {})).items ?? {};
  return { whole, rowOf, resolve };
}

/** A field of a list's rows. */
export interface RowField {
  /** Such as `customer.name`. */
  readonly path: string;
  /**
   * The kind of the value, when it is no plain one. `open` is an object whose members the contract does not know, `money` a
   * number of the smallest units of the row's currency.
   */
  readonly kind?: "image" | "money" | "open" | "time";
}

function kindOf(path: string, schema: JsonSchema): RowField["kind"] {
  if (schema.contentMediaType?.startsWith("image/")) return "image";
  if (schema.format === "date-time") return "time";
  const [type] = typesOf(schema).filter((one) => one !== "null");
  if (isMoney(path.split(".").at(-1) ?? path, type)) return "money";
  return typesOf(schema).includes("object") ? "open" : undefined;
}

/** The fields of a list's rows. An object with known fields gives its fields; a list or free JSON is one field. */
export function rowFields(schema: z.ZodType, member: string): RowField[] {
  const { rowOf, resolve } = answerSchema(schema);
  const leaves = (written: JsonSchema, path: string): RowField[] => {
    const part = resolve(written);
    const kind = kindOf(path, part);
    if (part.properties === undefined) return [{ path, ...(kind === undefined ? {} : { kind }) }];
    const { properties } = part;
    return Object.entries(properties).flatMap(([name, inner]) => leaves(inner, path === "" ? name : `${path}.${name}`));
  };
  return leaves(rowOf(member), "");
}
