import type { Sentences } from "../../../base/kernel/wording.js";

/** The texts of commands in another language than English, by the English ones, which stand in the code. */
export interface TranslatedTexts {
  /** The heads of columns. One with several meanings has the path of its field behind it: `Paid (funnel.paid)`. */
  readonly headings: Sentences;
  /** Words of the service that the console does not show. */
  readonly values: Sentences;
  /** All other texts. Their values are in braces, in the order in which the English text has them: `{1}`, `{2}`. */
  readonly sentences: Sentences;
}
