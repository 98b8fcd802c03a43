import { z } from "zod";
import type { CliColumn, Contract } from "../../kernel/contract.js";
import { type IdList, type PathParameter, PICKED_FROM, pathParameters } from "../../kernel/nouns.js";
import { kebab } from "./flag-name.js";

/** A command as plain data: all that is needed to parse a command line, send the request and print the answer. */
export interface OperationSpec {
  /** `charges create` */
  readonly command: string;
  readonly summary: string;
  readonly method: Contract["method"];
  readonly path: string;
  readonly surface: Contract["surface"];
  /** As whom it is called: with an API key, as a user who is logged in, or as anyone. */
  readonly auth: Contract["auth"];
  /** Where the service wants the key that makes a repetition harmless: a header, or a field of the body. */
  readonly idempotencyKey?: string | undefined;
  /** The name under which the server must have been told to serve it. */
  readonly preview?: string | undefined;
  readonly arguments: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** Fields that are always sent with the same value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Fields that are sent so when their flags are not given. */
  readonly defaults: Readonly<Record<string, boolean>>;
  readonly examples: readonly string[];
  readonly rows?: string | undefined;
  readonly columns: readonly CliColumn[];
  /** The answer is a file: its field in base64, and what to call it. */
  readonly file?: { readonly base64: string; readonly name: string } | undefined;
  readonly next?: string | undefined;
  /** Fields that a person is asked for, with the question. */
  readonly asks?: Readonly<Record<string, string>> | undefined;
  readonly picture?: true | undefined;
  /** Where a person picks the id from when it is missing. */
  readonly picksFrom?: IdList | undefined;
  /** Flags of which at least one must be given. */
  readonly oneOf: readonly string[];
  /** Milliseconds that the answer may take, where half a minute is too short. */
  readonly timeoutMs?: number | undefined;
  /** What is lost by it, in a sentence: a person is asked first, on this machine and in test mode too. */
  readonly confirms?: string | undefined;
  readonly answer: AnswerShape;
}

/** What a success answers, as far as a command line needs it to be told from the answer of some other host. */
export interface AnswerShape {
  readonly type: "object" | "array" | "nothing";
  /** Fields without which an object is not what was asked for. */
  readonly has: readonly string[];
  /** It is a new object whose id is all that a script needs. One with a secret, which is shown once, is not. */
  readonly isNew?: boolean;
}

export interface ArgumentSpec extends PathParameter {
  /** The field of the body that it is; one of the path when left out. */
  readonly field?: string | undefined;
}

export interface FlagSpec {
  /** Without the leading dashes. */
  readonly name: string;
  /** Dotted path in the body, or the name of a query parameter. */
  readonly field: string;
  readonly place: "body" | "query";
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "json" | "instant";
  /** Accepts the word `null`. */
  readonly nullable: boolean;
  readonly required: boolean;
  /** Of the value, or of each item of a list. */
  readonly choices?: readonly string[] | undefined;
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

/** A value or null as one schema of two types: zod says `anyOf` where the value has more to it than a type. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf: [value, other, ...more] = [], ...rest } = schema;
  const isNullable = other?.type === "null" && more.length === 0;
  return value === undefined || !isNullable ? schema : { ...value, ...rest, type: [...typesOf(value), "null"] };
}

interface Fields {
  readonly properties: readonly (readonly [string, JsonSchema])[];
  readonly required: ReadonlySet<string>;
  /** What the schema itself puts in place of what is left out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly resolve: Resolve;
}

function fieldsOf(schema: z.ZodObject): Fields {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema & {
    readonly $defs?: Readonly<Record<string, JsonSchema>>;
  };
  const required = new Set(json.required);
  const given = Object.fromEntries([...required].map((name) => [name, json.properties?.[name]?.const]));
  const parsed = schema.safeParse(given);
  return {
    properties: Object.entries(json.properties ?? {}),
    required,
    defaults: parsed.success ? parsed.data : {},
    resolve: (part) => {
      const named = part.$ref === undefined ? undefined : json.$defs?.[part.$ref.replace("#/$defs/", "")];
      return withNull(named === undefined ? part : { ...named, ...part });
    },
  };
}

function typesOf({ type }: JsonSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === "string" ? [type] : type;
}

function flagType(schema: JsonSchema): FlagSpec["type"] {
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
      // A query string is text; a range says that the text is a number.
      return schema.minimum === undefined ? "string" : "integer";
  }
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined || maximum === undefined || maximum >= 1_000_000_000) return "";
  return `${minimum} to ${maximum}`;
}

/** What the field's name says, for a field that nobody described. */
function inWords(field: string): string {
  return kebab(field).replaceAll("-", " ");
}

function describeField(
  field: string,
  written: JsonSchema,
  place: FlagSpec["place"],
  required: boolean,
  fallback: unknown,
  resolve: Resolve,
): FlagSpec[] {
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
      name: kebab(field),
      field,
      place,
      type: flagType(schema),
      nullable: typesOf(schema).includes("null"),
      required,
      choices: schema.enum ?? (schema.items === undefined ? undefined : resolve(schema.items).enum),
      description: words.filter((text) => text !== "").join("; "),
    },
  ];
}

