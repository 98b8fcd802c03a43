/**
 * Yes and no in each language that pages offer, whichever one the question has: a hand that is used to one types it
 * (docs/ARCHITECTURE.md#to-add). The return key alone means no.
 */

const YES = /^(?:y|yes|s|sim)$/i;
const NO = /^(?:|n|no|não|nao)$/i;

/** The answer to a question; null for a text that is neither. */
export function readYesNo(text: string): boolean | null {
  const word = text.trim();
  if (YES.test(word)) return true;
  return NO.test(word) ? false : null;
}
