import type { Mode } from "../../../service/features/access/catalogue.js";

/** What the text of an API key says, and how much of it may be shown. */

const KEY_SHOWN = 12;

/** The names of the headers that carry credentials. Their values are never printed in full. */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "apikey",
  "authorization",
  "cookie",
  "proxy-authorization",
]);

export function isLiveKey(apiKey: string | null | undefined): boolean {
  // HTTP removes white space around a header's value, so the service would see a live key.
  return apiKey?.trim().startsWith("qa_live_") ?? false;
}

/** The mode of a key, or of its beginning; null without one, and for a text that is none. */
export function keyMode(apiKey: string | null | undefined): Mode | null {
  if (isLiveKey(apiKey)) return "live";
  return apiKey?.startsWith("qa_test_") ? "test" : null;
}

/** The beginning of a key, enough for its owner to recognise it: at most 12 characters, and at most half of the key. */
export function keyPrefix(apiKey: string): string {
  return `${apiKey.slice(0, Math.min(KEY_SHOWN, Math.floor(apiKey.length / 2)))}…`;
}
