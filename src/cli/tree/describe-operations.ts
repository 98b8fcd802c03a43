import { z } from "zod";
import type { CliColumn, CliFace, CliTable, Contract } from "../../kernel/contract.js";
import { type IdList, type PathParameter, PICKED_FROM, pathParameters } from "../../kernel/nouns.js";
import { kebab } from "./flag-name.js";

/** A command for one operation, as plain data: enough to parse its flags, send the request and print the answer. */
export interface OperationSpec {
  /** The words after `qa-pay`, such as `charges create`. */
  readonly command: string;
  readonly summary: string;
  readonly method: Contract["method"];
  readonly path: string;
  readonly surface: Contract["surface"];
  /** The credentials of the request: an API key, the token of a login, or none. */
  readonly auth: Contract["auth"];
  /** The place of the idempotency key: `header`, or the name of a field of the body. Undefined when there is none. */
  readonly idempotencyKey?: string | undefined;
  /** The name of the preview that the server must have enabled (`serve --preview`). */
  readonly preview?: string | undefined;
  readonly arguments: readonly ArgumentSpec[];
  readonly flags: readonly FlagSpec[];
  /** Fields that are always sent with the same value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Fields of the body that are sent with this value when their flags are not given. */
  readonly defaults: Readonly<Record<string, boolean>>;
  readonly examples: readonly string[];
  readonly rows?: string | undefined;
  readonly columns: readonly CliColumn[];
  /** A list in the answer that is shown as a table below its other fields. */
  readonly below?: CliTable | undefined;
  /** For an answer that contains a file: the answer's field with the base64 text, and the default name of the file. */
  readonly file?: { readonly base64: string; readonly name: string } | undefined;
  readonly next?: string | undefined;
  /** The member of a list's answer with a remark for people. */
  readonly note?: string | undefined;
  /** The member of the answer whose value false ends the command with exit 1. */
  readonly verdict?: string | undefined;
  /** The fields that a person at a terminal is asked for, each with its question. */
  readonly asks?: Readonly<Record<string, string>> | undefined;
  readonly picture?: true | undefined;
  readonly timeline?: true | undefined;
  /** The list from which a person at a terminal picks the id when it is missing. */
  readonly picksFrom?: IdList | undefined;
  /** At least one of these flags must be given; empty for no such rule. */
  readonly oneOf: readonly string[];
  /** The request timeout in milliseconds, when the default is too short. */
  readonly timeoutMs?: number | undefined;
  /** A sentence about what the request deletes. A person must confirm it, even in test mode on this machine. */
  readonly confirms?: string | undefined;
  readonly answer: AnswerShape;
  /** Other operations that the command calls when their flag is given. */
  readonly variants: readonly Variant[];
}

export interface Variant {
  /** The name of the flag, without dashes. */
  readonly flag: string;
  readonly about: string;
  readonly spec: OperationSpec;
}

/** The shape of a successful answer: enough to notice an answer that does not come from a qa-pay service. */
export interface AnswerShape {
  readonly type: "object" | "array" | "nothing";
  /** The fields that the object must have. */
  readonly has: readonly string[];
  /**
   * True for a new object whose id is enough for a script (`--quiet` prints only the id). Not set for a new object with
   * a secret, because the secret is shown only once.
   */
  readonly isNew?: boolean;
}

