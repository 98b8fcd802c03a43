import { type Signal, signal } from "@preact/signals";
import { asFailure, type CallFailed } from "./call.js";

/** The rows of a list, read page by page, and read again after changes. */

/** The payments of one currency together, in its smallest unit. */
export interface Sum {
  readonly currency: string;
  readonly count: number;
  readonly amount: number;
}

export interface ListState<Row> {
  readonly rows: readonly Row[];
  /** New rows that are not shown yet. */
  readonly fresh: readonly Row[];
  /** The number of rows of each kind by which the list can be filtered; null when the answer has no counts. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** What the paid ones add up to, by currency; null when the answer has no sums. */
  readonly sums: readonly Sum[] | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly error: CallFailed | null;
  /** Reads it once more, after an error. */
  readonly retry: () => void;
}

type Query = Readonly<Record<string, unknown>>;

export interface RowsOf<Answer, Row> {
  readonly rows: (answer: Answer) => readonly Row[];
  readonly key: (row: Row) => string;
  /** The query of the next page, after an answer and the number of rows so far; null after the last page. */
  readonly more: (answer: Answer, shown: number) => Query | null;
  /** Left out when the answer has no counts. */
  readonly counts?: (answer: Answer) => Readonly<Record<string, number>>;
  /** The same for sums. */
  readonly sums?: (answer: Answer) => readonly Sum[] | null;
}

/** A list as the reader left it, to be shown again when the reader returns. */
export interface KeptList<Row> {
  readonly rows: readonly Row[];
  readonly counts: ListState<Row>["counts"];
  readonly sums: ListState<Row>["sums"];
  readonly next: Query | null;
}

/** The maximum of rows on a page, which must stay quick for hours. */
export const MOST_ROWS = 500;

/** The maximum of rows in a file. */
const MOST_SAVED = 20_000;

/** Merges the first page, read again, into the shown rows: known rows are renewed in place, new ones are set apart. */
function renewed<Row>(
  shown: readonly Row[],
  first: readonly Row[],
  key: (row: Row) => string,
): { rows: readonly Row[]; fresh: readonly Row[] } {
  const byKey = new Map(first.map((row) => [key(row), row]));
  const known = new Set(shown.map(key));
  return {
    rows: shown.map((row) => byKey.get(key(row)) ?? row),
    fresh: first.filter((row) => !known.has(key(row))),
  };
}

function withoutDoubles<Row>(rows: readonly Row[], key: (row: Row) => string): readonly Row[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}

export class ListReader<Answer, Row> {
  readonly state: Signal<ListState<Row>> = signal({
    rows: [],
    fresh: [],
    counts: null,
    sums: null,
    hasMore: false,
    isLoading: true,
    error: null,
    retry: () => void this.begin(),
  });
  readonly #read: (query: Query) => Promise<Answer>;
  readonly #of: RowsOf<Answer, Row>;
  #next: Query | null = null;
  #isOver = false;

  constructor(read: (query: Query) => Promise<Answer>, of: RowsOf<Answer, Row>) {
    this.#read = read;
    this.#of = of;
  }

  /** Answers that arrive later are ignored. */
  stop(): void {
    this.#isOver = true;
  }

  /** The shown rows and the next page; null before the first page has arrived. */
  keep(): KeptList<Row> | null {
    const { rows, counts, sums } = this.state.peek();
    return rows.length === 0 ? null : { rows, counts, sums, next: this.#next };
  }

  /** Shows a list as the reader left it. */
  restore({ rows, counts, sums, next }: KeptList<Row>): void {
    this.#next = next;
    this.state.value = { ...this.state.peek(), rows, counts, sums, hasMore: next !== null, isLoading: false };
  }

  /** Reads the first page, which replaces all shown rows. */
  begin(): Promise<void> {
    return this.#apply({}, (answer) => {
      const rows = this.#of.rows(answer);
      this.#next = this.#of.more(answer, rows.length);
      return { rows, fresh: [], hasMore: this.#next !== null };
    });
  }

  /** Reads the first page again. New rows are shown at once, or wait. The first rows of an empty list never wait. */
  follow(isShown: () => boolean): Promise<void> {
    return this.#apply({}, (answer) => {
      const before = this.state.peek();
      const { rows, fresh } = renewed(before.rows, this.#of.rows(answer), this.#of.key);
      if (!isShown() && before.rows.length > 0) return { rows, fresh };
      return { rows: [...fresh, ...rows].slice(0, MOST_ROWS), fresh: [] };
    });
  }

  async showMore(): Promise<void> {
    const query = this.#next;
    if (query === null) return;
    this.state.value = { ...this.state.peek(), isLoading: true };
    await this.#apply(query, (answer) => {
      const found = this.#of.rows(answer);
      const rows = withoutDoubles([...this.state.peek().rows, ...found], this.#of.key);
      this.#next = found.length === 0 ? null : this.#of.more(answer, rows.length);
      return { rows: rows.slice(0, MOST_ROWS), hasMore: this.#next !== null && rows.length < MOST_ROWS };
    });
  }

  /** Every row from the first page on, up to the maximum of a file. The shown rows stay. */
  async readAll(): Promise<readonly Row[]> {
    const rows: Row[] = [];
    let next: Query | null = {};
    while (next !== null && rows.length < MOST_SAVED) {
      const answer = await this.#read(next);
      const found = this.#of.rows(answer);
      rows.push(...found);
      next = found.length === 0 ? null : this.#of.more(answer, rows.length);
    }
    return rows;
  }

  showFresh(): void {
    const { rows, fresh, ...rest } = this.state.peek();
    this.state.value = { ...rest, rows: [...fresh, ...rows].slice(0, MOST_ROWS), fresh: [] };
  }

  async #apply(query: Query, change: (answer: Answer) => Partial<ListState<Row>>): Promise<void> {
    try {
      const answer = await this.#read(query);
      if (this.#isOver) return;
      const counts = this.#of.counts?.(answer) ?? null;
      const sums = this.#of.sums?.(answer) ?? null;
      this.state.value = { ...this.state.peek(), error: null, ...change(answer), counts, sums, isLoading: false };
    } catch (thrown) {
      if (this.#isOver) return;
      this.state.value = { ...this.state.peek(), error: asFailure(thrown), isLoading: false };
    }
  }
}
