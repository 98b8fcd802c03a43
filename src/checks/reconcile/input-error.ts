import { WordedError, type Words } from "../../base/kernel/wording.js";

/** A fault in the orders, and its remedy: an option, or another way to save the file. */
export class InputError extends WordedError {
  override readonly name = "InputError";

  constructor(
    /** The line of the file, or the number of the row; null when the fault is in no single one. */
    readonly line: number | null,
    said: Words,
    readonly option?: "status" | "map" | "amounts" | "saving",
  ) {
    super(said);
  }
}
