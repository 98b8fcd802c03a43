import { fieldError } from "./errors.js";

/** White space, control characters, and those that change how a text is shown without being seen. */
const HIDDEN = /[\s\p{Cc}\p{Cf}]/u;

/**
 * Refuses what `new URL` takes out without a word: white space around a URL, tabs and line breaks inside it. It would be
 * stored and shown as it was sent while something else is called.
 */
export function checkUrlText(param: string, text: string): void {
  if (HIDDEN.test(text)) throw fieldError(param, "must not hold white space or control characters");
}
