/** The intersection of the types of a union. */
export type Merged<Part> = (Part extends unknown ? (one: Part) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** One object with the members of all, and their exact types. */
export function mergeParts<Part extends object>(parts: readonly Part[]): Merged<Part> {
  return Object.assign({}, ...parts);
}