function describeSchema(schema: z.ZodObject | undefined, place: FlagSpec["place"]): FlagSpec[] {
  if (schema === undefined) return [];
  const { properties, required, defaults, resolve } = fieldsOf(schema);
  return properties.flatMap(([name, member]) =>
    describeField(name, member, place, required.has(name), defaults[name], resolve),
  );
}

/** Fields with one possible value need no flag. */
function constantsOf(schema: z.ZodObject | undefined): Record<string, string> {
  if (schema === undefined) return {};
  const { properties, required } = fieldsOf(schema);
  return Object.fromEntries(
    properties.flatMap(([name, { const: value }]) =>
      value !== undefined && required.has(name) ? [[name, value]] : [],
    ),
  );
}

function answerShape({ success, cli, secrets }: Contract): AnswerShape {
  if (success.status === 204) return { type: "nothing", has: [] };
  const { schema } = success;
  if (!(schema instanceof z.ZodObject)) return { type: schema instanceof z.ZodArray ? "array" : "object", has: [] };
  const has = ["id", cli?.rows ?? ""].filter((name) => Object.hasOwn(schema.shape, name));
  const isNew = success.status === 201 && has.includes("id") && secrets === undefined;
  return { type: "object", has, ...(isNew ? { isNew } : {}) };
}

function idListOf({ path }: Contract, contracts: readonly Contract[]): IdList | undefined {
  const base = /^(.*\/([\w-]+))\/\{/.exec(path);
  if (base === null) return undefined;
  const isList = ({ method, path: other, cli, preview }: Contract) =>
    method === "GET" && other === base[1] && cli?.rows !== undefined && preview === undefined;
  const list = contracts.find(isList)?.cli?.command;
  return PICKED_FROM[base[2] ?? ""] ?? (list === undefined ? undefined : { list });
}

/** The command of every contract that has a face on the command line. */
export function describeOperations(contracts: readonly Contract[]): OperationSpec[] {
  return contracts.flatMap((contract) => {
    const { cli } = contract;
    if (cli === undefined) return [];
    const constants = constantsOf(contract.body);
    const keyField = contract.idempotency?.field;
    const all = [...describeSchema(contract.query, "query"), ...describeSchema(contract.body, "body")];
    const named = all.filter(({ field }) => field === cli.argument);
    // The argument is what is required: its flag is only another way to give it.
    const flags = all.map((flag) =>
      named.includes(flag) ? { ...flag, required: false, description: `the same as <${flag.name}>` } : flag,
    );
    return [
      {
        command: cli.command,
        summary: contract.summary,
        method: contract.method,
        path: contract.path,
        surface: contract.surface,
        auth: contract.auth,
        idempotencyKey: keyField ?? (contract.idempotency === undefined ? undefined : "header"),
        preview: contract.preview,
        arguments: [
          ...pathParameters(contract.path),
          ...named.map(({ name, field, description }) => ({ name, field, description })),
        ],
        flags: flags.filter(({ field }) => !Object.hasOwn(constants, field) && field !== keyField),
        constants,
        defaults: cli.defaults ?? {},
        examples: cli.examples,
        rows: cli.rows,
        columns: cli.columns,
        file: cli.file,
        next: cli.next,
        asks: cli.asks,
        picture: cli.picture,
        picksFrom: idListOf(contract, contracts),
        oneOf: all.flatMap(({ field, name }) => (cli.oneOf?.includes(field) ? [name] : [])),
        timeoutMs: cli.timeoutMs,
        confirms: cli.confirms,
        answer: answerShape(contract),
      },
    ];
  });
}

/** A route with the fields that its body may have, as dotted paths; what is in free JSON is not listed. */
export interface BodyRoute {
  readonly method: Contract["method"];
  readonly path: string;
  readonly fields: readonly string[];
}

/** Every route that changes something, with or without a command. */
export function describeBodies(contracts: readonly Contract[]): BodyRoute[] {
  return contracts.flatMap(({ method, path, aliases = [], body }) => {
    if (method === "GET") return [];
    const fields = describeSchema(body, "body").map(({ field }) => field);
    return [path, ...aliases].map((address) => ({ method, path: address, fields }));
  });
}
