import { formatMoney } from "../../kernel/money.js";
import type { Reader } from "../tx.js";
import { BUCKETS, type Bucket } from "./entries.js";
import { type EntrySum, type Owed, type Pause, SUMMED, type Summed } from "./ledger-queries.js";
import { fullBalance, walletsOf } from "./wire.js";

/** Compares the ledger of a book with everything else that is stored about money. It changes nothing. */

export const PROBLEM_CODES = [
  "journal_empty",
  "journal_mixed",
  "journal_unbalanced",
  "journal_unknown_reference",
  "entry_without_journal",
  "balance_differs",
  "bucket_differs",
  "wallet_differs",
  "object_differs",
  "refunded_differs",
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface Problem {
  readonly code: ProblemCode;
  /** The id of the journal, when the problem is in one. */
  readonly journal: string | null;
  /** The public id of the object that it is about. */
  readonly reference: string | null;
  readonly currency: string | null;
  readonly bucket: string | null;
  /** In the smallest unit; null where the problem is no amount. */
  readonly expected: number | null;
  readonly found: number | null;
  readonly text: string;
}

export interface LedgerCheck {
  readonly ok: boolean;
  readonly journals: number;
  readonly entries: number;
  readonly problems: readonly Problem[];
}

/** How many problems of one kind are shown. One fault of a program may break every row. */
const SHOWN = 20;

const NONE = { journal: null, reference: null, currency: null, bucket: null, expected: null, found: null };

/** Adds a problem that tells how many more problems of this kind there are than are shown. */
function withRest(problems: readonly Problem[], code: ProblemCode, shown: number, total: number): Problem[] {
  if (total <= shown) return [...problems];
  return [...problems, { ...NONE, code, text: `There are ${total - shown} more problems of this kind.` }];
}

async function journalProblems(reader: Reader, bookId: number, pause: Pause): Promise<Problem[]> {
  const { brokenJournals, strayJournals, strayEntries } = reader.ledger;
  const broken = await brokenJournals(pause, bookId, SHOWN);
  const stray = await strayJournals(pause, bookId, SHOWN);
  const entries = await strayEntries(pause, bookId, SHOWN);
  const brokenOnes = broken.map(({ id, kind, reference, currency, entries: count, mixed, sum }): Problem => {
    const about = { ...NONE, journal: String(id), reference, currency };
    const name = `Journal ${id} (${kind} of ${reference})`;
    if (count === 0) return { ...about, code: "journal_empty", text: `${name} has no entries.` };
    if (mixed === 1) {
      const text = `${name} has entries of several currencies, or of another account or mode.`;
      return { ...about, code: "journal_mixed", text };
    }
    const text = `The entries of journal ${id} (${kind} of ${reference}) sum to ${formatMoney(sum, currency ?? "BRL")}, not to zero.`;
    return { ...about, code: "journal_unbalanced", expected: 0, found: sum, text };
  });
  const strayOnes = stray.map(({ id, kind, reference }): Problem => {
    const text = `Journal ${id} (${kind}) belongs to ${reference}, which does not exist.`;
    return { ...NONE, code: "journal_unknown_reference", journal: String(id), reference, text };
  });
  const lostOnes = entries.map(({ id, currency, bucket, amount }): Problem => {
    const text = `Entry ${id}, ${formatMoney(amount, currency)} in ${bucket}, belongs to no journal.`;
    return { ...NONE, code: "entry_without_journal", currency, bucket, found: amount, text };
  });
  return [
    ...withRest(brokenOnes, brokenOnes.at(-1)?.code ?? "journal_unbalanced", broken.length, broken[0]?.total ?? 0),
    ...withRest(strayOnes, "journal_unknown_reference", stray.length, stray[0]?.total ?? 0),
    ...withRest(lostOnes, "entry_without_journal", entries.length, entries[0]?.total ?? 0),
  ];
}

/** Amounts by currency and bucket. An amount that is missing is zero. */
function createSums() {
  const sums = new Map<string, number>();
  const key = (currency: string, bucket: string) => `${currency} ${bucket}`;
  return {
    add(currency: string, bucket: string, amount: number): void {
      sums.set(key(currency, bucket), (sums.get(key(currency, bucket)) ?? 0) + amount);
    },
    of: (currency: string, bucket: string) => sums.get(key(currency, bucket)) ?? 0,
  };
}
type Sums = ReturnType<typeof createSums>;

type Compare = (
  code: ProblemCode,
  currency: string,
  bucket: string,
  amounts: readonly [expected: number, found: number],
  text: (expected: string, found: string) => string,
) => Problem[];

const compare: Compare = (code, currency, bucket, [expected, found], text) => {
  if (expected === found) return [];
  const [wanted, there] = [expected, found].map((amount) => formatMoney(amount, currency));
  return [{ ...NONE, code, currency, bucket, expected, found, text: text(wanted ?? "", there ?? "") }];
};

/** The sums in a row of `Owed`. */
const OWED = [...SUMMED, "pending"] as const;
type Sum = (typeof OWED)[number];

/** For each bucket, where its expected amount comes from, as the beginning of a sentence. */
const SOURCES: Readonly<Record<Exclude<Bucket, "world">, string>> = {
  available: "Payments, refunds, payouts and MED cases leave",
  pending: "Money that waits for its release adds up to",
  retained: "Open MED cases hold",
  review: "Payments that are held for review add up to",
  clearing: "Refunds and payouts on their way add up to",
  provider_fees: "The provider's fees add up to",
  platform_fees: "The platform's fees add up to",
};

function bucketProblems(rows: readonly Owed[], entries: Sums, currencies: ReadonlySet<string>): Problem[] {
  const owed = createSums();
  for (const row of rows) for (const name of OWED) owed.add(row.currency, name, row[name]);
  return [...new Set([...currencies, ...rows.map(({ currency }) => currency)])].flatMap((currency) => {
    const sums = Object.fromEntries(OWED.map((name) => [name, owed.of(currency, name)])) as Record<Sum, number>;
    const expected = { ...sums, available: sums.wallet - sums.pending };
    return (Object.keys(SOURCES) as (keyof typeof SOURCES)[]).flatMap((bucket) =>
      compare(
        "bucket_differs",
        currency,
        bucket,
        [expected[bucket], entries.of(currency, bucket)],
        (wanted, there) => `${SOURCES[bucket]} ${wanted}; the ledger has ${there} in ${bucket}.`,
      ),
    );
  });
}

/** Compares the answers of `GET /v1/wallets` and `GET /v1/wallets/balance` with the entries. */
function walletProblems(reader: Reader, bookId: number, entries: Sums, currencies: ReadonlySet<string>): Problem[] {
  const wallets = walletsOf(reader, bookId);
  const full = fullBalance(reader, bookId);
  const answered = createSums();
  for (const { currency, available, pending } of full.balances ?? []) {
    answered.add(currency, "available", available);
    answered.add(currency, "pending", pending);
    answered.add(currency, "retained", wallets.get(currency)?.retained ?? 0);
  }
  return [...new Set([...currencies, ...wallets.keys()])].flatMap((currency) =>
    (["available", "pending", "retained"] as const).flatMap((bucket) =>
      compare(
        "wallet_differs",
        currency,
        bucket,
        [entries.of(currency, bucket), answered.of(currency, bucket)],
        (wanted, there) => `The wallet is answered with ${there} as ${bucket}; the entries sum to ${wanted}.`,
      ),
    ),
  );
}

async function balanceProblems(
  reader: Reader,
  bookId: number,
  entrySums: readonly EntrySum[],
  pause: Pause,
): Promise<Problem[]> {
  const currencies = new Set<string>();
  const owed = await reader.ledger.owed(pause, bookId);
  const [entries, balances] = [entrySums, reader.ledger.balances(bookId)].map((rows) => {
    const sums = createSums();
    for (const { currency, bucket, balance } of rows) {
      currencies.add(currency);
      sums.add(currency, bucket, balance);
    }
    return sums;
  }) as [Sums, Sums];
  const differing = [...currencies].flatMap((currency) =>
    BUCKETS.flatMap((bucket) =>
      compare(
        "balance_differs",
        currency,
        bucket,
        [entries.of(currency, bucket), balances.of(currency, bucket)],
        (wanted, there) => `The balance of ${bucket} is ${there}; its entries sum to ${wanted}.`,
      ),
    ),
  );
  return [
    ...differing,
    ...bucketProblems(owed, entries, currencies),
    ...walletProblems(reader, bookId, entries, currencies),
  ];
}

const NAMES: Readonly<Record<Summed, string>> = {
  wallet: "the wallet",
  review: "review",
  clearing: "clearing",
  retained: "retained",
  provider_fees: "the provider's fees",
  platform_fees: "the platform's fees",
};

async function objectProblems(reader: Reader, bookId: number, pause: Pause): Promise<Problem[]> {
  const tables = await reader.ledger.differingObjects(pause, bookId, SHOWN);
  const differing = tables.flatMap((rows) => {
    const problems = rows.flatMap((row) =>
      SUMMED.flatMap((bucket) =>
        compare(
          "object_differs",
          row.currency,
          bucket,
          [row[`owed_${bucket}`] ?? 0, row[`found_${bucket}`] ?? 0],
          (wanted, there) =>
            `By its own record ${row.reference} puts ${wanted} into ${NAMES[bucket]}; its journals put ${there} there.`,
        ).map((problem) => ({ ...problem, reference: row.reference })),
      ),
    );
    return withRest(problems, "object_differs", rows.length, rows[0]?.total ?? 0);
  });
  const refunded = await reader.ledger.refundedAmounts(pause, bookId, SHOWN);
  const wrong = refunded.flatMap(({ reference, currency, expected, found }) =>
    compare(
      "refunded_differs",
      currency,
      "refunded",
      [expected, found],
      (wanted, there) => `${reference} says that ${there} of it was refunded; its refunds add up to ${wanted}.`,
    ).map((problem) => ({ ...problem, bucket: null, reference })),
  );
  return [...differing, ...withRest(wrong, "refunded_differs", refunded.length, refunded[0]?.total ?? 0)];
}

/**
 * Checks all money of a book. The database does the sums, so a million payments take seconds. `pause` comes between its
 * many queries; the reader must show the same contents in all of them.
 */
export async function checkLedger(reader: Reader, bookId: number, pause: Pause): Promise<LedgerCheck> {
  const entrySums = await reader.ledger.entrySums(pause, bookId);
  const problems = [
    ...(await journalProblems(reader, bookId, pause)),
    ...(await balanceProblems(reader, bookId, entrySums, pause)),
    ...(await objectProblems(reader, bookId, pause)),
  ];
  const entries = entrySums.reduce((sum, row) => sum + row.entries, 0);
  return { ok: problems.length === 0, journals: reader.ledger.countJournals(bookId), entries, problems };
}
