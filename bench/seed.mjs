/**
 * Makes a database with many payments over 400 days. The service itself makes those of two days: paid, left, refused,
 * cancelled, refunded and contested ones, with their events and deliveries. SQL then copies their rows, each copy two days
 * later. The emulated clock of the file is frozen at its end.
 *
 * Usage: node bench/seed.mjs FILE [COUNT]   (200,000 payments, unless COUNT says another number)
 */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import Database from "better-sqlite3";
import { createEmulator } from "../dist/index.js";

import { inLanes, KEY } from "./requests.mjs";
import { waitUntilListening } from "./serving.mjs";

const START = "2025-05-23T15:00:00Z";
const COPIES = 200;
const DAYS = 2;
const DAY_MS = 86_400_000;
/** Each copy has its own million of numbers for the rows of each table. */
const ROWS = 1_000_000;

const KINDS = [
  { currency: "BRL", paymentMethods: ["PIX"] },
  { currency: "BRL", paymentMethods: ["PIX"] },
  { currency: "BRL", paymentMethods: ["PIX", "BOLETO"] },
  { currency: "BRL", paymentMethods: ["CREDIT_CARD"] },
  { currency: "EUR", paymentMethods: ["MULTIBANCO"] },
  { currency: "USD", paymentMethods: ["CREDIT_CARD"] },
  { currency: "USDT", paymentMethods: ["CRYPTO"] },
];

const EVENTS = ["created", "paid", "failed", "expired"].map((what) => `charge.${what}`);
EVENTS.push(
  ...["created", "completed", "failed", "expired", "refunded", "status_changed"].map((what) => `payment.${what}`),
);

/** The outcome of payment `n`. Two of three are simply paid. */
async function live(client, n) {
  const kind = KINDS[n % KINDS.length];
  const customer = {
    customerName: `Ana ${n} Almeida`,
    customerEmail: `cliente${n}@loja.example`,
    customerDocument: "52998224725",
  };
  const { id } = await client["payments.create"]({
    body: {
      ...kind,
      ...(n % 2 === 0 ? customer : {}),
      amount: 5_000 + ((n * 7_919) % 90_000),
      metadata: { order: n },
      idempotencyKey: `seed-payment-${n}`,
    },
  });
  const fate = n % 24;
  if (fate < 4) return; // It expires.
  if (fate === 4) return client["sandbox.charges.fail"]({ params: { id } });
  if (fate === 5) return client["payments.cancel"]({ params: { id } });
  await client["sandbox.charges.pay"]({ params: { id } });
  if (fate > 7 || kind.paymentMethods[0] !== "PIX") return;
  if (fate === 6) return client["sandbox.med.open"]({ body: { charge_id: id } });
  await client["payments.refund"]({ params: { id }, body: { amount: 100, idempotencyKey: `seed-refund-${n}` } });
}

/** Makes the payments of the first days, and lets everything happen that is due. One delivery in 256 fails at every attempt. */
async function makeFirst(file, count) {
  const receiver = await waitUntilListening(
    createServer((request, response) => {
      const isRefused = request.headers["x-qa-delivery-id"].endsWith("00");
      request.resume().on("end", () => response.writeHead(isRefused ? 500 : 204).end());
    }),
  );
  const emulator = await createEmulator({ db: file, testKey: KEY, frozen: true, startAt: START });
  await emulator.client["webhooks.endpoints.create"]({ body: { url: receiver.url, events: EVENTS } });
  const hours = DAYS * 24;
  let n = 0;
  for (let hour = 1; hour <= hours; hour++) {
    await inLanes(
      16,
      () => n < (count * hour) / hours,
      () => live(emulator.client, n++),
    );
    await emulator.advance("1h");
  }
  await emulator.advance("8d");
  await emulator.close();
  await receiver.end();
}

