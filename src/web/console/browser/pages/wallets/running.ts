/** Balances after each journal, and journals as rows of CSV. Pure functions. */

export interface Entry {
  readonly currency: string;
  readonly bucket: string;
  /** In the smallest unit; a negative amount leaves the bucket. */
  readonly amount: number;
}

export interface Journal {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  /** The object of the entry; left out on the page of that object. */
  readonly reference?: string;
  readonly entries: readonly Entry[];
}

export interface BucketBalance extends Omit<Entry, "amount"> {
  readonly balance: number;
}

/** The balance of a bucket after a journal, by the id of the journal and the bucket; null if unknown. */
export type Running = (journal: string, currency: string, bucket: string) => number | null;

const key = ({ currency, bucket }: Omit<Entry, "amount">) => `${currency} ${bucket}`;

const byNewest = (one: Journal, other: Journal) => Number(other.id) - Number(one.id);

/** Journals of two lists, each once, newest first. */
export function together(one: readonly Journal[], other: readonly Journal[]): readonly Journal[] {
  return [...new Map([...one, ...other].map((journal) => [journal.id, journal])).values()].sort(byNewest);
}

/** Balances after each journal, by its id, currency and bucket. */
const runningIn =
  (after: ReadonlyMap<string, number>): Running =>
  (journal, currency, bucket) =>
    after.get(`${journal} ${key({ currency, bucket })}`) ?? null;

/**
 * Walks back from the present balances. `latest` begins with the newest journal of all, and `rows` may begin later: if
 * journals between the two were not read, nothing is known.
 */
export function runningBack(
  balances: readonly BucketBalance[],
  latest: readonly Journal[],
  isWholeLatest: boolean,
  rows: readonly Journal[],
): Running {
  const reached = latest.at(-1);
  const hasGap = !isWholeLatest && rows[0] !== undefined && reached !== undefined && byNewest(rows[0], reached) > 0;
  if (hasGap) return () => null;
  const held = new Map(balances.map((one) => [key(one), one.balance]));
  const after = new Map<string, number>();
  for (const journal of together(latest, rows)) {
    for (const entry of journal.entries) {
      const balance = held.get(key(entry)) ?? 0;
      after.set(`${journal.id} ${key(entry)}`, balance);
      held.set(key(entry), balance - entry.amount);
    }
  }
  return runningIn(after);
}

/** Walks forward from zero: the total movements of one object. `rows` are all its journals, newest first. */
export function runningForward(rows: readonly Journal[]): Running {
  const held = new Map<string, number>();
  const after = new Map<string, number>();
  for (const { id, entries } of rows.toReversed()) {
    for (const entry of entries) {
      const balance = (held.get(key(entry)) ?? 0) + entry.amount;
      held.set(key(entry), balance);
      after.set(`${id} ${key(entry)}`, balance);
    }
  }
  return runningIn(after);
}

/** A row for each entry. */
export function rowsForCsv(journals: readonly Journal[]) {
  return journals.flatMap(({ id, at, kind, reference, entries }) =>
    entries.map(({ currency, bucket, amount }) => ({ journal: id, at, kind, reference, currency, bucket, amount })),
  );
}
