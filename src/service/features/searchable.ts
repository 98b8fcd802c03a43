import { type Db, lister, type SqlValue } from "../../base/db/driver.js";
import type { Message, Params } from "../../base/kernel/message.js";
import type { Question } from "./search/question.js";
import type { FOUND_KINDS, FoundCode } from "./service-texts.js";

/** The search of a feature: it finds its own objects, and describes the results (docs/decisions/046-search.md). */

export type Part = Message<FoundCode>;

export interface SearchResult {
  readonly kind: (typeof FOUND_KINDS)[number];
  readonly id: string;
  /** The last ones name the match. */
  readonly parts: readonly Part[];
  /** The payer, as the last part; null when a name is among the parts already. */
  readonly person?: Part | null;
  /** Emulated milliseconds, to sort by. */
  readonly at: number;
}

/** The question and its caller. Objects of other books are never found. */
export interface SearchRequest extends Question {
  readonly bookId: number;
  readonly accountId: string;
}

type Find = (request: SearchRequest) => SearchResult[];

export interface Searchable {
  /** Finds the objects of an id, its beginning or a code. */
  readonly exact?: Find;
  /** Finds objects with a whole value, such as a document or an amount. */
  readonly values?: Find;
  /** Finds objects with the words in one of their texts. */
  readonly texts?: Find;
  /** The same for objects that are too many to search at once: those after `place`, until `room` are found. */
  textsBehind?(request: SearchRequest, place: CreationPlace, room: number): FoundByText;
}

/** A place in the order of objects, the newest first. */
export interface CreationPlace {
  readonly created_at: number;
  readonly seq: number;
}

export interface FoundByText {
  readonly whole: readonly SearchResult[];
  readonly parts: readonly SearchResult[];
  /** The last object that was searched, when there are older ones; else null. */
  readonly stoppedAt: CreationPlace | null;
}

/** The maximum of objects in an answer. */
export const MAX_FOUND = 50;
/** One more is read, to detect further ones. */
export const LIMIT = MAX_FOUND + 1;
/** The number of objects of a kind, newest first, that are searched for texts. */
const SEARCHED = 1_000;

/** The rows of a table, newest first. `select` and `book` are for a table that does not know its book. */
export function searchRows<Row>(
  db: Db,
  table: string,
  { select = `SELECT * FROM ${table}`, book = `${table}.book_id` } = {},
) {
  return {
    /** Finds the rows for the ids of a question: those with one of these prefixes, and those without any. */
    byId(...prefixes: string[]) {
      // The plus keeps SQLite from reading the whole book.
      const where = `WHERE ${table}.id >= ? AND ${table}.id < ? AND +${book} = ?`;
      const between = lister<Row>(db, `${select} ${where} ORDER BY ${table}.id DESC LIMIT ${LIMIT}`);
      return ({ ids, bookId }: SearchRequest) =>
        ids
          .filter(({ prefix }) => prefix === "" || prefixes.includes(prefix))
          // In the order of characters, the tilde comes after every character of a UUID.
          .flatMap(({ start }) => between(start, `${start}~`, bookId));
    },
    /**
     * Finds the rows of the book with a value in a column. A missing value is in no row. `isUnique` is for nearly
     * unique values: their index does not know the book, and SQLite would choose the index of the whole book instead.
     */
    by(column: string, { isUnique = false } = {}) {
      const where = `WHERE ${table}.${column} = ? AND ${isUnique ? "+" : ""}${book} = ?`;
      const rows = lister<Row>(db, `${select} ${where} ORDER BY ${table}.seq DESC LIMIT ${LIMIT}`);
      return ({ bookId }: SearchRequest, value: SqlValue) => (value === null ? [] : rows(value, bookId));
    },
    /** In the order of an index of the book: nothing is sorted. */
    newest(order = "seq DESC") {
      const rows = lister<Row>(db, `${select} WHERE ${book} = ? ORDER BY ${order} LIMIT ${SEARCHED}`);
      return ({ bookId }: SearchRequest) => rows(bookId);
    },
  };
}

/** True if the ids of a question name a row. `prefix` is that of its kind; the id may have it. */
export function isNamed(prefix: string, { ids }: SearchRequest, id: string): boolean {
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  return ids.some(({ prefix: given, start }) => (given === "" || given === prefix) && bare.startsWith(start));
}

/** An object as shown in results. The first part names it; the others describe it, as a text of its own or a part. */
export function toSearchResult(
  [kind, prefix]: readonly [kind: SearchResult["kind"], prefix: string],
  row: { readonly id: string; readonly created_at: number },
  params: Params,
  ...more: (string | Part | null | undefined)[]
): SearchResult {
  const parts = more.flatMap((one): Part[] => {
    if (typeof one !== "string") return one ? [one] : [];
    return one === "" ? [] : [{ code: "value", params: { value: one } }];
  });
  return { kind, id: prefix + row.id, parts: [{ code: kind, params }, ...parts], at: row.created_at };
}

export const sumOf = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({
  amount,
  currency,
});
