import { fieldError } from "./errors.js";
import { isLoopbackHost } from "./loopback.js";

/** Matches white space, control characters and invisible formatting characters. */
const HIDDEN = /[\s\p{Cc}\p{Cf}]/u;

/** Refuses white space and control characters: `new URL` silently removes some, and another URL would be called. */
export function checkUrlText(param: string, text: string): void {
  if (HIDDEN.test(text)) throw fieldError(param, "must not hold white space or control characters");
}

/** Matches a host, with or without a port and a path, that has no scheme in front of it. */
const WITHOUT_SCHEME = /^(localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:.]+\])(?::\d{1,5})?(?:[/?#].*)?$/i;

/**
 * Adds the scheme to an address without one, such as `localhost:3000/x`: `http://` when its host is this machine, else
 * `https://`. Returns null when the text has another fault.
 */
export function withScheme(text: string): string | null {
  const host = WITHOUT_SCHEME.exec(text)?.[1];
  const url = `${isLoopbackHost(host ?? "") ? "http" : "https"}://${text}`;
  return host !== undefined && URL.canParse(url) ? new URL(url).href : null;
}
