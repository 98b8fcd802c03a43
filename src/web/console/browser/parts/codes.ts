import { language } from "../state/language.js";
import { codeNameIn } from "../words/codes.js";

/** The name of a code of the API in the language of the page. */
export function codeName(code: string): string {
  return codeNameIn(language.value, code);
}
