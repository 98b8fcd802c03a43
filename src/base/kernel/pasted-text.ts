/**
 * Text as people paste it from a chat, a mail, a spreadsheet or a page. Such places add white space, marks that cannot be seen,
 * quotes and punctuation, and put other characters in the place of hyphens.
 */

// At the end, one look back in front of a run keeps a long run in the middle of a text from being read again and again.
const AROUND =
  /^[\s\p{Cc}\p{Cf}\u2800\u3164\u115f\u1160\uffa0]+|(?<![\s\p{Cc}\p{Cf}\u2800\u3164\u115f\u1160\uffa0])[\s\p{Cc}\p{Cf}\u2800\u3164\u115f\u1160\uffa0]+$/gu;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Mn}\u2800\u3164\u115f\u1160\uffa0]/gu;
const HYPHENS = /[\p{Pd}\u2043\u2212]/gu;
/** The characters around an id in written text: white space, quotes, brackets, marks of Markdown, and punctuation behind it. */
const WRAPPING =
  /^[\s\p{Pi}\p{Pf}\p{Ps}"'`*_~<>]+|(?<![\s\p{Pi}\p{Pf}\p{Pe}"'`*_~<>.,;:!?])[\s\p{Pi}\p{Pf}\p{Pe}"'`*_~<>.,;:!?]+$/gu;

/** Returns a text without the white space and the unseen characters at its beginning and end; those inside it stay. */
export function trimPasted(text: string): string {
  return text.replace(AROUND, "");
}

/** Characters that no key has at its ends. */
const AROUND_KEY = /^[\s\p{Pi}\p{Pf}"'`*<>]+|[\s\p{Pi}\p{Pf}"'`*<>.,;:]+$/gu;

/** Returns the key in a text: like `unwrapId`, but underscores and hyphens may stand at its end, and control characters stay in it. */
export function unwrapKey(text: string): string {
  return trimPasted(text)
    .replace(HYPHENS, "-")
    .replace(/\p{Cf}/gu, "")
    .replace(AROUND_KEY, "");
}

/** True if a text has a character that can be seen. */
export function saysSomething(text: string): boolean {
  return trimPasted(text).replace(UNSEEN, "").trim() !== "";
}

/**
 * Returns the id in a text: without invisible characters, with plain hyphens, and without the characters around it. Call it for
 * ids alone, because it changes other texts.
 */
export function unwrapId(text: string): string {
  return text.replace(HYPHENS, "-").replace(UNSEEN, "").replace(WRAPPING, "");
}
