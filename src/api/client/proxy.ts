import type { Words } from "../../base/kernel/wording.js";

/** A proxy that requests of a command go through. */
export interface HttpProxy {
  /** Its address, maybe with a user and a password, so it is never shown. */
  readonly url: URL;
  /** The shown text: the address without user and password, and its variable. */
  readonly name: Words;
  readonly variable: string;
}
