import { withExactNumbers } from "../kernel/exact-numbers.js";
import { isJsonObject, type JsonObject } from "../kernel/json.js";

/** Which fields of two requests with the same idempotency key are not equal. */

/** The most fields that are named. */
const MOST = 20;

/** The dotted paths of what differs between two JSON values, in the order of the first value. */
export function differences(one: unknown, other: unknown): string[] {
  const found: string[] = [];
  function compare(a: unknown, b: unknown, path: readonly string[]): void {
    if (found.length >= MOST) return;
    const bothHold = (isJsonObject(a) && isJsonObject(b)) || (Array.isArray(a) && Array.isArray(b));
    if (!bothHold) {
      if (a !== b) found.push(path.join("."));
      return;
    }
    const [left, right] = [a as JsonObject, b as JsonObject];
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(left[key], right[key], [...path, key]);
    }
  }
  compare(one, other, []);
  return found;
}

/** The value of a body as the service compares it: with every digit of a number. */
export function comparedBody(text: string): JsonObject {
  const value = JSON.parse(text === "" ? "{}" : text, (key, member) => (key === "__proto__" ? undefined : member));
  return isJsonObject(value) ? withExactNumbers(text, value) : {};
}
