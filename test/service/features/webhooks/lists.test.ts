import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openDatabase } from "../../../../src/base/db/open.js";
import { createStores } from "../../../../src/service/features/stores.js";
import type { DeliveryFilters } from "../../../../src/service/features/webhooks/lists.js";
import { webhookStore } from "../../../../src/service/features/webhooks/store.js";
import { type Folder, newFolder } from "../../../support/folder.js";

/** Pages of lists that are filtered. */

const COUNT = 6_000;
const BOOK = 1;
const uuid = (n: string) => `'01999999-0000-7000-8000-' || printf('%012d', ${n})`;
const id = (n: number) => `01999999-0000-7000-8000-${String(n).padStart(12, "0")}`;
/** The endpoint behind the webhook URL of payments. */
const PRIVATE = 4;
const TYPES = ["charge.paid", "charge.created", "charge.failed"] as const;
const STATUSES = ["DELIVERED", "FAILED", "CANCELLED", "PENDING", "PROCESSING"] as const;

let folder: Folder;
let database: OpenDatabase;
const rows = (sql: string) => database.db.prepare(sql).all() as Record<string, number>[];

/** Row 5 is the only one of charge.failed, row 9 the only one of endpoint 3; rows of book 2 are the newest. */
const CONTENTS = `
  INSERT INTO accounts VALUES ('acc_1', 'A', 'A', 'A', 'A', 0);
  INSERT INTO books VALUES (${BOOK}, 'acc_1', 'test'), (2, 'acc_1', 'live');
  INSERT INTO history (noun, subject, move, cause, at) VALUES ('transaction', 'x', 'create', 'service', 0);
  INSERT INTO endpoints (seq, id, book_id, url, events, secret, status, origin, private, created_at, updated_at)
  SELECT value, ${uuid("value")}, ${BOOK}, 'https://a.test/' || value, ',charge.paid,', 's', 'ACTIVE', 'api', value = ${PRIVATE}, 0, 0
    FROM json_each('[1, 2, 3, ${PRIVATE}]');
  CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT}) SELECT i FROM n;
  INSERT INTO events
  SELECT i, ${uuid("i")}, iif(i > ${COUNT - 100}, 2, ${BOOK}), iif(i = 5, 'charge.failed', iif(i % 3, 'charge.paid', 'charge.created')),
         ${uuid("i / 4")}, '{}', 1, i FROM n;
  INSERT INTO deliveries (id, book_id, event_seq, event_type, endpoint_seq, status, attempts, max_attempts, parked, created_at, updated_at)
  SELECT ${uuid("seq")}, book_id, seq, type, iif(seq = 9, 3, iif(seq % 50 = 0, ${PRIVATE}, 1 + seq % 2)), 'PENDING', 0, 6, 0, 0, 0 FROM events;
  UPDATE deliveries SET status = 'PROCESSING' WHERE seq % 5 < 4;
  UPDATE deliveries SET status = iif(seq % 700 = 1, 'FAILED', iif(seq = 11, 'CANCELLED', 'DELIVERED'))
   WHERE status = 'PROCESSING' AND seq % 4000 <> 1;
  INSERT INTO ledger_journals SELECT i, ${BOOK}, 'settlement', ${uuid("i / 2")}, 1, i FROM n;
  INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount)
  SELECT i, ${BOOK}, iif(i = 7, 'BTC', iif(i % 4, 'BRL', 'EUR')), 'world', 1 FROM n;`;

beforeAll(() => {
  folder = newFolder();
  database = openDatabase(folder.db);
  database.db.exec(CONTENTS);
  const all = `SELECT d.seq, d.book_id AS book, d.status, e.type, e.subject, p.id AS endpoint, p.private
      FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq ORDER BY d.seq DESC`;
  stored = database.db.prepare(all).all() as unknown as DeliveryRow[];
});
afterAll(() => {
  database.close();
  folder.remove();
});

