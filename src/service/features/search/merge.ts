import { textOf } from "../../../base/kernel/message.js";
import { fold } from "../../../base/kernel/text-search.js";
import type { Part, SearchResult } from "../searchable.js";
import { FOUND_TEXTS } from "../service-texts.js";

/** What a search has found: as a sentence for people, and put together from the searches for several terms. */

const partText = (part: Part): string => textOf(FOUND_TEXTS, part);

export function partsOf({ parts, person = null }: Pick<SearchResult, "parts" | "person">): readonly Part[] {
  return person === null ? parts : [...parts, person];
}

export function foundText(one: Pick<SearchResult, "parts" | "person">): string {
  return partsOf(one).map(partText).join(", ");
}

type ResultText = Pick<SearchResult, "id" | "parts" | "person">;

const isSame = (one: ResultText["person"], other: ResultText["person"]) =>
  (one ? partText(one) : null) === (other ? partText(other) : null);

/** Each object once, with all that the searches say of it: what each of them has matched. */
function merged<One extends ResultText>(found: readonly One[]): One[] {
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
 * What has all terms. `found` is what the search for each term has found, at most 50 objects, so one that has a frequent term
 * may be missing there; its sentence tells amount, status and name.
 */
export function withAllTerms<One extends ResultText>(
  terms: readonly string[],
  found: readonly (readonly One[])[],
): One[] {
  const fits = (one: One, term: string, index: number) =>
    found[index]?.some(({ id }) => id === one.id) === true || fold(foundText(one)).includes(fold(term));
  return merged(found.flat()).filter((one) => terms.every((term, index) => fits(one, term, index)));
}
