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

/** Sets the member of an object at a dotted path, and creates the missing objects on the way. */
export function put(holder: Record<string, unknown>, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop() ?? path;
  let inner = holder;
  for (const key of keys) {
    inner[key] ??= {};
    inner = inner[key] as Record<string, unknown>;
  }
  inner[last] = value;
}
