import * as z from "zod";
import { cursorError, cursorPage, PAGE_QUERY, page } from "../../../../base/kernel/cursor-page.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { Currency, IsoInstant, idFilter, NoQuery } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { checkLedger, LedgerCheck } from "../check.js";
import { BUCKETS } from "../entries.js";
import { toJournal } from "../resource.js";

/** The ledger behind the wallets: every movement of money, and a check that all of it adds up. */

const Journal = z
  .object({
    id: z.string(),
    at: IsoInstant,
    kind: z.string().describe("What moved the money, such as settlement or refund_reserve"),
    reference: z.string().describe("Id of the charge, payment, refund, payout or MED case"),
    entries: z.array(
      z.object({
        currency: z.string(),
        bucket: z.enum(BUCKETS),
        amount: z.int().describe("Smallest unit; negative takes from the bucket"),
      }),
    ),
  })
  .meta({ id: "Journal" });

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
  route: "GET /_sandbox/ledger/journals",
  summary: "List the movements of money",
  description:
    "Lists the journals of the key's account and mode, newest first. A journal is one movement of money: entries of " +
    "one currency that sum to zero. A charge has journals of its own; those of its refunds and MED cases are under " +
    "their ids. An unknown parameter, a bad value and a `reference` that is no id are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    reference: Reference.optional().describe("Id of the charge, payment, refund, payout or MED case"),
    currency: Currency.optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(Journal) },
  cli: {
    examples: ["qa-pay sandbox ledger list --reference ch_0198…", "qa-pay sandbox ledger list --currency EUR --json"],
    columns: "at, id as Journal, kind, reference as Of, entries",
  },
}).read(({ caller, query }, { ledger }) => {
  const { limit, after, reference, currency } = query;
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw cursorError();
  const before = after === undefined ? undefined : Number(after);
  const rows = ledger.journals({ book: caller.bookId, reference, currency, before }, limit + 1);
  return cursorPage(rows, limit, (row) => toJournal(row, ledger));
});

export const ledgerBalances = defineOperation({
  id: "sandbox.ledger.balances",
  route: "GET /_sandbox/ledger/balances",
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
            balance: z.int().describe("Smallest unit; may be negative"),
          })
          .meta({ id: "BucketBalance" }),
      ),
    }),
  },
  cli: {
    columns: "currency, bucket, balance",
  },
}).read(({ caller }, reader) => ({ data: reader.ledger.balances(caller.bookId) }));

/** The maximum of problems that a person sees. */
const SENTENCES = 10;

export const ledgerCheck = defineOperation({
  id: "sandbox.ledger.check",
  route: "GET /_sandbox/ledger/check",
  summary: "Check that all money adds up",
  description:
    "Checks the ledger of the key's account and mode against everything else that is stored: journals sum to zero, " +
    "balances and wallets equal their entries, buckets hold what payments, refunds, payouts, MED cases and releases " +
    "add up to, and each of these agrees with its own journals. At most 20 problems of a kind are named. It changes " +
    "nothing. On a database of 200,000 payments it takes about a second, and other requests wait for it.",
  query: z.strictObject({}),
  success: {
    status: 200,
    description: "Whether it adds up, and what does not",
    schema: LedgerCheck,
  },
  timeoutMs: 120_000,
  cli: {
    examples: ["qa-pay sandbox ledger check", "qa-pay sandbox ledger check --json"],
    columns: [
      "ok as All adds up, journals, entries",
      ...Array.from({ length: SENTENCES }, (_, index) => `problems.${index}.text as Problem ${index + 1}`),
    ],
  },
}).read(({ caller }, reader) => checkLedger(reader, caller.bookId));
