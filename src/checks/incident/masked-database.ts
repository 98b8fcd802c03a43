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

/** Returns the secrets that sign, or signed, the webhooks of a database. */
function signingSecrets(db: Db): string[] {
  return lister<{ secret: string }>(db, SECRETS)().map(({ secret }) => secret);
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
 * it, and its clock stands. `known` are further secrets to hide in texts. Returns all secrets that were hidden.
 */
export function writeMaskedDatabase({ source, target, real }: Copy, known: readonly string[]): string[] {
  const { db, close } = openDatabase(source);
  try {
    const secrets = [...new Set([...known, ...signingSecrets(db)])];
    const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, NO_SECRET), text);
    db.exec("BEGIN");
    stopClock(db, real);
    db.exec(EMPTIED);
    disarm(db, NO_SECRET);
    for (const table of Object.keys(MASKED)) maskTable(db, table, hide);
    db.exec("COMMIT");
    // Deleted and overwritten values would still be in the old pages.
    runner(db, "VACUUM INTO ?")(target);
    return secrets;
  } finally {
    close();
  }
}
