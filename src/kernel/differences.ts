import { isJsonObject } from "./json.js";

export interface Difference {
  /** Where, such as `metadata.order` or `items.0.price`; empty for the whole value. */
  readonly path: string;
  /** Undefined when there was nothing. */
  readonly before: unknown;
  /** Undefined when there is nothing any more. */
  readonly after: unknown;
}

/** The differences between two JSON values, in the order of the members of `before`, then those that only `after` has. */
export function differences(before: unknown, after: unknown, path = ""): readonly Difference[] {
  if (Object.is(before, after)) return [];
  const areLists = Array.isArray(before) && Array.isArray(after);
  if (!areLists && !(isJsonObject(before) && isJsonObject(after))) return [{ path, before, after }];
  const [one, other] = [{ ...before }, { ...after }] as Readonly<Record<string, unknown>>[];
  const memberOf = (members: Readonly<Record<string, unknown>> = {}, name: string) =>
    Object.hasOwn(members, name) ? members[name] : undefined;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    differences(memberOf(one, name), memberOf(other, name), path === "" ? name : `${path}.${name}`),
  );
}
