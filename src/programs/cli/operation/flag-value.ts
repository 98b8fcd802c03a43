import type { FlagSpec } from "../../../api/client/describe-operations.js";
import { parseDuration } from "../../../base/kernel/duration.js";
import { inexactNumber } from "../../../base/kernel/exact-numbers.js";
import { certainPrice, formatBrl } from "../../../base/kernel/money.js";
import { t, type Wording } from "../../../base/kernel/wording.js";
import { exactJson, Failure, formatValue, usage, wrongValue } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { INSTANT_FORMS, instantText, type MomentOptions, readInstant } from "../terminal/moment.js";
import { listItems } from "../terminal/read-value.js";

/** Converts the values of flags and arguments from what a person writes to what the service accepts. */

/** A flag, or an argument that sets the field of one: an argument is written without dashes. */
export type FlagOrArgument = FlagSpec & { readonly isArgument?: boolean };

const nameOf = ({ name, isArgument = false }: FlagOrArgument) => (isArgument ? `<${name}>` : `--${name}`);

/** Returns a hint for an amount in another form. It names a sum only when no other one can be meant. */
export function amountHint(text: string, currency: unknown = "BRL"): Wording {
  // Other currencies may have other decimals.
  const price = currency === "BRL" ? certainPrice(text) : null;
  if (price !== null) return t`write ${price} for ${formatBrl(price)}`;
  return /\p{N}/u.test(text) ? t`write digits alone, without a sign, a dot or a comma` : t`write 1990 for R$ 19,90`;
}

/** Returns JSON, or the content of a file with JSON. The module that reads files is loaded only then, because few command lines name a file. */
async function jsonTextOf(io: Pick<Io, "cwd">, text: string): Promise<string> {
  if (!text.startsWith("@")) return text;
  const { readNamedText } = await import("../terminal/named-file.js");
  return readNamedText(io, text.slice(1));
}

function noInteger(flag: FlagOrArgument, text: string, currency: unknown): Failure {
  const isAmount = flag.field.split(".").at(-1) === "amount";
  if (!isAmount) return noNumber(flag, t`a whole number`, text);
  const hint = amountHint(text, currency);
  return usage(t`${nameOf(flag)} takes a whole number of centavos, not ${formatValue(text)}: ${hint}.`);
}

const UNITS = { s: { ms: 1_000, name: t`seconds` }, ms: { ms: 1, name: t`milliseconds` } } as const;

/** Converts a length of time such as `10m` to the number that its field counts, and returns other text unchanged. Throws Failure (exit 2). */
function toCount(target: FlagOrArgument, text: string): string {
  const { unit, type } = target;
  const ms = unit === undefined ? null : parseDuration(text.trim());
  if (unit === undefined || ms === null) return text;
  const count = ms / UNITS[unit].ms;
  if (type === "number" || Number.isInteger(count)) return String(count);
  throw usage(t`${nameOf(target)} takes whole ${UNITS[unit].name}, and ${text} is ${count}.`);
}

function noNumber(target: FlagOrArgument, what: Wording, text: string): Failure {
  const { unit } = target;
  const form = unit === undefined ? what : t`${UNITS[unit].name} or a duration such as 90s, 10m, 2h or 1d`;
  return wrongValue(nameOf(target), form, text);
}

/** Refuses a share above 1, as the service would, before anything is sent. Throws Failure (exit 2). */
function numberOf(target: FlagOrArgument, text: string): number {
  const number = text.trim() === "" || inexactNumber(text) !== null ? Number.NaN : Number(text);
  const isWrong = !Number.isFinite(number) || (target.share === true && (number < 0 || number > 1));
  if (isWrong) throw noNumber(target, target.share === true ? t`a number from 0 to 1` : t`a number`, text);
  return number;
}

/**
 * Converts an argument that is a length of time or an instant: to the field `span` in seconds, or to its own field. Throws
 * Failure (exit 2).
 */
export function spanOrInstant(
  text: string,
  { field, span, utc, now }: { readonly field: string; readonly span: string } & MomentOptions,
): Readonly<Record<string, unknown>> {
  if (text === "next") return { [field]: text };
  const ms = text === "0" ? 0 : parseDuration(text.trim());
  if (ms !== null) return { [span]: ms / 1_000 };
  const instant = instantText(text, { utc, now });
  if (instant !== null) return { [field]: instant };
  const hint = /^\d+$/.test(text) ? t`A duration has a unit: ${text}s, ${text}m, ${text}h or ${text}d.` : undefined;
  throw wrongValue(`<${field}>`, t`a duration such as 30m, next, ${INSTANT_FORMS}`, text, hint);
}

/** Converts the value of a flag or an argument to the type of its field. Throws Failure (exit 2) for a value of another type. */
export async function flagValue(
  io: Pick<Io, "cwd" | "now">,
  flag: FlagOrArgument,
  given: string | string[] | boolean,
  { utc, currency }: { readonly utc?: boolean | undefined; readonly currency?: unknown } = {},
): Promise<unknown> {
  if (flag.nullable && given === "null") return null;
  const text = toCount(flag, Array.isArray(given) ? given.join(",") : String(given));
  switch (flag.type) {
    case "integer":
      if (/^-?\d+$/.test(text) && inexactNumber(text) === null) return Number(text);
      throw noInteger(flag, text, currency);
    case "number":
      return numberOf(flag, text);
    case "boolean":
      if (text !== "true" && text !== "false") throw wrongValue(nameOf(flag), t`true or false`, text);
      return text === "true";
    case "list":
      return listItems(text).filter((item) => item !== "");
    case "json":
      try {
        return exactJson(await jsonTextOf(io, text), nameOf(flag));
      } catch (error) {
        if (error instanceof Failure) throw error;
        throw usage(t`${nameOf(flag)} takes JSON, or @file with JSON.`);
      }
    case "instant":
      return readInstant(nameOf(flag), text, { bound: flag.bound, utc, now: io.now() });
    case "string":
      return text;
  }
}
