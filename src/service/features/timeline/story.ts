import { type Db, lister, type SqlValue } from "../../../base/db/driver.js";
import { mergeParts } from "../../../base/kernel/merge-parts.js";
import { NOUNS } from "../index.js";
import type { readStory } from "./sources.js";

/** The rows of a charge as stored in the database, for a file that recreates the charge elsewhere. */

export type StoryRow = Readonly<Record<string, string | number | null>>;
export type StoryRows = Readonly<Record<string, readonly StoryRow[]>>;

/** Replaces the secrets of an account and of endpoints. */
export const NO_SECRET = "0".repeat(64);

/** The values that conditions name: lists are JSON texts. */
interface ConditionValues {
  readonly book: number;
  readonly transaction: string;
  readonly ids: string;
  readonly history: string;
  readonly events: string;
  readonly deliveries: string;
}

type Part = readonly [table: string, condition: string, given: keyof ConditionValues, columns?: string];

const IN = "IN (SELECT value FROM json_each(?))";
const JOURNALS = `FROM ledger_journals WHERE reference ${IN}`;

/** Columns that no story has: the contents of files, and secrets that sign nothing any more. */
const LEFT_OUT: readonly string[] = ["content", "previous_secret"];

/** The columns of a table that a story includes. */
export const storyColumns = (columns: object): string[] =>
  Object.keys(columns).filter((column) => !LEFT_OUT.includes(column));

const TABLES: Readonly<Record<string, object>> = mergeParts(NOUNS.map(({ tables }) => tables));
const includedOf = (table: string) => storyColumns(TABLES[table] ?? {}).join();

/** Each table with its rows of a charge. API keys, users and the secrets that sign addresses are left out. */
const PARTS: readonly Part[] = [
  ["accounts", "id = (SELECT account_id FROM books WHERE id = ?)", "book"],
  ["books", "account_id = (SELECT account_id FROM books WHERE id = ?)", "book"],
  ["transactions", "id = ?", "transaction"],
  ["refunds", "transaction_id = ?", "transaction"],
  ["med_cases", "transaction_id = ?", "transaction"],
  ["med_evidence", `case_id ${IN}`, "ids", includedOf("med_evidence")],
  ["history", `seq ${IN}`, "history"],
  ["ledger_journals", `reference ${IN}`, "ids"],
  ["ledger_entries", `journal_id IN (SELECT id ${JOURNALS})`, "ids"],
  ["tranches", "transaction_id = ? AND released_at IS NULL", "transaction"],
  ["jobs", `subject ${IN}`, "ids"],
  ["events", `seq ${IN}`, "events"],
  ["endpoints", `seq IN (SELECT endpoint_seq FROM deliveries WHERE seq ${IN})`, "deliveries", includedOf("endpoints")],
  ["deliveries", `seq ${IN}`, "deliveries"],
  ["delivery_attempts", `delivery_seq ${IN}`, "deliveries"],
  ["emails", `case_id ${IN}`, "ids"],
];

/** In an order in which each table follows those that it refers to. */
export const STORY_TABLES: readonly string[] = PARTS.map(([table]) => table);

/** Every secret that signs webhooks of an account, or signed them before a rotation. */
const SECRETS = `WITH own AS (SELECT id, account_id FROM books WHERE account_id = (SELECT account_id FROM books WHERE id = ?))
  SELECT signing_secret AS secret FROM accounts WHERE id IN (SELECT account_id FROM own)
  UNION SELECT secret FROM endpoints WHERE book_id IN (SELECT id FROM own)
  UNION SELECT previous_secret FROM endpoints WHERE previous_secret IS NOT NULL AND book_id IN (SELECT id FROM own)`;

/**
 * Returns a function that removes an account's secrets from a text: merchants and receivers may write them anywhere.
 */
function secretRemover(db: Db, bookId: number): (text: string) => string {
  const secrets = lister<{ secret: string }>(db, SECRETS)(bookId).map(({ secret }) => secret);
  const pattern = new RegExp(secrets.join("|"), "gi");
  return (text) => text.replace(pattern, NO_SECRET);
}

/** Reads the rows of the charge in the sources. Secrets are left out, in the lines of the summary too. */
export function storyOf(db: Db, bookId: number, sources: Sources, summary: readonly string[]) {
  const withoutSecrets = secretRemover(db, bookId);
  const clean = (row: StoryRow): StoryRow =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, typeof value === "string" ? withoutSecrets(value) : value]),
    );
  const rows = storyRows(db, bookId, sources).map(([table, all]) => [table, all.map(clean)] as const);
  return { summary: summary.map(withoutSecrets), rows: Object.fromEntries(rows) };
}

function storyRows(db: Db, bookId: number, sources: Sources) {
  const { payment, objects, history, clock, events, journals, deliveries } = sources;
  const all = <Row>(sql: string, value: SqlValue) => lister<Row>(db, sql)(value);
  const own = objects.map(({ id }) => id);
  const tranches = all<{ id: number }>(
    "SELECT id FROM tranches WHERE transaction_id = ? AND released_at IS NULL",
    payment,
  );
  const places = [...history, ...clock].map(({ seq }) => seq);
  const given: ConditionValues = {
    book: bookId,
    transaction: payment,
    // The release of held money is work about a row of `tranches`.
    ids: JSON.stringify([...own, ...tranches.map(({ id }) => String(id))]),
    history: JSON.stringify([...places, ...journals.map(({ history_seq }) => history_seq)]),
    events: JSON.stringify(events.map(({ seq }) => seq)),
    deliveries: JSON.stringify(deliveries.map(({ seq }) => seq)),
  };
  const read = ([table, condition, name, columns = "*"]: Part): [string, StoryRow[]] => [
    table,
    all<StoryRow>(`SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY 1`, given[name]),
  ];
  return PARTS.map(read);
}

type Sources = Pick<
  ReturnType<typeof readStory>,
  "payment" | "objects" | "history" | "clock" | "events" | "journals" | "deliveries"
>;
