import { textOf } from "../../../base/kernel/message.js";
import { fold } from "../../../base/kernel/text-search.js";
import type { Part, SearchResult } from "../searchable.js";
import { FOUND_TEXTS } from "../service-texts.js";

/** The results of a search: as a sentence for people, and merged from the searches for several terms. */

const partText = (part: Part): string => textOf(FOUND_TEXTS, part);

export function partsOf({ parts, person = null }: Pick<SearchResult, "parts" | "person">): readonly Part[] {
  return person === null ? parts : [...parts, person];
}

export function resultTextOf(one: Pick<SearchResult, "parts" | "person">): string {
  return partsOf(one).map(partText).join(", ");
}

type ResultText = Pick<SearchResult, "id" | "parts" | "person">;

const isSame = (one: ResultText["person"], other: ResultText["person"]) =>
  (one ? partText(one) : null) === (other ? partText(other) : null);

/** Each object once, with the matches of all searches. */
function mergeResults<One extends ResultText>(found: readonly One[]): One[] {
  const known = new Map<string, One>();
  for (const one of found) {
    const before = known.get(one.id);
    const all = [...(before?.parts ?? []), ...one.parts];
    const parts = [...new Map(all.map((part) => [partText(part), part])).values()];
    const person = before === undefined || isSame(before.person, one.person) ? one.person : null;
    known.set(one.id, { ...one, parts, person });
  }
  return [...known.values()];
}

/**
 * The objects with all terms. `found` are the results for each term, at most 50 objects, so an object with a frequent
 * term may be missing there; its sentence has amount, status and name.
 */
export function withAllTerms<One extends ResultText>(
  terms: readonly string[],
  found: readonly (readonly One[])[],
): One[] {
  const fits = (one: One, term: string, index: number) =>
    found[index]?.some(({ id }) => id === one.id) === true || fold(resultTextOf(one)).includes(fold(term));
  return mergeResults(found.flat()).filter((one) => terms.every((term, index) => fits(one, term, index)));
}
