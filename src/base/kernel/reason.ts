/** Why something failed, in the words of the thrown error. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** The code that Node and SQLite give their errors, such as ENOENT; undefined for any other value. */
export function errorCode(thrown: unknown): string | undefined {
  const code: unknown = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : undefined;
}
