import { isJsonObject } from "./json.js";

export interface Difference {
  /** Where, such as `metadata.order` or `items.0.price`; empty for the whole value. */
  readonly path: string;
  /** Undefined when there was nothing. */
  readonly before: unknown;
  /** Undefined when there is nothing any more. */
  readonly after: unknown;
}

function memberOf(holder: object, name: string): unknown {
  return Object.hasOwn(holder, name) ? Reflect.get(holder, name) : undefined;
}

/** The differences between two JSON values, in the order of the members of `before`, then those that only `after` has. */
export function differences(before: unknown, after: unknown, path = ""): readonly Difference[] {
  if (Object.is(before, after)) return [];
  if (!(Array.isArray(before) && Array.isArray(after)) && !(isJsonObject(before) && isJsonObject(after))) {
    return [{ path, before, after }];
  }
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    differences(memberOf(before, name), memberOf(after, name), path === "" ? name : `${path}.${name}`),
  );
}