interface DeliveryRow extends Record<"seq" | "book" | "private", number> {
  readonly status: string;
  readonly type: string;
  readonly subject: string;
  /** The id. */
  readonly endpoint: string;
}

/** All deliveries, the newest first. */
let stored: readonly DeliveryRow[];

/** The same page, chosen from all rows, and how many fit. */
function expected(filters: DeliveryFilters, limit: number, offset: number, before = Infinity) {
  const { book, status, type, endpoint, subject } = filters;
  const fitting = stored.filter(
    (row) =>
      row.book === book &&
      row.seq < before &&
      (status === undefined || row.status === status) &&
      (type === undefined || row.type === type) &&
      (endpoint === undefined || (row.endpoint === endpoint && row.private === 0)) &&
      (subject === undefined || row.subject === subject),
  );
  return { seqs: fitting.slice(offset, offset + limit).map(({ seq }) => seq), total: fitting.length };
}

describe("a list of deliveries", () => {
  const combinations = [undefined, ...STATUSES].flatMap((status) =>
    [undefined, ...TYPES].flatMap((type) =>
      [undefined, 1, 3, PRIVATE].map((endpoint) => ({
        book: BOOK,
        status,
        type,
        endpoint: endpoint === undefined ? undefined : id(endpoint),
      })),
    ),
  );

  it("shows what matches its filters and counts it, whatever they are", () => {
    const store = webhookStore(database.db);
    for (const filters of [...combinations, { book: 2 }, { book: 3 }, { book: BOOK, subject: id(2) }]) {
      for (const [offset, before] of [[0], [30], [0, 513]] as const) {
        const page = { ...filters, before };
        const found = store.deliveries(page, 25, offset).map(({ seq }) => seq);
        expect([page, found]).toEqual([page, expected(filters, 25, offset, before).seqs]);
      }
      expect([filters, store.countDeliveries(filters)]).toEqual([filters, expected(filters, 1, 0).total]);
    }
  });

  it.each([
    ["", "deliveries_by_book (book_id=? AND seq<?)"],
    ["AND d.status = 'FAILED'", "deliveries_by_status (book_id=? AND status=? AND seq<?)"],
  ])("reads no row that is not on the page, and sorts none: %s", (status, index) => {
    const plan = rows(
      `EXPLAIN QUERY PLAN SELECT d.seq FROM deliveries d WHERE d.book_id = 1 ${status} AND d.event_type = 'charge.paid'
        AND d.endpoint_seq = 1 AND d.seq < 500 ORDER BY d.seq DESC LIMIT 25`,
    ) as unknown as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([`SEARCH d USING COVERING INDEX ${index}`]);
  });
});

it.each([undefined, ...TYPES, "med.resolved" as const])("a list of events of the type %s has them all", (type) => {
  const store = webhookStore(database.db);
  const ofType = type === undefined ? "" : `AND type = '${type}'`;
  for (const before of [undefined, 4_000, 512]) {
    const found = store.events({ book: BOOK, type, before }, 26);
    const all = rows(
      `SELECT seq FROM events WHERE book_id = ${BOOK} AND seq < ${before ?? 1e9} ${ofType} ORDER BY seq DESC LIMIT 26`,
    );
    expect(found.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq));
  }
});

it.each([undefined, "BRL", "EUR", "BTC", "USD"])("a list of journals in %s has them all", (currency) => {
  const store = createStores(database.db).ledger;
  const inCurrency = currency === undefined ? "" : `AND currency = '${currency}'`;
  for (const before of [undefined, 4_000, 512]) {
    const found = store.journals({ book: BOOK, currency, before }, 26);
    const all =
      rows(`SELECT DISTINCT journal_id AS id FROM ledger_entries WHERE journal_id < ${before ?? 1e9} ${inCurrency}
      ORDER BY 1 DESC LIMIT 26`);
    expect(found.map(({ id: journal }) => journal)).toEqual(all.map(({ id: journal }) => journal));
  }
});
