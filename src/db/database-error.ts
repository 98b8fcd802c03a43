/** The database cannot be used; the message says what to do about it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** Whether another server is using the file. */
  isInUse = false;
}
