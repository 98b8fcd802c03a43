/** The differences between two JSON values, member by member. Pure. */

export interface Difference {
  /** Where, such as `metadata.order` or `items.0.price`; empty for the whole value. */
  readonly path: string;
  /** Undefined when there was nothing. */
  readonly before: unknown;
  /** Undefined when there is nothing any more. */
  readonly after: unknown;
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
}

/** All differences, in the order of the members of `before`, then those that only `after` has. */
export function differences(before: unknown, after: unknown, path = ""): readonly Difference[] {
  if (Object.is(before, after)) return [];
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === null || other === null || Array.isArray(before) !== Array.isArray(after)) {
    return [{ path, before, after }];
  }
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const memberOf = (members: Readonly<Record<string, unknown>>, name: string) =>
    Object.hasOwn(members, name) ? members[name] : undefined;
  return names.flatMap((name) =>
    differences(memberOf(one, name), memberOf(other, name), path === "" ? name : `${path}.${name}`),
  );
}
