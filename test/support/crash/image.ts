import type Database from "better-sqlite3";
import { clockOf } from "../invariants/records.js";
import { type Details, type Found, PUBLIC_STATUS } from "./worlds.js";

/**
 * The contents of a database, by the names that clients gave to their objects. The service stores each name unchanged in a
 * field. A client knows the name before the answer comes, so the name shows whether a lost request was carried out.
 */

interface Row {
  readonly object: string;
  readonly status: string;
  readonly [detail: string]: string | number | null;
}

const STATUS = `CASE status ${Object.entries(PUBLIC_STATUS)
  .map(([stored, shown]) => `WHEN '${stored}' THEN '${shown}'`)
  .join(" ")} END`;

/** The part of a webhook address that names its endpoint, as `hookUrl` writes it. */
const HOOK = "SUBSTR(url, INSTR(url, '/webhooks/') + 10)";
export const HOOK_NAME = `SUBSTR(${HOOK} || '?', 1, INSTR(${HOOK} || '?', '?') - 1)`;

export function hookUrl(receiver: string, name: string, version = 0): string {
  return `${receiver}/${name}${version === 0 ? "" : `?${version}`}`;
}

const OBJECTS: readonly string[] = [
  `SELECT 'transaction ' || json_extract(metadata, '$.key') AS object, ${STATUS} AS status, id, amount, currency,
          end_to_end_id FROM transactions`,
  `SELECT CASE WHEN reason IN ('payer_document_mismatch', 'review_rejected') THEN 'return ' || id
          ELSE 'refund ' || reason END AS object, status, id, amount, end_to_end_id FROM refunds`,
  `SELECT 'payout ' || SUBSTR(pix_key, 1, INSTR(pix_key, '@') - 1) AS object, status, id, amount, end_to_end_id FROM payouts`,
  `SELECT CASE WHEN reason IS NULL THEN 'case of ' || transaction_id || ' ' || id ELSE 'case ' || reason END AS object,
          status, id, amount FROM med_cases`,
  `SELECT 'evidence ' || file_name AS object, id, file_size,
          CASE WHEN uploaded_at IS NOT NULL THEN 'confirmed' WHEN stored_size IS NOT NULL THEN 'uploaded'
               ELSE 'announced' END AS status FROM med_evidence`,
  `SELECT 'endpoint ' || ${HOOK_NAME} AS object, id, CASE WHEN deleted_at IS NULL THEN 'there' ELSE 'deleted' END AS status
     FROM endpoints WHERE private = 0`,
  `SELECT 'key ' || label AS object, id, CASE WHEN revoked_at IS NULL THEN 'works' ELSE 'revoked' END AS status
     FROM api_keys WHERE label IS NOT NULL`,
  `SELECT 'audit ' || action || ' ' || k.label AS object, 'there' AS status FROM audit a JOIN api_keys k ON k.id = a.key_id`,
  "SELECT 'token ' || jti AS object, 'out' AS status FROM revoked_tokens",
  `SELECT 'account ' || name AS object, 'there' AS status, id FROM accounts WHERE name LIKE 'crash-%'`,
];

const SETTINGS = `
  SELECT 'endpoint ' || ${HOOK_NAME} || ' url' AS name, url AS value FROM endpoints WHERE private = 0 AND deleted_at IS NULL
  UNION ALL SELECT 'endpoint ' || ${HOOK_NAME} || ' events', events FROM endpoints WHERE private = 0 AND deleted_at IS NULL
  UNION ALL SELECT 'endpoint ' || ${HOOK_NAME} || ' status', status FROM endpoints WHERE private = 0 AND deleted_at IS NULL
  UNION ALL SELECT 'endpoint ' || ${HOOK_NAME} || ' secret', secret FROM endpoints WHERE private = 0 AND deleted_at IS NULL
  UNION ALL SELECT CASE name WHEN 'clock' THEN 'clock state' ELSE 'database ' || name END, value FROM settings
   -- What a snapshot holds is written into its own file only.
   WHERE name <> 'snapshot'`;

/** Event names as a setting is compared: in the order of the alphabet. */
export function packedEvents(names: readonly string[]): string {
  return [...names].sort().join(",");
}

/** Tables whose rows only a reset or a restore removes. */
const LASTING = ["events", "deliveries", "ledger_journals", "emails", "audit", "transactions"];

export interface Image extends Found {
  /** Names that more than one object has: the objects of a repeated create. */
  readonly twice: readonly string[];
}

/** Usable only while the database is open. */
export function imageOf(db: Database.Database): Image {
  const objects = new Map<string, { status: string; details: Details }>();
  const twice: string[] = [];
  for (const query of OBJECTS) {
    for (const { object, status, ...details } of db.prepare(query).iterate() as Iterable<Row>) {
      const name = object ?? `one without a name: ${JSON.stringify(details)}`;
      if (objects.has(name)) twice.push(name);
      objects.set(name, { status, details });
    }
  }
  const rows = db.prepare(SETTINGS).all() as { name: string; value: string }[];
  const settings = new Map(
    rows.map(({ name, value }) => [
      name,
      name.endsWith(" events") ? packedEvents(value.split(",").filter(Boolean)) : value,
    ]),
  );
  const { now, frozen } = clockOf(db);
  settings.set("clock frozen", String(frozen));
  const newest = LASTING.flatMap((table): [string, string][] => {
    const id = db.prepare(`SELECT id FROM ${table} ORDER BY rowid DESC LIMIT 1`).pluck().get();
    return id === undefined ? [] : [[table, String(id)]];
  });
  const has = (table: string, id: string) => db.prepare(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== undefined;
  return { objects, settings, now, newest, has, twice };
}
