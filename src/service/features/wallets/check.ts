import * as z from "zod";
import { fill, type Params } from "../../../base/kernel/message.js";
import { byName, namesOf } from "../../../base/kernel/names.js";
import { SUMMED, type Summed } from "../money-objects.js";
import { MORE_PROBLEMS, PROBLEM_TEXTS, type ProblemCode } from "../service-texts.js";
import type { Reader } from "../tx.js";
import { BUCKETS, type Bucket } from "./entries.js";
import { createSums, type Sums } from "./ledger-objects.js";
import { fullBalance, walletsOf } from "./resource.js";

/** Compares the ledger of a book with all other stored data about money. It changes nothing. */

const LedgerProblem = z
  .object({
    code: z.enum(namesOf(PROBLEM_TEXTS)).describe("Which sentence the text is; the other members stand in it"),
    journal: z.string().nullable().describe("Id of the journal"),
    reference: z.string().nullable().describe("Id of the charge, payment, refund, payout or MED case"),
    currency: z.string().nullable(),
    bucket: z.string().nullable(),
    expected: z.int().nullable().describe("Smallest unit"),
    found: z.int().nullable().describe("Smallest unit"),
    more: z.int().nullable().describe("How many more problems of this kind it stands for"),
    text: z.string(),
  })
  .meta({ id: "LedgerProblem" });
type Problem = z.input<typeof LedgerProblem>;

export const LedgerCheck = z.object({
  ok: z.boolean(),
  journals: z.int(),
  entries: z.int(),
  problems: z.array(LedgerProblem),
});
export type LedgerCheck = z.input<typeof LedgerCheck>;

/** The maximum of shown problems of one kind. One fault of a program may break every row. */
const SHOWN = 20;

const NONE = { journal: null, reference: null, currency: null, bucket: null, expected: null, found: null, more: null };

function problem(code: ProblemCode, about: Omit<Problem, "code" | "text">, params: Params): Problem {
  return { ...about, code, text: fill(PROBLEM_TEXTS[code], params) };
}

/** Adds a problem with the number of further problems of this kind that are not shown. */
function withRest(problems: readonly Problem[], code: ProblemCode, listed: number, total: number): Problem[] {
  if (total <= listed) return [...problems];
  const more = total - listed;
  return [...problems, { ...NONE, code, more, text: fill(MORE_PROBLEMS, { more }) }];
}

function journalProblems(reader: Reader, bookId: number): Problem[] {
  const { brokenJournals, strayJournals, strayEntries } = reader.ledger;
  const broken = brokenJournals(bookId, SHOWN);
  const stray = strayJournals(bookId, SHOWN);
  const entries = strayEntries(bookId, SHOWN);
  const brokenOnes = broken.map(({ id, kind, reference, currency, entries: count, mixed, sum }): Problem => {
    const about = { ...NONE, journal: String(id), reference, currency };
    const params = { ...about, kind, currency: currency ?? "BRL", found: BigInt(sum) };
    if (count === 0) return problem("journal_empty", about, params);
    if (mixed === 1) return problem("journal_mixed", about, params);
    return problem("journal_unbalanced", { ...about, expected: 0, found: Number(sum) }, params);
  });
  const strayOnes = stray.map(({ id, kind, reference }): Problem => {
    const about = { ...NONE, journal: String(id), reference };
    return problem("journal_unknown_reference", about, { ...about, kind });
  });
  const lostOnes = entries.map(({ id, currency, bucket, amount }): Problem => {
    const about = { ...NONE, currency, bucket, found: Number(amount) };
    return problem("entry_without_journal", about, { ...about, entry: id, found: BigInt(amount) });
  });
  return [
    ...withRest(brokenOnes, brokenOnes.at(-1)?.code ?? "journal_unbalanced", broken.length, broken[0]?.total ?? 0),
    ...withRest(strayOnes, "journal_unknown_reference", stray.length, stray[0]?.total ?? 0),
    ...withRest(lostOnes, "entry_without_journal", entries.length, entries[0]?.total ?? 0),
  ];
}

