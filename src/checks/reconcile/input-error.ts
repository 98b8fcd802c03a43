/** What is wrong with the orders that were given, and what may mend it: an option, or how the file is saved. */
export class InputError extends Error {
  override readonly name = "InputError";

  constructor(
    /** The line of the file, or the number of the row; null when it is about none of them. */
    readonly line: number | null,
    message: string,
    readonly option?: "status" | "map" | "amounts" | "saving",
  ) {
    super(message);
  }
}
