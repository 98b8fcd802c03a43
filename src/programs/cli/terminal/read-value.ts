import { parseDuration } from "../../../base/kernel/duration.js";
import { trimPasted } from "../../../base/kernel/pasted-text.js";
import { t, type Words } from "../../../base/kernel/wording.js";
import { wrongValue } from "./failure.js";

/** Values of flags and arguments. `name` is that of the flag. Each function throws Failure (exit 2) for another value. */

/** The milliseconds of a duration. `form` is what it may be, for the message. */
export function readDuration(name: string, text: string, form: Words, [least, most] = [0, Number.POSITIVE_INFINITY]) {
  const ms = parseDuration(text);
  if (ms !== null && ms >= least && ms <= most) return ms;
  throw wrongValue(name, t`a duration ${form}`, text);
}

/** A whole number in digits. */
export function readWhole(name: string, text: string, form: Words, [least, most]: readonly [number, number]): number {
  const isNumber = /^\d+$/.test(text) && text.length <= String(most).length;
  if (isNumber && Number(text) >= least && Number(text) <= most) return Number(text);
  throw wrongValue(name, form, text);
}

/** The items of lists that are separated by commas. */
export function listItems(...texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(",")).map(trimPasted);
}
