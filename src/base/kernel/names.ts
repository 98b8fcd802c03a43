/** Tables whose names the compiler knows, and objects that have a value for each of them. */

/** The names of a table, in its order. */
export function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): [Name, ...Name[]] {
  return Object.keys(table) as [Name, ...Name[]];
}

export function isNameOf<Name extends string>(
  table: { readonly [Each in Name]?: unknown },
  text: string,
): text is Name {
  return Object.hasOwn(table, text);
}

/** An object with a value for each name. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
