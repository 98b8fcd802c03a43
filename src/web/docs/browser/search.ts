import MiniSearch from "minisearch";
import synonyms from "./synonyms.json" with { type: "json" };

/** The search of the documentation: sections of pages by the words of the reader. */

/** A heading of a page with the text below it. */
export interface Section {
  /** Its address in the site. */
  readonly id: string;
  /** The title of its page. */
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Of a page in another language, the titles of the same section and its page in English: developers search with words of both. */
  readonly english?: string;
}

export interface Found {
  readonly section: Section;
  /** The words of the section that were found. */
  readonly terms: readonly string[];
}

const MOST_FOUND = 12;

/** A word without accents, so that `devolucao` finds `devolução`. */
export function bare(term: string): string {
  return term.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Words in place of which a reader may use one another, by each of them. */
const ALIKE = new Map(
  synonyms.flatMap((words) => words.map(bare).map((word, _index, all) => [word, all.filter((one) => one !== word)])),
);

/** So short a word is no beginning of another one: `go` is the language. */
const SHORTEST_BEGINNING = 3;

/** A page in the language of the reader comes before one that is in English only. */
const OWN_LANGUAGE = 2;

/** A word finds itself first, and then what else it may be called. */
function queryOf(word: string) {
  const others = ALIKE.get(bare(word)) ?? [];
  const itself = { combineWith: "AND" as const, queries: [word] };
  return { combineWith: "OR" as const, queries: [itself, { queries: [...others], prefix: false, fuzzy: false }] };
}

/** Returns a function that finds sections. Where none has all words, it finds those that have some of them. */
export function searchIn(sections: readonly Section[]): (wanted: string) => Found[] {
  const byId = new Map(sections.map((section) => [section.id, section]));
  const index = new MiniSearch<Section>({
    // The address has words that the titles may lack, such as `deduplicate`.
    fields: ["title", "page", "text", "id", "english"],
    processTerm: bare,
    searchOptions: {
      boost: { title: 4, english: 4, page: 2, id: 2 },
      boostDocument: (id) => (byId.get(String(id))?.english === undefined ? 1 : OWN_LANGUAGE),
      prefix: (term) => term.length >= SHORTEST_BEGINNING,
      fuzzy: 0.15,
    },
  });
  index.addAll(sections);
  return (wanted) => {
    const queries = wanted
      .split(/[\s,.;:?!/]+/)
      .filter((word) => word !== "")
      .map(queryOf);
    const all = index.search({ combineWith: "AND", queries });
    const results = all.length > 0 ? all : index.search({ combineWith: "OR", queries });
    return results.slice(0, MOST_FOUND).flatMap(({ id, terms }) => {
      const section = byId.get(String(id));
      return section === undefined ? [] : [{ section, terms }];
    });
  };
}
