/** The member of a value at a dotted path; undefined when there is none. Inherited members are not found. */
export function pick(value: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (found, key) =>
        typeof found === "object" && found !== null && Object.hasOwn(found, key) ? Reflect.get(found, key) : undefined,
      value,
    );
}
