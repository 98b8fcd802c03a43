/** A shop under test does not do what a run needs. The message is for a person. */
export class ShopError extends Error {
  override readonly name = "ShopError";

  constructor(
    message: string,
    /** The output of the shop before the error; empty when it does not help. */
    readonly output = "",
    /** The error of the system for a program that it cannot start, or the InputError of orders that cannot be read. */
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}
