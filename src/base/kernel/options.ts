import { parseDuration } from "./duration.js";
import { nearest } from "./nearest.js";
import { MAX_INSTANT, parseInstant } from "./time.js";

/** Checks the options of a function or the flags of a command before they are used. */

/** An option that is unknown or has a wrong value. The message names the option and the values that are allowed. */
export class OptionError extends Error {
  override readonly name = "OptionError";

  constructor(
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/** The names of options and the form of their values in error messages. Flags and options differ in both. */
export interface Wording {
  name(option: string): string;
  show(given: unknown): string;
}

function formatValue(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);
  if (Array.isArray(given)) return "a list";
  if (typeof given === "function") return "a function";
  return typeof given === "object" && given !== null ? "an object" : String(given);
}

/** The wording for the options of a function: names without dashes, and values as in code. */
export const AS_OPTIONS: Wording = { name: (option) => option, show: formatValue };

/** Refuses a value with an OptionError. Its message begins with the option's name. */
export interface Refuse {
  /** The message is such as "port takes a number, not abc." */
  takes(what: string): never;
  /**
   * The message is the option's name and `rest`. For a secret that must not be shown, or for a wrong part of a value.
   */
  says(rest: string): never;
  show(part: unknown): string;
}

/** Checks the value of an option and returns its parsed form, or refuses it. */
export type Reader<Value> = (given: unknown, refuse: Refuse) => Value;

type Readers = Readonly<Record<string, Reader<unknown>>>;

type ValuesOf<Known extends Readers> = { readonly [Name in keyof Known]?: ReturnType<Known[Name]> };

/** Reads all given options. An option that is undefined counts as not given. Throws OptionError. */
export function readOptions<Known extends Readers>(
  given: Readonly<Record<string, unknown>>,
  readers: Known,
  { name, show }: Wording,
): ValuesOf<Known> {
  const entries = Object.entries(readers).flatMap(([option, read]) => {
    const value = given[option];
    if (value === undefined) return [];
    const says = (rest: string): never => {
      throw new OptionError(option, `${name(option)}${rest}`);
    };
    return [[option, read(value, { says, show, takes: (what) => says(` takes ${what}, not ${show(value)}.`) })]];
  });
  return Object.fromEntries(entries) as ValuesOf<Known>;
}

/** Checks that the options are an object without unknown names. Throws OptionError. */
export function optionsOf(taker: string, given: unknown, readers: Readers): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new OptionError("options", `${taker} takes an object of options, not ${formatValue(given)}.`);
  }
  const known = Object.keys(readers);
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray === undefined) return given as Readonly<Record<string, unknown>>;
  const near = nearest(stray, known);
  const next = near === undefined ? `. It has ${known.toSorted().join(", ")}.` : `: did you mean ${near}?`;
  throw new OptionError(stray, `${taker} has no option ${stray}${next}`);
}

export const toggle: Reader<boolean> = (given, refuse) =>
  typeof given === "boolean" ? given : refuse.takes("true or false");

/** Reads a text that matches `form`. The message of the refusal describes the allowed values with `what`. */
export function text(what: string, form: RegExp): Reader<string> {
  return (given, refuse) => (typeof given === "string" && form.test(given) ? given : refuse.takes(what));
}

export function whole(min: number, max: number): Reader<number> {
  return (given, refuse) =>
    typeof given === "number" && Number.isInteger(given) && given >= min && given <= max
      ? given
      : refuse.takes(`a whole number from ${min} to ${max}`);
}

const EXAMPLES = "500ms, 10s, 5m, 1h or 1d";

/** Reads a duration: whole milliseconds, or a text with a unit. Returns milliseconds. */
export const duration: Reader<number> = (given, refuse) => {
  if (typeof given === "string") {
    return parseDuration(given === "0" ? "0s" : given) ?? refuse.takes(`a duration such as ${EXAMPLES}`);
  }
  const isMs = typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
  return isMs ? given : refuse.takes(`whole milliseconds, or a text such as ${EXAMPLES}`);
};

/** Reads an instant of ISO 8601 that the emulated clock can show. Returns milliseconds. */
export const instant: Reader<number> = (given, refuse) => {
  const at = typeof given === "string" ? parseInstant(given) : null;
  const isPossible = at !== null && at >= 0 && at <= MAX_INSTANT;
  return isPossible ? at : refuse.takes("an instant from 1970 to 9999 such as 2026-01-31T12:00:00Z");
};

/** Reads an object that has all the members in `names`. */
export function able<Value extends object>(...names: readonly (keyof Value & string)[]): Reader<Value> {
  const has = (given: object) => names.every((name) => name in given);
  return (given, refuse) =>
    typeof given === "object" && given !== null && has(given)
      ? (given as Value)
      : refuse.takes(`an object with ${names.join(" and ")}`);
}
