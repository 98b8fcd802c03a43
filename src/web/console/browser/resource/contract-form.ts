import { pick, put } from "../../../../base/kernel/pick.js";
import type { AnyInput } from "../api/input.js";
import { type CommandFact, commands, type FlagFact } from "../facts/commands.js";
import { type FieldSpec, fieldValue, type Values } from "../parts/field-values.js";

/** The contract of an operation as a form: the kind of each field, and the effects of its values. Pure. */

const KINDS = {
  integer: "number",
  number: "number",
  boolean: "yes",
  list: "list",
  json: "json",
  string: "text",
  instant: "text",
} as const satisfies Record<FlagFact["type"], FieldSpec["kind"]>;

const kindOf = ({ type, choices = [] }: FlagFact) => (type !== "list" && choices.length > 0 ? "choice" : KINDS[type]);

/** A field of the body, by its path; nothing for one that the contract leaves open. */
export function contractField(id: string, name: string): Omit<FieldSpec, "name" | "label"> {
  const fact = commands[id];
  const flag = fact?.flags.find(({ field }) => field === name);
  if (fact === undefined || flag === undefined) return {};
  const { type, choices, required, nullable } = flag;
  return {
    kind: type === "integer" && name.endsWith("amount") ? "money" : kindOf(flag),
    required: required === true || fact.arguments.some(({ field }) => field === name),
    ...(choices === undefined ? {} : { choices }),
    ...(nullable === undefined ? {} : { takesNull: true }),
  };
}

const depth = ({ name }: FieldSpec) => name.split(".").length;

/** The body of a filled form: the constants of the operation, and every field that is not empty. */
export function bodyOf(id: string, fields: readonly FieldSpec[], values: Values): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...commands[id]?.sends };
  // An object written as JSON comes first, and keeps fields that are put into it.
  for (const spec of fields.toSorted((one, other) => depth(one) - depth(other))) {
    const value = fieldValue(spec, values[spec.name] ?? "");
    const holder = depth(spec) === 1 ? {} : (pick(body, spec.name.split(".")[0] ?? "") ?? {});
    if (value !== undefined && typeof holder === "object") put(body, spec.name, value);
  }
  return body;
}

/** The flags that are not also arguments under another name. */
function flagsOf({ arguments: given, flags }: CommandFact): readonly FlagFact[] {
  const asArgument = new Set(given.flatMap(({ field }) => field ?? []));
  return flags.filter(({ field }) => !asArgument.has(field));
}

/** A field of the command line. It may be yes, no, or left out. */
function flagField(flag: FlagFact): FieldSpec {
  const { name, type, choices = [], required, description } = flag;
  const kind = type === "boolean" ? ("choice" as const) : kindOf(flag);
  const shared = { name, label: name, kind, required: required === true, hint: description };
  return { ...shared, ...(kind === "choice" ? { choices: type === "boolean" ? ["true", "false"] : choices } : {}) };
}

/** The form of any operation, built from its command: arguments, then required flags, then the others. */
export function formOf(fact: CommandFact): readonly FieldSpec[] {
  const given = fact.arguments.map(({ name, field }) => {
    const flag = fact.flags.find((one) => one.field === field);
    const own = { name: `<${name}>`, label: name, required: true, hint: "" };
    return flag === undefined ? { ...own, kind: "text" as const } : { ...flagField(flag), ...own };
  });
  const flags = flagsOf(fact).map(flagField);
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
