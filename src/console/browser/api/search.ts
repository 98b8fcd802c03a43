import type { OperationAnswer } from "../../../client/types.js";
import { termsOf, withAllTerms } from "../words/search-terms.js";
import { call } from "./call.js";
import type { AnyInput } from "./input.js";

/**
 * Searches for a text as it is, such as a name, and where nothing has it, for objects that have all of its terms: a name and an
 * amount, or an amount and a document. `more` goes on with an earlier search.
 */
export async function search(q: string, more: AnyInput["query"] = {}): Promise<OperationAnswer<"sandbox.search">> {
  // The call with checked types: a parameter that the search does not have would be refused.
  const whole = await call("sandbox.search", { query: { q, ...more } });
  const terms = termsOf(q);
  if (whole.data.length > 0 || terms.length < 2 || more.after !== undefined) return whole;
  const answers = await Promise.all(terms.map((term) => call("sandbox.search", { query: { q: term } })));
  const found = answers.map(({ data }) => data);
  return { ...whole, data: [...withAllTerms(terms, found)] };
}
