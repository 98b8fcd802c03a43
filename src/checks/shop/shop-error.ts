/** What a shop under test does not do, as a text for a person. */
export class ShopError extends Error {
  override readonly name = "ShopError";

  constructor(
    message: string,
    /** What the shop wrote before it; empty when that tells nothing. */
    readonly output = "",
    /** The error of the system for a program that it cannot start, or the InputError of orders that cannot be read. */
    override readonly cause?: unknown,
  ) {
    super(message);
  }
}
