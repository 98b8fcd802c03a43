/** Thrown when the arguments of a call are no valid request. Nothing was sent. */
export class WrongArguments extends Error {
  override readonly name = "WrongArguments";
  constructor(
    readonly param: string,
    message: string,
    readonly hint: string,
    readonly code: "invalid_arguments" | "invalid_request" = "invalid_arguments",
  ) {
    super(message);
  }
}
