import { helpTexts } from "./help-texts.js";

/** The help of a group or a command; undefined when there is no such command. No words stand for the whole program. */
export function helpOf(words: readonly string[]): string | undefined {
  const path = words.join(" ");
  return Object.hasOwn(helpTexts, path) ? helpTexts[path] : undefined;
}
