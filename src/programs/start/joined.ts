/** Returns an object with the members of both. A name that both have is a type error. */
export function joined<One extends object, Other extends object>(
  one: One,
  other: Other & (keyof One & keyof Other extends never ? unknown : never),
): One & Other {
  return { ...one, ...other };
}
