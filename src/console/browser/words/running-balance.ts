/** What journals left in each bucket. Pure. */

export interface JournalEntry {
  readonly currency: string;
  readonly bucket: string;
  /** In the smallest unit; negative takes from the bucket. */
  readonly amount: number;
}

export interface RunningEntry extends JournalEntry {
  /** What all journals so far have left in the bucket. */
  readonly balance: number;
}

/** The entries of journals, oldest first, each with the balance of its bucket after it. */
export function runningBalances(journals: readonly (readonly JournalEntry[])[]): readonly (readonly RunningEntry[])[] {
  const balances = new Map<string, number>();
  return journals.map((entries) =>
    entries.map((entry) => {
      const bucket = `${entry.currency} ${entry.bucket}`;
      const balance = (balances.get(bucket) ?? 0) + entry.amount;
      balances.set(bucket, balance);
      return { ...entry, balance };
    }),
  );
}