interface Compared {
  readonly currency: string;
  readonly bucket: string | null;
  readonly reference?: string;
  readonly expected: bigint;
  readonly found: bigint;
  /** The bucket's name in the sentence. */
  readonly of?: string;
}

/** A problem if two amounts differ. */
function compare(code: ProblemCode, { of, ...compared }: Compared): Problem[] {
  const { expected, found } = compared;
  if (expected === found) return [];
  const about = { ...NONE, ...compared, expected: Number(expected), found: Number(found) };
  return [problem(code, about, { ...compared, of })];
}

const OWED = [...SUMMED, "pending"] as const;

/** The source of the expected amount of each bucket, as the beginning of a sentence. */
const SOURCES: Readonly<Record<Exclude<Bucket, "world">, string>> = {
  available: "Payments, refunds, payouts and MED cases leave",
  pending: "Money that waits for its release adds up to",
  retained: "Open MED cases hold",
  review: "Payments that are held for review add up to",
  clearing: "Refunds and payouts on their way add up to",
  provider_fees: "The provider's fees add up to",
  platform_fees: "The platform's fees add up to",
};

function bucketProblems(owed: Sums, entries: Sums, currencies: ReadonlySet<string>): Problem[] {
  return [...new Set([...currencies, ...owed.currencies()])].flatMap((currency) => {
    const sums = byName(OWED, (name) => owed.of(currency, name));
    const expected = { ...sums, available: sums.wallet - sums.pending };
    return namesOf(SOURCES).flatMap((bucket) => {
      const amounts = { expected: expected[bucket], found: entries.of(currency, bucket) };
      return compare("bucket_differs", { currency, bucket, ...amounts, of: SOURCES[bucket] });
    });
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
    (["available", "pending", "retained"] as const).flatMap((bucket) => {
      const amounts = { expected: entries.of(currency, bucket), found: answered.of(currency, bucket) };
      return compare("wallet_differs", { currency, bucket, ...amounts });
    }),
  );
}

function balanceProblems(reader: Reader, bookId: number, owed: Sums, entries: Sums): Problem[] {
  const balances = createSums();
  for (const { currency, bucket, balance } of reader.ledger.exactBalances(bookId)) {
    balances.add(currency, bucket, balance);
  }
  const currencies = new Set([...entries.currencies(), ...balances.currencies()]);
  const differing = [...currencies].flatMap((currency) =>
    BUCKETS.flatMap((bucket) => {
      const amounts = { expected: entries.of(currency, bucket), found: balances.of(currency, bucket) };
      return compare("balance_differs", { currency, bucket, ...amounts });
    }),
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

function objectProblems(reader: Reader, bookId: number): Problem[] {
  const tables = reader.ledger.differingObjects(bookId, SHOWN);
  const differing = tables.flatMap((rows) => {
    const problems = rows.flatMap((row) =>
      SUMMED.flatMap((bucket) => {
        const { currency, reference } = row;
        const amounts = { expected: BigInt(row[`owed_${bucket}`] ?? 0), found: BigInt(row[`found_${bucket}`] ?? 0) };
        return compare("object_differs", { currency, bucket, reference, ...amounts, of: NAMES[bucket] });
      }),
    );
    return withRest(problems, "object_differs", rows.length, rows[0]?.total ?? 0);
  });
  const refunded = reader.ledger.refundedAmounts(bookId, SHOWN);
  const wrong = refunded.flatMap(({ reference, currency, expected, found }) => {
    const amounts = { expected: BigInt(expected), found: BigInt(found) };
    return compare("refunded_differs", { currency, bucket: null, reference, ...amounts });
  });
  return [...differing, ...withRest(wrong, "refunded_differs", refunded.length, refunded[0]?.total ?? 0)];
}

/** Checks all money of a book. */
export function checkLedger(reader: Reader, bookId: number): LedgerCheck {
  const { journals, entries } = reader.ledger.sizes(bookId) ?? { journals: 0, entries: 0 };
  const problems = [
    ...journalProblems(reader, bookId),
    ...balanceProblems(reader, bookId, reader.ledger.owedSums(bookId), reader.ledger.entrySums(bookId)),
    ...objectProblems(reader, bookId),
  ];
  return { ok: problems.length === 0, journals, entries, problems };
}
