import { fieldError } from "./errors.js";

/** Matches white space, control characters and invisible formatting characters. */
const HIDDEN = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Refuses a URL with white space or control characters. `new URL` silently removes some of them, so the URL that is called
 * would not be the URL that was sent.
 */
export function checkUrlText(param: string, text: string): void {
  if (HIDDEN.test(text)) throw fieldError(param, "must not hold white space or control characters");
}
