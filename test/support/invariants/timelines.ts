import type { Db } from "../../../src/db/driver.js";
import { createStores } from "../../../src/features/stores.js";
import { buildTimeline, type TimelineItem } from "../../../src/features/timeline/build.js";
import { readSources } from "../../../src/features/timeline/sources.js";
import { type Invariant, keptWhileUnchanged, textsOf } from "./invariant.js";

/** The timelines of all objects, made by the service's own code, held against the rows of the database. */

interface Subject {
  readonly book_id: number;
  readonly id: string;
}

/** Every charge with its refunds and cases, and every payout. Rows that a test wrote by hand may have other ids. */
const SUBJECTS = `SELECT book_id, prefix || id AS id FROM (
    SELECT book_id, 'ch_' AS prefix, id FROM transactions UNION ALL SELECT book_id, 'po_', id FROM payouts)
  WHERE LENGTH(id) = 36`;

/** The ids of everything that must be in one of the timelines. */
const EVERYTHING = `
  SELECT 'evt_' || id FROM events UNION ALL SELECT 'wd_' || id FROM deliveries UNION ALL SELECT 'em_' || id FROM emails
  UNION ALL SELECT 'journal-' || id FROM ledger_journals
  UNION ALL SELECT 'wd_' || d.id || '#' || a.attempt FROM delivery_attempts a JOIN deliveries d ON d.seq = a.delivery_seq
  UNION ALL SELECT 'move-' || seq FROM history WHERE to_status IS NOT NULL`;

/** Breaches within one timeline: every item follows its parent, and nothing without a reason has none. */
function disorderIn(items: readonly TimelineItem[]): string[] {
  const seen = new Map<string, TimelineItem>();
  let last = "";
  return items.flatMap((item) => {
    const { id, kind, at, cause, parent, data } = item;
    const isFirst = kind === "request" || kind === "clock" || data.move === "create";
    const isBack = at < last && !(kind === "clock" && data.move === "restore");
    last = at;
    const wrong = [
      ...(seen.has(id) ? ["is there twice"] : []),
      ...(cause === "" ? ["has no cause"] : []),
      ...(parent === null && !isFirst ? ["has no parent"] : []),
      ...(parent !== null && !seen.has(parent) ? [`comes before its parent ${parent}`] : []),
      ...(isBack ? [`is at ${at}, after something at a later time`] : []),
    ];
    seen.set(id, item);
    return wrong.map((text) => `${kind} ${id} ${text}`);
  });
}

/** The request log is in memory: a timeline must be whole without it. */
const NO_LOG = { matching: () => [] };

const timelinesOf = keptWhileUnchanged((db): readonly TimelineItem[][] => {
  const stores = createStores(db as unknown as Db);
  const subjects = db.prepare<[], Subject>(SUBJECTS).all();
  return subjects.map(({ book_id, id }) => buildTimeline(readSources(stores, NO_LOG, book_id, id)));
});

export const TIMELINE_INVARIANTS: readonly Invariant[] = [
  {
    name: "every timeline is in order, and every item of it has its parent and its cause",
    breaches: (db) => timelinesOf(db).flatMap(disorderIn),
  },
  {
    name: "the timelines leave out nothing",
    breaches(db) {
      const told = new Set(timelinesOf(db).flatMap((items) => items.map(({ id }) => id)));
      return textsOf(db, EVERYTHING)
        .filter((id) => !told.has(id))
        .map((id) => `${id} is in no timeline`);
    },
  },
];
