import { type Columns, oneOf, optional, whole, words } from "../../../base/db/columns/rule.js";
import { book, count, currency, day, hiddenSum, key, sum } from "../../../base/db/columns/values.js";
import { MAX_INSTANT } from "../../../base/kernel/time.js";
import { ACCOUNT, API_KEY, BOOK } from "../../../service/features/access/store.js";
import { AUDIT, REVOKED_TOKEN, USER } from "../../../service/features/access/user-store.js";
import { EMAIL } from "../../../service/features/emails/store.js";
import { HISTORY } from "../../../service/features/history/store.js";
import { IDEMPOTENCY_KEY } from "../../../service/features/idempotency.js";
import { isPayload } from "../../../service/features/jobs/kinds.js";
import { JOB } from "../../../service/features/jobs/store.js";
import { MAX_EVIDENCE_BYTES } from "../../../service/features/med/evidence-limits.js";
import { EVIDENCE, MED_CASE } from "../../../service/features/med/store.js";
import { PAYOUT } from "../../../service/features/payouts/store.js";
import { REFUND } from "../../../service/features/refunds/store.js";
import { METHOD_NAMES } from "../../../service/features/transactions/catalogue.js";
import { TRANSACTION } from "../../../service/features/transactions/store.js";
import { BUCKETS } from "../../../service/features/wallets/entries.js";
import { ENTRY, JOURNAL, TRANCHE } from "../../../service/features/wallets/store.js";
import { ATTEMPT } from "../../../service/features/webhooks/attempt-store.js";
import { DELIVERY, ENDPOINT, EVENT } from "../../../service/features/webhooks/store.js";
import { SETTINGS } from "./settings.js";

/** The values that the product writes into a table. */
export interface TableRules {
  readonly columns: Columns;
  /** A rule for two texts of a row together. */
  readonly pair?: { readonly of: readonly [string, string]; fits(one: string, other: string): boolean };
}

const content = optional({
  sql: (column: string) => `typeof(${column}) = 'blob' AND length(${column}) <= ${MAX_EVIDENCE_BYTES}`,
});

/** The columns of each table of the newest schema. Those with a store of their own are declared there. */
const TABLES: Readonly<Record<string, Columns>> = {
  settings: { name: oneOf(Object.keys(SETTINGS)), value: words },
  accounts: ACCOUNT,
  books: { id: key, ...BOOK },
  api_keys: API_KEY,
  users: USER,
  revoked_tokens: REVOKED_TOKEN,
  audit: { seq: key, ...AUDIT },
  transactions: { seq: key, ...TRANSACTION },
  refunds: { seq: key, ...REFUND },
  payouts: { seq: key, ...PAYOUT },
  idempotency_keys: IDEMPOTENCY_KEY,
  med_cases: { seq: key, ...MED_CASE },
  med_evidence: { seq: key, ...EVIDENCE, content },
  emails: EMAIL,
  ledger_journals: { id: key, ...JOURNAL },
  ledger_entries: { id: key, ...ENTRY },
  ledger_balances: { book_id: book, currency, bucket: oneOf(BUCKETS), balance: sum },
  tranches: TRANCHE,
  daily_figures: {
    book_id: book,
    day,
    status: TRANSACTION.status,
    currency,
    method: oneOf(["", ...METHOD_NAMES]),
    count,
    // Charges that nobody has paid may add up to more than is ever shown.
    gross: hiddenSum,
    fees: sum,
    refunded: sum,
  },
  payment_times: {
    book_id: book,
    span: whole(1, 32),
    start: whole(-32, MAX_INSTANT),
    currency,
    seconds: count,
    count,
  },
  history: { seq: key, ...HISTORY },
  jobs: JOB,
  events: { seq: key, ...EVENT },
  endpoints: ENDPOINT,
  deliveries: DELIVERY,
  delivery_attempts: ATTEMPT,
};

const PAIRS: Readonly<Record<string, TableRules["pair"]>> = {
  settings: { of: ["name", "value"], fits: (name, value) => SETTINGS[name]?.(value) === true },
  jobs: { of: ["kind", "payload"], fits: isPayload },
};

/** The rules of each table (docs/decisions/073-files-nobody-vouches-for.md), without foreign keys. */
export const ROW_RULES: Readonly<Record<string, TableRules>> = Object.fromEntries(
  Object.entries(TABLES).map(([table, columns]) => [table, { columns, ...(PAIRS[table] && { pair: PAIRS[table] }) }]),
);
