import { cursorError } from "../../../base/kernel/cursor-page.js";
import {
  type CreationPlace,
  type FoundByText,
  MAX_FOUND,
  type SearchRequest,
  type SearchResult,
} from "../searchable.js";
import type { Reader } from "../tx.js";
import { partsOf, resultTextOf, withAllTerms } from "./merge.js";
import { readQuestion } from "./question.js";
import type { SearchStore } from "./store.js";
import { termsOf } from "./terms.js";

/** Searches all kinds of objects by any of their values (docs/decisions/046-search.md). */

/** The longest text to search for: longer than every address and every BR Code. */
export const MAX_LENGTH = 2_000;

export interface SearchQuery {
  readonly bookId: number;
  readonly accountId: string;
  readonly q: string;
  /** The `next_cursor` of the search that this one continues. */
  readonly after?: string | undefined;
}

const NEWEST: CreationPlace = { created_at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

const newestFirst = (found: readonly SearchResult[]) => found.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));

const TOO_MANY = `There are more than ${MAX_FOUND} of these. Write more of what you look for.`;
const OLDER =
  "Older payments were not looked through for this text. Go on with --after, or look through all with --all.";

const cursorOf = ({ created_at, seq }: CreationPlace) => `${created_at}~${seq}`;

function placeOf(cursor: string): CreationPlace {
  const [, at = "", seq = ""] = /^(\d{1,16})~(\d{1,16})$/.exec(cursor) ?? [];
  if (seq === "") throw cursorError();
  return { created_at: Number(at), seq: Number(seq) };
}

/** Ids, codes and values, and the texts of everything but payments. They are few, so the first page has them all. */
function firstFinds(all: SearchStore, request: SearchRequest) {
  const findsOf = (how: "exact" | "values" | "texts") => all.flatMap((one) => one[how]?.(request) ?? []);
  const exact = findsOf("exact");
  return { exact, values: findsOf("values"), parts: exact.length > 0 ? [] : findsOf("texts") };
}

/**
 * Finds the possible meanings of a text: exact ids and codes first, then exact values, then parts; the newest first of
 * each. A page that begins at `after` has only older payments with the text. If nothing has the text, finds objects
 * with all of its terms.
 */
export function search({ search: store }: Pick<Reader, "search">, query: SearchQuery) {
  const whole = searchText(store, query);
  const terms = whole.data.length > 0 || query.after !== undefined ? [] : termsOf(query.q);
  const found = terms.map((q) => searchText(store, { ...query, q }).data);
  const data = terms.length === 0 ? whole.data : withAllTerms(terms, found);
  return {
    ...whole,
    data: data.map((one) => ({ kind: one.kind, id: one.id, text: resultTextOf(one), parts: partsOf(one) })),
  };
}

const NO_TEXTS: FoundByText = { whole: [], parts: [], stoppedAt: null };

/** Only payments are so many that one page does not search the texts of all of them. */
function textsBehind(all: SearchStore, request: SearchRequest, place: CreationPlace, room: number): FoundByText {
  const paged = all.find((one) => one.textsBehind !== undefined);
  return paged?.textsBehind?.(request, place, room) ?? NO_TEXTS;
}

function searchText(store: SearchStore, { bookId, accountId, q, after }: SearchQuery) {
  const request: SearchRequest = { bookId, accountId, ...readQuestion(q) };
  const first = after === undefined ? firstFinds(store, request) : { exact: [], values: [], parts: [] };
  const known = first.exact.length + first.values.length + first.parts.length;
  const place = after === undefined ? NEWEST : placeOf(after);
  // A person who searches for an id or a code wants its object, and not a text that contains the id.
  const texts: FoundByText =
    first.exact.length > 0 ? NO_TEXTS : textsBehind(store, request, place, Math.max(0, MAX_FOUND - known));
  const ranked = [first.exact, [...first.values, ...texts.whole], [...texts.parts, ...first.parts]].flatMap(
    newestFirst,
  );
  const distinct = [...new Map(ranked.toReversed().map((one) => [one.id, one])).values()].toReversed();
  const older = texts.stoppedAt === null ? null : OLDER;
  return {
    data: distinct.slice(0, MAX_FOUND),
    /** Names the payment after which a search for a text continues; null when nothing is left. */
    next_cursor: texts.stoppedAt === null ? null : cursorOf(texts.stoppedAt),
    note: distinct.length > MAX_FOUND ? TOO_MANY : older,
  };
}
