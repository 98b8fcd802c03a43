import { type Db, lister, runner, type SqlValue } from "../../base/db/driver.js";
import { openDatabase } from "../../base/db/open.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { readContents, readStoredNow } from "../../emulator/snapshots/contents.js";
import { disarm } from "../../emulator/snapshots/disarm.js";
import { NO_SECRET, type StoryRow } from "../../service/features/timeline/story.js";
import { MASKED, withoutKeys } from "./mask.js";

/** Writes a database without keys and secrets, for people who may read what happened and nothing more. */

/** What only a running service needs: who may use it, and the secrets that sign addresses and tokens. */
const EMPTIED = `DELETE FROM api_keys; DELETE FROM users; DELETE FROM idempotency_keys;
  DELETE FROM settings WHERE name <> 'clock'`;

/** Nothing falls due when somebody opens the database days later: its clock stands at the instant when it was saved. */
function stopClock(db: Db, real: Pick<RealTime, "epoch">): void {
  const at = readContents(db)?.now ?? readStoredNow(db, real.epoch());
  runner(db, "UPDATE settings SET value = json_set(value, '$.frozenAt', ?, '$.shown', ?) WHERE name = 'clock'")(at, at);
}

const SECRETS = `SELECT signing_secret AS secret FROM accounts UNION SELECT secret FROM endpoints
  UNION SELECT previous_secret FROM endpoints WHERE previous_secret IS NOT NULL`;

/** Puts `mark` in place of every secret in a text. */
export type HideSecrets = (text: string, mark: string) => string;

/** As the service makes the token of a checkout page. */
const TOKEN = /(?<![\w-])[\w-]{24}(?![\w-])/g;

/**
 * Returns the function that hides `known` secrets, those that sign or signed the webhooks of a database, and the tokens that open the
 * checkout pages of its charges. A database has many tokens, so they are found by their form.
 */
function hidingSecretsOf(db: Db, known: readonly string[]): HideSecrets {
  const signing = lister<{ secret: string }>(db, SECRETS)().map(({ secret }) => secret);
  const secrets = [...new Set([...known, ...signing])];
  const tokens = new Set(
    lister<{ token: string }>(db, "SELECT checkout_token AS token FROM transactions")().map(({ token }) => token),
  );
  return (text, mark) =>
    secrets
      .reduce((left, secret) => left.replaceAll(secret, mark), text)
      .replace(TOKEN, (word) => (tokens.has(word) ? mark : word));
}

const BATCH = 1_000;

/** Changes the texts of a table that hold a key or a secret: a merchant or a receiver may write one anywhere. */
function maskTable(db: Db, table: string, hide: (text: string) => string): void {
  const columns = Object.keys(MASKED[table] ?? {});
  const keys = lister<{ name: string }>(db, "SELECT name FROM pragma_table_info(?) WHERE pk > 0")(table);
  const order = keys.map(({ name }) => name).join();
  const read = lister<StoryRow>(db, `SELECT * FROM ${table} ORDER BY ${order} LIMIT ${BATCH} OFFSET ?`);
  const change = runner(
    db,
    `UPDATE ${table} SET ${columns.map((name) => `${name} = ?`).join()}
      WHERE ${keys.map(({ name }) => `${name} = ?`).join(" AND ")}`,
  );
  for (let offset = 0; ; offset += BATCH) {
    const rows = read(offset);
    const masked = withoutKeys({ rows: { [table]: rows }, summary: [] }).rows[table] ?? [];
    rows.forEach((row, index) => {
      const clean = columns.map((name): SqlValue => {
        const value = masked[index]?.[name] ?? null;
        return typeof value === "string" ? hide(value) : value;
      });
      const isChanged = columns.some((name, at) => row[name] !== clean[at]);
      if (isChanged) change(...clean, ...keys.map(({ name }): SqlValue => row[name] ?? null));
    });
    if (rows.length < BATCH) return;
  }
}

interface Copy {
  /** The file of a snapshot. It is changed too. */
  readonly source: string;
  /** A file that is not there yet. */
  readonly target: string;
  readonly real: Pick<RealTime, "epoch">;
}

/**
 * Writes the contents of a database into a new one, without API keys, users and secrets. Nothing is ever sent to the addresses in
 * it, and its clock stands. `known` are further secrets to hide in texts. Returns the function that hides all of them.
 */
export function writeMaskedDatabase({ source, target, real }: Copy, known: readonly string[]): HideSecrets {
  const { db, close } = openDatabase(source);
  try {
    const hide = hidingSecretsOf(db, known);
    db.exec("BEGIN");
    stopClock(db, real);
    db.exec(EMPTIED);
    disarm(db, NO_SECRET);
    for (const table of Object.keys(MASKED)) maskTable(db, table, (text) => hide(text, NO_SECRET));
    db.exec("COMMIT");
    // Deleted and overwritten values would still be in the old pages.
    runner(db, "VACUUM INTO ?")(target);
    return hide;
  } finally {
    close();
  }
}
