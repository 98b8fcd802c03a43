import { pick, put } from "../../../kernel/pick.js";
import { commands, type FlagFact } from "../facts/commands.js";
import { type FieldSpec, fieldValue, type Values } from "../parts/field-values.js";

/** What the contract of an operation says of its form: which kind a field has, and the body that follows from what is written. Pure. */

const KINDS = { integer: "number", number: "number", boolean: "yes", list: "list", json: "json" } as const;

function kindOf(name: string, { type, choices }: FlagFact): NonNullable<FieldSpec["kind"]> {
  if (type === "integer" && name.endsWith("amount")) return "money";
  if (type !== "list" && choices !== undefined) return "choice";
  return type === "string" || type === "instant" ? "text" : KINDS[type];
}

/** A field of the body, by its path; nothing for one that the contract leaves open. */
export function contractField(id: string, name: string): Omit<FieldSpec, "name" | "label"> {
  const fact = commands[id];
  const flag = fact?.flags.find(({ field }) => field === name);
  if (fact === undefined || flag === undefined) return {};
  const { choices, required, nullable } = flag;
  return {
    kind: kindOf(name, flag),
    required: required === true || fact.arguments.some(({ field }) => field === name),
    ...(choices === undefined ? {} : { choices }),
    ...(nullable === undefined ? {} : { takesNull: true }),
  };
}

const depth = ({ name }: FieldSpec) => name.split(".").length;

/** The body of a filled form: what the operation sends by itself, and every field that is not empty. */
export function bodyOf(id: string, fields: readonly FieldSpec[], values: Values): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = { ...commands[id]?.sends };
  // An object that was written as JSON comes first, and keeps what is put into it.
  for (const spec of fields.toSorted((one, other) => depth(one) - depth(other))) {
    const value = fieldValue(spec, values[spec.name] ?? "");
    const holder = depth(spec) === 1 ? {} : (pick(body, spec.name.split(".")[0] ?? "") ?? {});
    if (value !== undefined && typeof holder === "object") put(body, spec.name, value);
  }
  return body;
}