export interface ArgumentSpec extends PathParameter {
  /** The field of the body that the argument sets. Undefined for a parameter of the path. */
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
  /** The allowed values; for a list, the allowed values of each item. */
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

/** Merges `anyOf: [value, null]` into one schema with two types. Zod writes `anyOf` for a nullable value with rules. */
function withNull(schema: JsonSchema): JsonSchema {
  const { anyOf: [value, other, ...more] = [], ...rest } = schema;
  const isNullable = other?.type === "null" && more.length === 0;
  return value === undefined || !isNullable ? schema : { ...value, ...rest, type: [...typesOf(value), "null"] };
}

interface Fields {
  readonly properties: readonly (readonly [string, JsonSchema])[];
  readonly required: ReadonlySet<string>;
  /** The values that the schema fills in for missing fields. */
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

/** The required fields with only one possible value. They are sent always and need no flag. */
function constantsOf(schema: z.ZodObject | undefined): Record<string, string> {
  if (schema === undefined) return {};
  const { properties, required } = fieldsOf(schema);
  return Object.fromEntries(
    properties.flatMap(([name, { const: value }]) =>
      value !== undefined && required.has(name) ? [[name, value]] : [],
    ),
  );
}

/** A field that every answer has: its id, its list, its file, or else the first one that is never left out. */
function telling({ shape }: z.ZodObject, cli: CliFace | undefined): string[] {
  const own = ["id", cli?.rows ?? "", cli?.file?.base64 ?? ""].filter((name) => Object.hasOwn(shape, name));
  const always = Object.keys(shape).find((name) => !z.safeParse(shape[name] ?? z.undefined(), undefined).success);
  return own.length > 0 || always === undefined ? own : [always];
}

function answerShape({ success, cli, secrets }: Contract): AnswerShape {
  if (success.status === 204) return { type: "nothing", has: [] };
  const { schema } = success;
  if (!(schema instanceof z.ZodObject)) return { type: schema instanceof z.ZodArray ? "array" : "object", has: [] };
  const has = telling(schema, cli);
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

/** The commands of all contracts that declare a command (`cli`) of their own. */
export function describeOperations(contracts: readonly Contract[]): OperationSpec[] {
  const variants = contracts.filter(({ cli }) => cli?.variant !== undefined);
  return describeAll(
    contracts.filter((contract) => !variants.includes(contract)),
    contracts,
  ).map((spec) => {
    const own = variants.filter(({ cli }) => cli?.command === spec.command);
    return { ...spec, variants: own.flatMap((contract) => describeVariant(contract, contracts)) };
  });
}

function describeVariant(contract: Contract, contracts: readonly Contract[]): Variant[] {
  const variant = contract.cli?.variant;
  const [spec] = describeAll([contract], contracts);
  return variant === undefined || spec === undefined ? [] : [{ ...variant, spec }];
}

function describeAll(some: readonly Contract[], contracts: readonly Contract[]): OperationSpec[] {
  return some.flatMap((contract) => {
    const { cli } = contract;
    if (cli === undefined) return [];
    const constants = constantsOf(contract.body);
    const keyField = contract.idempotency?.field;
    const all = [...describeSchema(contract.query, "query"), ...describeSchema(contract.body, "body")];
    const named = all.filter(({ field }) => field === cli.argument);
    // The argument is required, and its flag is another way to give it. So the flag itself is not required.
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
        below: cli.below,
        file: cli.file,
        next: cli.next,
        note: cli.note,
        verdict: cli.verdict,
        asks: cli.asks,
        picture: cli.picture,
        timeline: cli.timeline,
        picksFrom: idListOf(contract, contracts),
        oneOf: all.flatMap(({ field, name }) => (cli.oneOf?.includes(field) ? [name] : [])),
        timeoutMs: cli.timeoutMs,
        confirms: cli.confirms,
        answer: answerShape(contract),
        variants: [],
      },
    ];
  });
}

/** A route with the fields that its body may have, as dotted paths. Fields inside free JSON are not listed. */
export interface BodyRoute {
  readonly method: Contract["method"];
  readonly path: string;
  readonly fields: readonly string[];
}

/** The bodies of all routes except GET routes, also of routes without a command. */
export function describeBodies(contracts: readonly Contract[]): BodyRoute[] {
  return contracts.flatMap(({ method, path, aliases = [], body }) => {
    if (method === "GET") return [];
    const fields = describeSchema(body, "body").map(({ field }) => field);
    return [path, ...aliases].map((address) => ({ method, path: address, fields }));
  });
}
