import { isJsonObject } from "../../base/kernel/json.js";
import { trimPasted } from "../../base/kernel/pasted-text.js";
import { pick } from "../../base/kernel/pick.js";
import { shellWord } from "../../base/kernel/shell.js";
import { parseInstant } from "../../base/kernel/time.js";
import type { Field } from "../../service/openapi/fields.js";
import { idAlone, kindOfArgument, toAcceptedField } from "./accepted-id.js";
import type { Input } from "./route.js";

/** The input of an operation as the words of its command. Pure functions: the console shows the same commands. */

interface Flag extends Pick<Field, "field" | "place" | "type" | "choices"> {
  readonly name: string;
  readonly nullable?: boolean;
}

interface Argument {
  readonly name: string;
  /** The field of the body or the query that it sets. Undefined for a parameter of the path. */
  readonly field?: string | undefined;
  readonly optional?: true;
}

/** The parts of a command that are needed to write it. */
export interface Command {
  /** Words after `qa-pay`, such as `charges create`. */
  readonly command: string;
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  /** Fields that the command always sends. */
  readonly sends: Readonly<Record<string, unknown>>;
  /** The flag with which the command calls this operation instead of its own one. */
  readonly variant?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** The paths of all values of a body. An object is one value if a flag takes it as JSON, or if it is empty. */
function pathsIn(value: Members, isWhole: (path: string) => boolean, above = ""): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = above + name;
    if (member === undefined) return [];
    const isOne = isWhole(path) || !isJsonObject(member) || Object.keys(member).length === 0;
    return isOne ? [path] : pathsIn(member, isWhole, `${path}.`);
  });
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : String(value).split(",");
}

/** True if a flag can set exactly this value in its field. In a query, every value is sent as text. */
function canGive({ field, type, place, choices, nullable }: Flag, value: unknown, path: string): boolean {
  if (value === null) return nullable === true;
  const text = String(value);
  const isText = typeof value === "string";
  const isPlain = place === "query" ? !isJsonObject(value) : typeof value !== "object";
  // A command cuts white space around its values, and extracts an id from the text around it.
  if (isText && (trimPasted(text) !== text || toAcceptedField(path, field, text, idAlone) !== text)) return false;
  switch (type) {
    case "integer":
      return (place === "query" || !isText) && /^-?\d+$/.test(text) && String(Number(text)) === text;
    case "number":
      return (place === "query" || !isText) && text !== "" && String(Number(text)) === text && text !== "NaN";
    case "boolean":
      return (place === "query" || !isText) && (text === "true" || text === "false");
    case "list":
      return (
        (place === "query" || Array.isArray(value)) &&
        itemsOf(value).every(
          (item) => typeof item === "string" && item !== "" && item === trimPasted(item) && !item.includes(","),
        )
      );
    case "json":
      return place === "body";
    case "instant":
      // Without a zone, the command line reads it as local time.
      return (
        (field === "to" && text === "next") || (/T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && parseInstant(text) !== null)
      );
    default:
      if (!isPlain || !(isText || place === "query") || (nullable === true && text === "null")) return false;
      return choices === undefined || choices.length === 0 || nullable === true || choices.includes(text);
  }
}

function flagText({ type }: Flag, value: unknown): string {
  if (type === "json") return JSON.stringify(value);
  return Array.isArray(value) ? value.join(",") : String(value);
}

/** A flag with its value. A value that looks like a flag is joined to its flag. */
export function flagWords(name: string, value: string): string[] {
  return value.startsWith("-") ? [shellWord(`--${name}=${value}`)] : [`--${name}`, shellWord(value)];
}

/** The words of the arguments that can be passed by position; null when the command cannot pass one of them. */
function argumentWords(command: Command, path: string, { params, query, body }: Input): string[] | null {
  const words: string[] = [];
  for (const argument of command.arguments) {
    const { name, field, optional } = argument;
    const inQuery = field === undefined ? undefined : query?.[field];
    const value = field === undefined ? params?.[name] : (pick(body, field) ?? inQuery);
    const text = String(value ?? "");
    const flag = command.flags.find((one) => one.field === field);
    if (text === "" && optional) continue;
    if (trimPasted(text) !== text) return null;
    if (inQuery !== undefined) words.push(...(text.startsWith("-") ? flagWords(name, text) : [shellWord(text)]));
    // In an empty form, the command is shown with its argument open.
    else if (text === "") words.push("''");
    else if (text.startsWith("-") || idAlone(text, kindOfArgument(path, argument)) !== text) return null;
    else if (flag !== undefined && !canGive(flag, value, path)) return null;
    else words.push(shellWord(text));
  }
  return words;
}

/** The flags of a command; null when its flags cannot create exactly this query and body. */
function allFlagWords(command: Command, path: string, query: Members, body: Members): string[] | null {
  const { flags, sends, idempotencyKey } = command;
  const asArgument = new Set(command.arguments.flatMap(({ field }) => field ?? []));
  const given = new Set<string>([...asArgument, idempotencyKey ?? ""]);
  const words: string[] = [];
  for (const flag of flags) {
    const { field, place } = flag;
    if (asArgument.has(field)) continue;
    const value = place === "query" ? query[field] : pick(body, field);
    if (value === undefined) continue;
    given.add(field);
    if (place === "body" && value === sends[field]) continue;
    if (!canGive(flag, value, path)) return null;
    words.push(...flagWords(flag.name, flagText(flag, value)));
  }
  for (const [field, value] of Object.entries(sends)) {
    if (pick(body, field) === value) given.add(field);
    else if (!given.has(field)) return null;
  }
  const isWhole = (field: string) => flags.some((flag) => flag.place === "body" && flag.field === field);
  const inQuery = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return [...pathsIn(body, isWhole), ...inQuery].every((field) => given.has(field)) ? words : null;
}

/**
 * The words of the command that sends this input to its route, ready for a shell, without an idempotency key. Null when
 * the command cannot send it, for example because of an unknown field.
 */
export function commandWords(command: Command, path: string, input: Input): string[] | null {
  const { query = {}, body = {} } = input;
  if (!isJsonObject(body)) return null;
  const inPlace = argumentWords(command, path, input);
  const flags = allFlagWords(command, path, query, body);
  if (inPlace === null || flags === null) return null;
  const variant = command.variant === undefined ? [] : [`--${command.variant}`];
  return [...command.command.split(" "), ...inPlace, ...variant, ...flags];
}