/** The tables whose rows are copied, each with the columns that must be other ones in a copy: ids, and numbers of rows. */
const COPIED = {
  history: { texts: ["subject"], rows: ["seq", "parent"] },
  transactions: { texts: ["id", "txid", "checkout_token", "provider_reference", "end_to_end_id"], rows: ["seq"] },
  refunds: { texts: ["id", "transaction_id", "end_to_end_id"], rows: ["seq"] },
  med_cases: { texts: ["id", "transaction_id"], rows: ["seq"] },
  emails: { texts: ["id", "case_id"], rows: ["seq", "history_seq"] },
  ledger_journals: { texts: ["reference"], rows: ["id", "history_seq"] },
  ledger_entries: { texts: [], rows: ["id", "journal_id"] },
  events: { texts: ["id", "subject"], rows: ["seq", "history_seq"] },
  deliveries: { texts: ["id"], rows: ["seq", "event_seq"] },
  delivery_attempts: { texts: [], rows: ["seq", "delivery_seq", "history_seq"] },
};

/** The columns that hold a UUID. */
const IDS = ["id", "subject", "transaction_id", "case_id", "reference"];

/** SQL that adds the copies of a table, in the order of time. Triggers of the schema add to figures and balances. */
function copiesOf(db, table, { texts, rows }) {
  const columns = db.pragma(`table_info(${table})`).map(({ name }) => name);
  const values = columns.map((name) => {
    // Ids of one millisecond may differ in their last digits alone.
    if (texts.includes(name) && IDS.includes(name)) return `printf('%04x', copy) || substr(${name}, 5)`;
    if (texts.includes(name)) return `substr(${name}, 1, length(${name}) - 6) || printf('%06x', copy)`;
    if (rows.includes(name)) return `${name} + copy * ${ROWS}`;
    if (name === "day") return `day + copy * ${DAYS}`;
    return /(^|_)at$|_deadline$/.test(name) ? `${name} + copy * ${DAYS * DAY_MS}` : name;
  });
  const which = table === "history" ? "noun <> 'clock'" : "1";
  return `INSERT INTO ${table} (${columns}) WITH RECURSIVE copies (copy) AS (
      SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < ${COPIES - 1})
    SELECT ${values} FROM copies CROSS JOIN (SELECT * FROM ${table} WHERE ${which}) ORDER BY copy, ${rows[0]}`;
}

/** How long payers took, for the copies: each row is about one day, or about 32. */
const TIMES = `INSERT INTO payment_times SELECT book_id, span, day - day % span, currency, seconds, SUM(count) FROM (
    SELECT book_id, start + value * ${DAYS} AS day, currency, seconds, count FROM payment_times, json_each(?) WHERE span = 1),
    (SELECT 1 AS span UNION ALL SELECT 32)
  WHERE 1 GROUP BY 1, 2, 3, 4, 5 ON CONFLICT DO UPDATE SET count = excluded.count`;

/** Without a journal, and with each index made once at the end, the rows are written in a third of the time. */
function copyRows(file) {
  const db = new Database(file);
  db.unsafeMode(true);
  db.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA foreign_keys = OFF",
  );
  const indexes = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all();
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`);
  for (const [table, changed] of Object.entries(COPIED)) db.exec(copiesOf(db, table, changed));
  db.prepare(TIMES).run(JSON.stringify(Array.from({ length: COPIES }, (_, copy) => copy)));
  for (const { sql } of indexes) db.exec(sql);
  const later = (COPIES - 1) * DAYS * DAY_MS;
  db.exec(`UPDATE settings SET value = json_set(value, '$.frozenAt', value ->> 'frozenAt' + ${later},
    '$.shown', value ->> 'shown' + ${later}) WHERE name = 'clock'`);
  db.exec("PRAGMA journal_mode = WAL");
  db.close();
}

const [file, count = "200000"] = process.argv.slice(2);
if (file === undefined || existsSync(file) || !(Number(count) >= 1))
  throw new Error("node bench/seed.mjs NEW_FILE [COUNT]");
await makeFirst(file, Math.ceil(Number(count) / COPIES));
copyRows(file);
