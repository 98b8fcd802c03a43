import { parseDuration } from "../kernel/duration.js";
import { nearest } from "../kernel/nearest.js";

/** Checks options of a function and flags of a command, before anything is done. */

/** An option that is unknown or not valid. The message names the option and says which values it takes. */
export class OptionError extends Error {
  override readonly name = "OptionError";

  constructor(
    /** The name of the option, such as `port`. */
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/** How messages name an option and show its value: differently for flags and for options of a function. */
export interface Wording {
  name(option: string): string;
  show(given: unknown): string;
}

function shown(given: unknown): string {
  if (typeof given === "string") return JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);
  if (Array.isArray(given)) return "a list";
  if (typeof given === "function") return "a function";
  return typeof given === "object" && given !== null ? "an object" : String(given);
}

/** The wording for options of a function. */
export const AS_OPTIONS: Wording = { name: (option) => option, show: shown };

/** Refuses a value with an OptionError. The message begins with the name of the option. */
export interface Refuse {
  /** The message is such as "port takes a number, not abc." */
  takes(what: string): never;
  /** The message is the name and `rest`: for a secret, which must not be shown, and for a part of a value. */
  says(rest: string): never;
  show(part: unknown): string;
}

/** Turns the given value of an option into the value that is used, or refuses it. */
export type Reader<Value> = (given: unknown, refuse: Refuse) => Value;

type Readers = Readonly<Record<string, Reader<unknown>>>;

type ValuesOf<Known extends Readers> = { readonly [Name in keyof Known]?: ReturnType<Known[Name]> };

/** Reads all given options. An option that is undefined counts as left out. Throws OptionError. */
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

/** Checks that options of a function are an object without unknown members. Throws OptionError. */
export function optionsOf(taker: string, given: unknown, readers: Readers): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new OptionError("options", `${taker} takes an object of options, not ${shown(given)}.`);
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

/** Takes a text that matches `form`. `what` describes it in the refusal. */
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

/** Takes whole milliseconds, or a text with a unit. */
export const duration: Reader<number> = (given, refuse) => {
  if (typeof given === "string") {
    return parseDuration(given === "0" ? "0s" : given) ?? refuse.takes(`a duration such as ${EXAMPLES}`);
  }
  const isMs = typeof given === "number" && Number.isSafeInteger(given) && given >= 0;
  return isMs ? given : refuse.takes(`whole milliseconds, or a text such as ${EXAMPLES}`);
};

/** Takes an object that has the members `names`. */
export function able<Value extends object>(...names: readonly (keyof Value & string)[]): Reader<Value> {
  const has = (given: object) => names.every((name) => name in given);
  return (given, refuse) =>
    typeof given === "object" && given !== null && has(given)
      ? (given as Value)
      : refuse.takes(`an object with ${names.join(" and ")}`);
}
