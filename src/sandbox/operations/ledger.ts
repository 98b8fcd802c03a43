import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import { PROBLEM_CODES } from "../../features/wallets/check.js";
import { BUCKETS } from "../../features/wallets/entries.js";
import { toJournal } from "../../features/wallets/wire.js";
import { fieldError } from "../../kernel/errors.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { Currency, IsoInstant, idFilter, NoQuery, page, queryInteger } from "../../kernel/schemas.js";

/** The ledger behind the wallets: every movement of money, and a check that all of it adds up. */

const Journal = z
  .object({
    id: z.string(),
    at: IsoInstant,
    kind: z.string().meta({ description: "What moved the money, such as settlement or refund_reserve" }),
    reference: z.string().meta({ description: "Id of the charge, payment, refund, payout or MED case" }),
    entries: z.array(
      z.object({
        currency: z.string(),
        bucket: z.enum(BUCKETS),
        amount: z.int().meta({ description: "Smallest unit; negative takes from the bucket" }),
      }),
    ),
  })
  .meta({ id: "Journal" });

/** The ids of objects that a journal can belong to. */
const Reference = idFilter(
  "a charge, payment, refund, payout or MED case",
  ID_PREFIX.charge,
  ID_PREFIX.transaction,
  ID_PREFIX.refund,
  ID_PREFIX.payout,
  ID_PREFIX.medCase,
  "",
);

export const ledgerJournals = defineOperation({
  id: "sandbox.ledger.list",
  method: "GET",
  path: "/_sandbox/ledger/journals",
  auth: "key",
  surface: "sandbox",
  summary: "List the movements of money",
  description:
    "Lists the journals of the key's account and mode, newest first. A journal is one movement of money: entries of " +
    "one currency that sum to zero. A charge has journals of its own; those of its refunds and MED cases are under " +
    "their ids. An unknown parameter, a bad value and a `reference` that is no id are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    reference: Reference.optional().meta({ description: "Id of the charge, payment, refund, payout or MED case" }),
    currency: Currency.optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(Journal) },
  errors: [],
  cli: {
    command: "sandbox ledger list",
    examples: ["qa-pay sandbox ledger list --reference ch_0198…", "qa-pay sandbox ledger list --currency EUR --json"],
    rows: "data",
    columns: [
      { header: "At", path: "at", format: "time" },
      { header: "Journal", path: "id" },
      { header: "Kind", path: "kind" },
      { header: "Of", path: "reference" },
      { header: "Entries", path: "entries", format: "entries" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { limit, after, reference, currency } = query;
  if (after !== undefined && !/^\d{1,15}$/.test(after)) {
    throw fieldError("after", "must be the next_cursor of a page before");
  }
  const before = after === undefined ? undefined : Number(after);
  const rows = reader.ledger.journals({ book: caller.bookId, before, reference, currency }, limit + 1);
  const shown = rows.slice(0, limit).map((row) => toJournal(row, reader.ledger));
  const more = rows.length > limit;
  return { data: shown, has_more: more, next_cursor: more ? (shown.at(-1)?.id ?? null) : null };
});

export const ledgerBalances = defineOperation({
  id: "sandbox.ledger.balances",
  method: "GET",
  path: "/_sandbox/ledger/balances",
  auth: "key",
  surface: "sandbox",
  summary: "Show what is in every bucket of the ledger",
  description:
    "Answers what each bucket holds in each currency of the key's account and mode, those outside the wallet included. " +
    "The buckets of one currency sum to zero. It changes nothing, takes no parameter and refuses any.",
  query: NoQuery,
  success: {
    status: 200,
    description: "One entry for each currency and bucket that ever had money",
    schema: z.object({
      data: z.array(
        z
          .object({
            currency: z.string(),
            bucket: z.enum(BUCKETS),
            balance: z.int().meta({ description: "Smallest unit; may be negative" }),
          })
          .meta({ id: "BucketBalance" }),
      ),
    }),
  },
  errors: [],
  cli: {
    command: "sandbox ledger balances",
    examples: ["qa-pay sandbox ledger balances"],
    rows: "data",
    columns: [
      { header: "Currency", path: "currency" },
      { header: "Bucket", path: "bucket" },
      { header: "Balance", path: "balance", format: "money" },
    ],
  },
}).read(({ caller }, reader) => ({ data: reader.ledger.balances(caller.bookId) }));

const LedgerProblem = z
  .object({
    code: z.enum(PROBLEM_CODES),
    journal: z.string().nullable().meta({ description: "Id of the journal" }),
    reference: z.string().nullable().meta({ description: "Id of the charge, payment, refund, payout or MED case" }),
    currency: z.string().nullable(),
    bucket: z.string().nullable(),
    expected: z.int().nullable().meta({ description: "Smallest unit" }),
    found: z.int().nullable().meta({ description: "Smallest unit" }),
    text: z.string(),
  })
  .meta({ id: "LedgerProblem" });

/** How many problems a person sees. */
const TOLD = 10;

export const ledgerCheck = defineOperation({
  id: "sandbox.ledger.check",
  method: "GET",
  path: "/_sandbox/ledger/check",
  auth: "key",
  surface: "sandbox",
  summary: "Check that all money adds up",
  description:
    "Checks the ledger of the key's account and mode against everything else that is stored: journals sum to zero, " +
    "balances and wallets equal their entries, buckets hold what payments, refunds, payouts, MED cases and releases " +
    "add up to, and each of these agrees with its own journals. At most 20 problems of a kind are named. It changes " +
    "nothing. On a database of a million payments it takes seconds. The server answers other requests meanwhile, and " +
    "the check is about the contents at its beginning.",
  query: z.strictObject({}),
  success: {
    status: 200,
    description: "Whether it adds up, and what does not",
    schema: z.object({ ok: z.boolean(), journals: z.int(), entries: z.int(), problems: z.array(LedgerProblem) }),
  },
  errors: [],
  cli: {
    command: "sandbox ledger check",
    examples: ["qa-pay sandbox ledger check", "qa-pay sandbox ledger check --json"],
    columns: [
      { header: "All adds up", path: "ok" },
      { header: "Journals", path: "journals" },
      { header: "Entries", path: "entries" },
      ...Array.from({ length: TOLD }, (_, index) => ({
        header: `Problem ${index + 1}`,
        path: `problems.${index}.text`,
      })),
    ],
    verdict: "ok",
    timeoutMs: 120_000,
  },
}).control(async ({ caller }, controls) => {
  const { problems, ...checked } = await controls.checkLedger(caller.bookId);
  return { ...checked, problems: [...problems] };
});
