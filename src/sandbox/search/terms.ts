import type { Found } from "./describe.js";
import { fold } from "./texts.js";

/** A search for several terms, such as an amount and a name. Pure functions. */

/** Each term is a search of its own, and the server answers no other request meanwhile. */
const MAX_TERMS = 5;

/**
 * The terms of a text; empty for a single one, and for more than five. An amount with its currency sign is one term. A
 * comma between two terms belongs to none of them.
 */
export function termsOf(q: string): string[] {
  const terms = (q.match(/R\$\s*\S+|\S+/gi) ?? [])
    .map((term) => term.replace(/[,;]+$/, ""))
    .filter((term) => term !== "");
  return terms.length < 2 || terms.length > MAX_TERMS ? [] : terms;
}

/**
 * What has all terms. `found` is what the search for each term has found, at most 50 objects, so one that has a frequent term
 * may be missing there; its sentence tells amount, status and name.
 */
export function withAllTerms<One extends Pick<Found, "id" | "text">>(
  terms: readonly string[],
  found: readonly (readonly One[])[],
): One[] {
  const all = [...new Map(found.flat().map((one) => [one.id, one])).values()];
  const fits = (one: One, term: string, index: number) =>
    found[index]?.some(({ id }) => id === one.id) === true || fold(one.text).includes(fold(term));
  return all.filter((one) => terms.every((term, index) => fits(one, term, index)));
}
