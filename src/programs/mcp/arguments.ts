import { type Contract, isFileOperation } from "../../base/kernel/contract.js";
import { carriedPath } from "../../base/kernel/exact-numbers.js";
import { KEY_LENGTHS } from "../../base/kernel/idempotency-key.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { didYouMean } from "../../base/kernel/nearest.js";
import { pathParameters } from "../../base/kernel/nouns.js";
import { constantsOf } from "../../service/openapi/fields.js";
import {
  COMPONENTS,
  createSchemaWriter,
  type JsonSchema,
  type OpenApiObject,
  queryParameters,
} from "../../service/openapi/schemas.js";
import { WrongArguments } from "./wrong-arguments.js";

/**
 * Replaces references to named schemas by the schemas themselves. A tool's schema stands alone, and several agents accept
 * no references in it. No schema of the registry contains itself.
 */
export function inlineReferences(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (!isJsonObject(value)) return value;
    const { $ref, ...own } = value;
    const named = typeof $ref === "string" ? components[$ref.replace(COMPONENTS, "")] : undefined;
    const merged = { ...named, ...own };
    return Object.fromEntries(Object.entries(merged).map(([key, member]) => [key, whole(member)]));
  };
  return whole(schema) as JsonSchema;
}

/** The arguments of a tool: parameters of the path, query and body side by side. */

export type ArgumentPlace = "path" | "query" | "body" | "key" | "file";

export interface Argument {
  /** The name for the agent: the field's own name, unless another part of the request has a field of that name. */
  readonly name: string;
  readonly place: ArgumentPlace;
  /** The name in the request. */
  readonly field: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

type Unnamed = Omit<Argument, "name">;

const KEY_CREATED = "Generated when it is left out. Repeat a call whose outcome is unknown with the same key.";

function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined || description === "" ? schema : { ...schema, description };
}

function pathArguments({ path }: Contract): Unnamed[] {
  return pathParameters(path).map(({ name, description }) => ({
    place: "path",
    field: name,
    required: true,
    schema: withDescription({ type: "string", minLength: 1 }, description),
  }));
}

function queryArguments({ query }: Contract): Unnamed[] {
  if (query === undefined) return [];
  const writer = createSchemaWriter();
  return queryParameters(writer, query).map(({ name, required, description, schema }) => ({
    place: "query",
    field: name,
    required: required === true,
    schema: withDescription(inlineReferences(schema, writer.components), description),
  }));
}

/** A field with one possible value, and the idempotency key, are filled in when the agent leaves them out. */
function bodyArguments({ body, idempotency }: Contract): Unnamed[] {
  if (body === undefined) return [];
  const writer = createSchemaWriter();
  const { properties, required } = inlineReferences(writer.write(body, "input"), writer.components);
  const constants = constantsOf(body);
  return Object.entries(properties ?? {}).map(([field, schema]) => {
    const isKey = field === idempotency?.field;
    const constant = constants[field];
    const isNeeded = required?.includes(field) === true && constant === undefined;
    const own = constant === undefined ? schema : { ...schema, default: constant };
    return {
      place: isKey ? "key" : "body",
      field,
      required: isNeeded && !isKey,
      schema: isKey ? withDescription(own, KEY_CREATED) : own,
    };
  });
}

function keyArguments({ idempotency }: Contract): Unnamed[] {
  if (idempotency === undefined || idempotency.field !== undefined) return [];
  const [minLength, maxLength] = KEY_LENGTHS[idempotency.kind];
  const schema: JsonSchema = { type: "string", minLength, maxLength, description: KEY_CREATED };
  return [{ place: "key", field: "idempotency_key", required: false, schema }];
}

function fileArguments(contract: Contract): Unnamed[] {
  if (!isFileOperation(contract)) return [];
  const isRead = contract.upload !== undefined;
  const about = isRead ? "Path of the file to read" : "Path of the file to write; default: the name with .db";
  const description = `${about}, on the machine of this MCP server`;
  return [{ place: "file", field: "file", required: isRead, schema: { type: "string", minLength: 1, description } }];
}

/**
 * The arguments of an operation. Fields of different places may have the same name: the first one keeps it, and the other
 * ones get the place in front, such as `body_id`.
 */
export function argumentsOf(contract: Contract): Argument[] {
  const unnamed = [pathArguments, queryArguments, bodyArguments, keyArguments, fileArguments].flatMap((of) =>
    of(contract),
  );
  const taken = new Set<string>();
  return unnamed.map((argument) => {
    const { field, place } = argument;
    const name = taken.has(field) ? `${place}_${field}` : field;
    taken.add(name);
    return { name, ...argument };
  });
}

/** The arguments as one JSON Schema. */
export function inputSchema(all: readonly Argument[]): OpenApiObject & { readonly type: "object" } {
  const required = all.filter((argument) => argument.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** Checks the names of the arguments. The service checks the values and reports its own errors. */
export function checkNames(tool: string, all: readonly Argument[], given: Readonly<Record<string, unknown>>): void {
  const names = all.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? "It takes no arguments." : `It takes ${names.join(", ")}.`;
    const hint = [didYouMean(unknown, names), known].filter((text) => text !== undefined).join(" ");
    throw new WrongArguments(unknown, `${tool} has no argument ${unknown}.`, hint);
  }
  const missing = all.find(({ name, required }) => required && given[name] === undefined);
  if (missing === undefined) return;
  const { description } = missing.schema;
  const about = description === undefined ? "" : `: ${description}`;
  throw new WrongArguments(missing.name, `${missing.name} is required${about}.`, `Call ${tool} again with it.`);
}

/** Refuses numbers that JavaScript would round, as the service does, for a tool whose arguments do not go to the service. */
export function requireExact(given: Readonly<Record<string, unknown>>): void {
  const param = carriedPath(given)?.join(".");
  if (param === undefined) return;
  const message = `${param} is a number that cannot be kept exactly.`;
  throw new WrongArguments(param, message, "Write it as a text.", "invalid_request");
}

/** Text of a path or a query. Agents write ids and numbers as text or as numbers. */
export function asText(tool: string, name: string, value: unknown): string {
  if (typeof value === "object" && !Array.isArray(value)) {
    throw new WrongArguments(name, `${name} must be a text or a number.`, `Call ${tool} again with a text.`);
  }
  // A number that is carried as a text has a mark in front.
  return String(value).replace(/^\0/, "");
}
