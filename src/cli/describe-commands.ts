import { z } from "zod";
import type { CliColumn, Contract } from "../kernel/contract.js";

/** A command as plain data: all that is needed to parse a command line, send the request and print the answer. */
export interface CommandSpec {
  /** `charges create` */
  readonly command: string;
  readonly summary: string;
  readonly method: Contract["method"];
  readonly path: string;
  readonly surface: Contract["surface"];
  readonly needsKey: boolean;
  readonly needsIdempotencyKey: boolean;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly flags: readonly FlagSpec[];
  /** Fields that are always sent with the same value. */
  readonly constants: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  readonly rows?: string | undefined;
  readonly columns: readonly CliColumn[];
}

export interface FlagSpec {
  /** Without the leading dashes. */
  readonly name: string;
  /** Dotted path in the body, or the name of a query parameter. */
  readonly field: string;
  readonly place: "body" | "query";
  readonly type: "string" | "integer" | "number" | "boolean" | "list" | "json";
  /** Accepts the word `null`. */
  readonly nullable: boolean;
  readonly required: boolean;
  readonly choices?: readonly string[] | undefined;
  readonly description: string;
}

interface JsonSchema {
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly default?: unknown;
}

function kebab(field: string): string {
  return field.replace(/[._]/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function flagType(schema: JsonSchema, place: FlagSpec["place"]): FlagSpec["type"] {
  if (place === "query") return "string";
  switch (schema.type) {
    case "integer":
    case "number":
    case "boolean":
      return schema.type;
    case "array":
      return "list";
    case "object":
      return "json";
    default:
      return "string";
  }
}

function describeField(field: string, schema: JsonSchema, required: boolean, place: FlagSpec["place"]): FlagSpec[] {
  if (schema.type === "object" && schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, member]) =>
      describeField(`${field}.${name}`, member, false, place),
    );
  }
  const variants = schema.anyOf ?? [schema];
  const main = variants.find((variant) => variant.type !== "null") ?? schema;
  const choices = main.enum ?? main.items?.enum;
  const fallback = schema.default === undefined ? "" : `default ${String(schema.default)}`;
  return [
    {
      name: kebab(field),
      field,
      place,
      type: flagType(main, place),
      nullable: variants.some((variant) => variant.type === "null"),
      required,
      choices: main.enum === undefined ? undefined : choices,
      description: [schema.description ?? main.description ?? "", fallback].filter((text) => text !== "").join("; "),
    },
  ];
}

function describeSchema(schema: z.ZodObject | undefined, place: FlagSpec["place"]): FlagSpec[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return Object.entries(json.properties ?? {}).flatMap(([name, member]) =>
    describeField(name, member, json.required?.includes(name) ?? false, place),
  );
}

/** Fields with one possible value need no flag. */
function constantsOf(schema: z.ZodObject | undefined): Record<string, string> {
  if (schema === undefined) return {};
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return Object.fromEntries(
    Object.entries(json.properties ?? {}).flatMap(([name, { const: value }]) =>
      value !== undefined && json.required?.includes(name) ? [[name, value]] : [],
    ),
  );
}

const ARGUMENT_HINTS: Readonly<Record<string, string>> = {
  charges: "ch_… or its raw id",
  endpoints: "we_…",
  deliveries: "wd_…",
};

/** The command of every contract that has a face on the command line. */
export function describeCommands(contracts: readonly Contract[]): CommandSpec[] {
  return contracts.flatMap((contract) => {
    const { cli } = contract;
    if (cli === undefined) return [];
    const constants = constantsOf(contract.body);
    const flags = [...describeSchema(contract.query, "query"), ...describeSchema(contract.body, "body")];
    const noun = contract.path.split("/").at(-2) ?? "";
    const segments = contract.path.split("/");
    return [
      {
        command: cli.command,
        summary: contract.summary,
        method: contract.method,
        path: contract.path,
        surface: contract.surface,
        needsKey: contract.auth === "key",
        needsIdempotencyKey: contract.idempotency !== undefined,
        arguments: segments.flatMap((segment, index) => {
          const name = /^\{(\w+)\}$/.exec(segment)?.[1];
          const owner = segments[index - 1] ?? noun;
          return name === undefined ? [] : [{ name, description: ARGUMENT_HINTS[owner] ?? "" }];
        }),
        flags: flags.filter((flag) => !Object.hasOwn(constants, flag.field)),
        constants,
        examples: cli.examples,
        rows: cli.rows,
        columns: cli.columns,
      },
    ];
  });
}
