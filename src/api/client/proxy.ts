/** A proxy that requests of a command go through. */
export interface HttpProxy {
  /** Its address, maybe with a user and a password, so it is never shown. */
  readonly url: URL;
  /** What is shown: the address without user and password, and the variable that it comes from. */
  readonly name: string;
  readonly variable: string;
}
