import { put } from "../../../kernel/pick.js";
import type { AnyInput } from "../api/input.js";
import type { CommandFact, FlagFact } from "../facts/commands.js";

/** The form of an operation, made from what is known of its command. Pure functions. */

/** A field as parts/fields.tsx shows it. */
export interface GeneratedField {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "number" | "choice" | "json" | "list";
  readonly choices?: readonly string[];
  readonly required: boolean;
  readonly hint: string;
}

const KINDS = {
  integer: "number",
  number: "number",
  boolean: "choice",
  list: "list",
  json: "json",
  string: "text",
  instant: "text",
} as const satisfies Record<FlagFact["type"], GeneratedField["kind"]>;

/** The flags that are no argument under another name. */
function flagsOf({ arguments: given, flags }: CommandFact): readonly FlagFact[] {
  const asArgument = new Set(given.flatMap(({ field }) => field ?? []));
  return flags.filter(({ field }) => !asArgument.has(field));
}

function fieldOf({ name, type, choices = [], required, description }: FlagFact): GeneratedField {
  const isChoice = type !== "list" && choices.length > 0;
  const kind = isChoice ? "choice" : KINDS[type];
  const values = type === "boolean" ? ["true", "false"] : choices;
  const shared = { name, label: name, kind, required: required === true, hint: description };
  return { ...shared, ...(kind === "choice" ? { choices: values } : {}) };
}

/** The fields: arguments first, then flags that are required, then the others. */
export function formOf(fact: CommandFact): readonly GeneratedField[] {
  const given = fact.arguments.map(({ name, field }) => {
    const flag = fact.flags.find((one) => one.field === field);
    const own = { name: `<${name}>`, label: name, required: true, hint: "" };
    return flag === undefined ? { ...own, kind: "text" as const } : { ...fieldOf(flag), ...own };
  });
  const flags = flagsOf(fact).map(fieldOf);
  return [...given, ...flags.filter(({ required }) => required), ...flags.filter(({ required }) => !required)];
}

/** The input of the operation. `values` has the value of each field by its name, undefined for an empty one. */
export function inputOf(fact: CommandFact, values: Readonly<Record<string, unknown>>): AnyInput {
  const params: Record<string, unknown> = {};
  const query: Record<string, unknown> = {};
  const body: Record<string, unknown> = { ...fact.sends };
  for (const { name, field } of fact.arguments) {
    const value = values[`<${name}>`];
    if (value === undefined) continue;
    const isInQuery = fact.flags.some((flag) => flag.field === field && flag.place === "query");
    if (field === undefined) params[name] = value;
    else if (isInQuery) query[field] = value;
    else put(body, field, value);
  }
  for (const { name, field, place, type } of flagsOf(fact)) {
    const given = values[name];
    if (given === undefined) continue;
    const value = type === "boolean" ? given === "true" : given;
    if (place === "query") query[field] = value;
    else put(body, field, value);
  }
  return { params, query, body };
}
