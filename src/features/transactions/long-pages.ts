import { type Db, lister, type SqlValue, searcher } from "../../db/driver.js";
import type { Pause } from "../../db/long-read.js";
import { jsonIn } from "../../kernel/json.js";
import type { PageFilters, PageSort } from "./page-queries.js";
import { SLICE_CONDITIONS, slicer } from "./slices.js";

/** Pages in an order that has no index, of lists that are too long to be read at once (docs/decisions/015-lists-and-figures.md). */

/** How many payments one query reads: few enough that others hardly wait. */
const SLICE = 1_000;

/** A part of a filtered list in an order of its own. */
interface LongPage {
  readonly filters: PageFilters;
  readonly sort: PageSort;
  readonly limit: number;
  readonly offset: number;
}

const orderBy = ({ column, order }: PageSort) => `ORDER BY ${column} ${order}, seq ${order}`;

/** The ids of a page near the beginning. A query reads a slice and the best rows of all slices before, and keeps the best again. */
export async function slicedPageIds(
  db: Db,
  pause: Pause,
  { filters, sort, limit, offset }: LongPage,
): Promise<string[]> {
  const best = searcher<{ seq: number; id: string }, keyof typeof SLICE_CONDITIONS>(
    db,
    "SELECT seq, id FROM transactions WHERE seq IN (SELECT seq FROM transactions",
    SLICE_CONDITIONS,
    `UNION ALL SELECT value FROM json_each(?)) ${orderBy(sort)} LIMIT ?`,
  );
  let found: { seq: number; id: string }[] = [];
  for (const slice of slicer(db, "ASC", SLICE)(filters)) {
    const seqs = JSON.stringify(found.map(({ seq }) => seq));
    found = best({ ...slice }, seqs, ...sort.values, offset + limit);
    await pause();
  }
  return found.slice(offset).map(({ id }) => id);
}

/** So many payments are sorted at once: all that are left, or a sample of them. */
const SAMPLE = 2_000;
/** After so many rounds the list is sorted at once. Four are usual for ten million payments. */
const MOST_ROUNDS = 12;

/** The rows around a part of the list, in its order: what comes after `low`, up to and with `high`. */
interface Between {
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** A number of a row that follows no pattern of its `seq`: payments that match may be every second or every tenth. */
const MIXED = "(seq * 2654435761 >> 16)";

/** SQL: whether a row comes up to the one with this `seq`, in the order of the list. SQLite sorts a missing value first, so it counts as minus infinity. */
function upTo({ column, order, values }: PageSort, seq: number | undefined, otherwise: "0" | "1") {
  if (seq === undefined) return { sql: otherwise, values: [] };
  const place = `COALESCE(${column}, -9e999), seq`;
  const sql = `(${place}) ${order === "ASC" ? "<=" : ">="} (SELECT ${place} FROM transactions WHERE seq = ?)`;
  return { sql, values: [...values, ...values, seq] };
}

/** Counts what is before and between two rows, and takes one of `step` payments between them. */
async function survey(
  db: Db,
  pause: Pause,
  { filters, sort }: Pick<LongPage, "filters" | "sort">,
  { low, high, step }: Between & { readonly step: number },
) {
  const [isBefore, isNotAfter] = [upTo(sort, low, "0"), upTo(sort, high, "1")];
  const count = searcher<{ before: number; inside: number; sample: string }, keyof typeof SLICE_CONDITIONS>(
    db,
    "WITH slice AS (SELECT * FROM transactions",
    SLICE_CONDITIONS,
    `) SELECT COALESCE(SUM(is_before), 0) AS before, COALESCE(SUM(is_inside), 0) AS inside,
              json_group_array(seq) FILTER (WHERE is_inside AND ${MIXED} % ? = 0) AS sample
         FROM (SELECT seq, ${isBefore.sql} AS is_before, ${isNotAfter.sql} AND NOT ${isBefore.sql} AS is_inside FROM slice)`,
  );
  const values: SqlValue[] = [step, ...isBefore.values, ...isNotAfter.values, ...isBefore.values];
  let [before, inside] = [0, 0];
  const sample: unknown[] = [];
  for (const slice of slicer(db, "ASC", SLICE)(filters)) {
    const row = count({ ...slice }, ...values)[0];
    if (row !== undefined) {
      before += row.before;
      inside += row.inside;
      const found = jsonIn(row.sample);
      if (Array.isArray(found)) sample.push(...found);
    }
    await pause();
  }
  return { low, high, before, inside, step, sample };
}

/**
 * The ids of a page deep in a list of `total` payments; null when it was not found in time. In each round a sample of the payments around the page
 * is sorted. It tells between which two rows the page is most likely, and all payments are counted against these two. When few are
 * left between them, they are sorted.
 */
export async function deepPageIds(
  db: Db,
  pause: Pause,
  { filters, sort, limit, offset, total }: LongPage & { readonly total: number },
): Promise<string[] | null> {
  const sorted = lister<{ seq: number; id: string }>(
    db,
    `SELECT seq, id FROM transactions WHERE seq IN (SELECT value FROM json_each(?)) ${orderBy(sort)}`,
  );
  const look = (between: Between, step: number) => survey(db, pause, { filters, sort }, { ...between, step });
  let window = await look({ low: undefined, high: undefined }, Math.max(1, Math.floor(total / SAMPLE)));
  let margin = 2;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { before, inside, step, sample } = window;
    const rows = sorted(JSON.stringify(sample), ...sort.values);
    const [begin, end] = [offset - before, Math.min(offset + limit - before, inside)];
    if (step === 1) return rows.slice(begin, end).map(({ id }) => id);
    if (rows.length === 0) {
      window = await look(window, Math.floor(step / 2));
      continue;
    }
    const spread = Math.ceil(margin * Math.sqrt(rows.length)) + 1;
    const at = (place: number) => Math.floor((place / inside) * rows.length);
    const [low, high] = [rows[at(begin) - spread]?.seq ?? window.low, rows[at(end) + spread]?.seq ?? window.high];
    const share = Math.min(1, (2 * spread + at(end) - at(begin)) / rows.length);
    const next = await look({ low, high }, Math.max(1, Math.floor((inside * share) / SAMPLE)));
    const holdsPage = next.before <= offset && next.before + next.inside >= before + end;
    if (holdsPage) window = next;
    else margin *= 2;
  }
  return null;
}
