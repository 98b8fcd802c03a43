import type { OperationAnswer } from "../../../client/types.js";

/** A search for several terms, made of one search for each. Pure functions. */

type Found = OperationAnswer<"sandbox.search">["data"][number];

/** An amount with its currency sign is one term. A comma between two terms belongs to none of them. */
export function termsOf(q: string): string[] {
  return (q.match(/R\$\s*\S+|\S+/gi) ?? []).map((term) => term.replace(/[,;]+$/, "")).filter((term) => term !== "");
}

/** Without accents and case, and with plain spaces: an amount is written with one that does not break. */
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s/g, " ").toLowerCase();

/**
 * What has all terms. A search answers at most 50 objects, so that one which has a term may be missing among those found by it;
 * its sentence tells amount, status and name.
 */
export function withAllTerms(terms: readonly string[], found: readonly (readonly Found[])[]): readonly Found[] {
  const all = [...new Map(found.flat().map((one) => [one.id, one])).values()];
  const fits = (one: Found, term: string, index: number) =>
    found[index]?.some(({ id }) => id === one.id) === true || plain(one.text).includes(plain(term));
  return all.filter((one) => terms.every((term, index) => fits(one, term, index)));
}
