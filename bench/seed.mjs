/**
 * Makes a database with many payments over 400 days, in qa-pay's own schema: payments, history, ledger, refunds, figures,
 * pending work, and events with a delivery to one endpoint each. Its emulated clock is frozen at the end of the last day, so that the
 * same arguments always give the same payments and figures.
 *
 * Usage: node bench/seed.mjs --db FILE [--count 200000] [--test-key qa_test_…] [--seed 1] [--force]
 */
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createChance, lives } from "./seed-rows.mjs";
import { withSource } from "./source.mjs";

const DAYS = 400;
const UNTIL = Date.parse("2026-07-01T15:00:00Z");
const BATCH = 10_000;
const USAGE = "node bench/seed.mjs --db FILE [--count 200000] [--test-key qa_test_…] [--seed 1] [--force]";

function readOptions() {
  const { values } = parseArgs({
    options: {
      db: { type: "string" },
      count: { type: "string", default: "200000" },
      "test-key": { type: "string", default: "qa_test_benchmark" },
      seed: { type: "string", default: "1" },
      force: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const count = Number(values.count);
  const seed = Number(values.seed);
  if (values.db === undefined) throw new Error(`--db names the file to make.\n${USAGE}`);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--count takes a whole number, not ${values.count}.`);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, not ${values.seed}.`);
  const testKey = values["test-key"];
  if (!/^qa_test_[\w-]{8,}$/.test(testKey))
    throw new Error("--test-key takes qa_test_ and 8 or more of A-Z a-z 0-9 _ -.");
  const file = resolve(values.db);
  if (existsSync(file) && !values.force) throw new Error(`${file} exists. --force replaces it.`);
  return { file, count, seed, testKey };
}

/** Tells every ten percent. */
function createProgress(total) {
  const began = performance.now();
  let shown = -1;
  return (done) => {
    const tenths = Math.floor((10 * done) / total);
    if (tenths === shown) return;
    shown = tenths;
    const left =
      done === 0 ? "" : `, ${Math.round(((performance.now() - began) / done / 1_000) * (total - done))} s left`;
    process.stderr.write(`${tenths * 10} %${left}\n`);
  };
}

/** Starts the built emulator once, to make the schema, the account and its keys at the instant of the last payment. */
async function createEmpty(file, testKey, chance) {
  const { createEmulator } = await import("../dist/index.js");
  const real = {
    epoch: () => UNTIL,
    monotonic: () => performance.now(),
    after: () => ({ cancel: () => undefined }),
    soon: (callback) => void setImmediate(callback),
  };
  const log = { warn: console.error, error: console.error };
  const emulator = await createEmulator({ db: file, testKey, frozen: true, runtime: { random: chance, real, log } });
  await emulator.close();
}

/** Writes a row of a table from the values of these columns. */
function inserter(db, table, columns) {
  const marks = columns.replace(/\w+/g, "?");
  const statement = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${marks})`);
  return (...values) => statement.run(...values).lastInsertRowid;
}

/** Writes objects as rows, whose columns are the members of the first of them. */
function objectInserter(db, table) {
  let statement = null;
  return (row) => {
    const columns = Object.keys(row);
    statement ??= db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${columns.map((name) => `@${name}`)})`);
    statement.run(row);
  };
}

/** Returns a function that writes a payment with its history and its journals. Triggers of the schema update figures and balances. */
function createWriter(db, bookId) {
  const insertRow = objectInserter(db, "transactions");
  const insertRefund = objectInserter(db, "refunds");
  const insertJournal = inserter(db, "ledger_journals", "book_id, kind, reference, history_seq, created_at");
  const moved = "book_id, noun, subject, move, from_status, to_status, cause, request, parent, at";
  const insertMove = inserter(db, "history", moved);
  const insertEntry = inserter(db, "ledger_entries", "journal_id, book_id, currency, bucket, amount");
  const insertJob = inserter(db, "jobs", "due_at, subject, kind, payload, book_id, history_seq");
  const countTime = db.prepare(
    `INSERT INTO payment_times (book_id, span, start, currency, seconds, count) VALUES (?, ?, ?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET count = count + 1`,
  );
  let requests = 0;
  return ({ row, moves, requests: asked, journals, refund, secondsToPay, expiryDue }) => {
    insertRow(row);
    if (refund !== null) insertRefund(refund);
    const history = [];
    for (const { noun, subject, name, from, to, at, cause } of moves) {
      const request = cause.request === null ? null : requests + cause.request;
      const parent = cause.parent === null ? null : history[cause.parent];
      history.push(insertMove(bookId, noun, subject, name, from, to, cause.text, request, parent, at));
    }
    requests += asked;
    for (const { kind, reference, at, from, entries } of journals) {
      const journal = insertJournal(bookId, kind, reference, history[from], at);
      for (const [bucket, amount] of entries)
        if (amount !== 0) insertEntry(journal, bookId, row.currency, bucket, amount);
    }
    for (const span of secondsToPay === null ? [] : [1, 32])
      countTime.run(bookId, span, row.day - (row.day % span), row.currency, secondsToPay);
    if (expiryDue) insertJob(row.expires_at, row.id, "transaction.expire", "{}", bookId, history[0]);
  };
}

/** The events of each move of a payment. */
const EVENTS = {
  create: ["charge.created", "payment.created"],
  settle: ["charge.paid", "payment.completed", "payment.status_changed"],
  approve: ["charge.paid", "payment.completed", "payment.status_changed"],
  expire: ["charge.expired", "payment.expired", "payment.status_changed"],
  fail: ["charge.failed", "payment.failed", "payment.status_changed"],
  cancel: ["charge.failed", "payment.failed", "payment.status_changed"],
  refund: ["payment.refunded", "payment.status_changed"],
};

/** Writes the events of all moves, as large as real ones, each with a delivery and its one attempt. One in 200 has failed. */
function writeEvents(db, bookId) {
  const uuid = (place, n) => `printf('01999999-0000-7000-${place}-%012x', ${n})`;
  db.exec(`
    INSERT INTO endpoints (id, book_id, url, events, secret, status, origin, private, created_at, updated_at)
      VALUES (${uuid("8000", 1)}, ${bookId}, 'http://127.0.0.1:9/', ',charge.paid,', '${"5".repeat(64)}', 'ACTIVE', 'api', 0, ${UNTIL}, ${UNTIL});
    INSERT INTO events (id, book_id, type, subject, data, history_seq, created_at)
      SELECT ${uuid("9000", "row_number() OVER (ORDER BY h.seq, type.key)")}, h.book_id, type.value, h.subject,
             json_object('id', 'ch_' || h.subject, 'object', 'charge', 'filling', hex(zeroblob(300))), h.seq, h.at
        FROM history h JOIN json_each('${JSON.stringify(EVENTS)}', '$.' || h.move) type
       WHERE h.noun = 'transaction' ORDER BY h.seq, type.key;
    INSERT INTO deliveries (id, book_id, event_seq, event_type, endpoint_seq, status, attempts, max_attempts, parked, created_at, updated_at,
             last_status_code, last_error, delivered_at)
      SELECT ${uuid("a000", "seq")}, book_id, seq, type, (SELECT MAX(seq) FROM endpoints), iif(seq % 200, 'DELIVERED', 'FAILED'), 1,
             iif(seq % 200, 15, 1), 0, created_at, created_at, iif(seq % 200, 200, 500), iif(seq % 200, NULL, 'HTTP 500'),
             iif(seq % 200, created_at, NULL)
        FROM events ORDER BY seq;
    INSERT INTO delivery_attempts (delivery_seq, attempt, url, signature, user_agent, sent_at, status_code, headers, body, error,
             duration_ms, history_seq, attempted_at)
      SELECT d.seq, 1, 'http://127.0.0.1:9/', 't=1,v1=${"0".repeat(64)}', 'qa-pay', d.created_at, d.last_status_code, '{}', '', d.last_error,
             1, e.history_seq, d.created_at
        FROM deliveries d JOIN events e ON e.seq = d.event_seq ORDER BY d.seq`);
}

/**
 * Drops the indexes of the tables, and returns a function that makes them again. To sort each index once, when all rows
 * are there, takes half as long as to find the place of each row in it.
 */
function withoutIndexes(db) {
  const indexes = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").all();
  for (const { name } of indexes) db.exec(`DROP INDEX "${name}"`);
  return () => {
    process.stderr.write("making the indexes\n");
    for (const { sql } of indexes) db.exec(sql);
  };
}

function fill(db, count, chance) {
  // Without a rollback journal this is faster. It is not needed: a file that is not finished is deleted. SQLite refuses
  // this journal mode in the defensive mode that drivers set.
  db.unsafeMode?.(true);
  db.enableDefensive?.(false);
  db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1048576");
  const makeIndexes = withoutIndexes(db);
  const { id: bookId } = db.prepare("SELECT id FROM books WHERE mode = 'test'").get();
  const write = createWriter(db, bookId);
  const show = createProgress(count);
  let done = 0;
  show(0);
  db.exec("BEGIN");
  for (const life of lives({ count, days: DAYS, until: UNTIL, chance, bookId })) {
    write(life);
    done += 1;
    if (done % BATCH === 0) db.exec("COMMIT; BEGIN");
    if (done % 1_000 === 0 || done === count) show(done);
  }
  // In a real database every payment has been in WAITING_PAYMENT first, so rows with zero sums remain for that status.
  // The same rows are added here.
  db.exec(`INSERT OR IGNORE INTO daily_figures
    SELECT DISTINCT book_id, day, 'WAITING_PAYMENT', currency, '', 0, 0, 0, 0 FROM daily_figures`);
  writeEvents(db, bookId);
  db.exec("COMMIT");
  makeIndexes();
  db.exec("PRAGMA journal_mode = WAL");
}

function check(db, count) {
  const { counted } = db.prepare("SELECT SUM(count) AS counted FROM daily_figures").get();
  if (counted !== count) throw new Error(`the figures count ${counted} payments, not ${count}`);
  const off = db.prepare("SELECT currency FROM ledger_balances GROUP BY currency HAVING SUM(balance) <> 0").all();
  if (off.length > 0) throw new Error(`the ledger is not balanced: ${JSON.stringify(off)}`);
}

async function seed({ file, count, seed: number, testKey }) {
  const unfinished = `${file}.unfinished`;
  const discard = () => {
    for (const suffix of ["", "-wal", "-shm", "-lock", "-journal"]) rmSync(`${unfinished}${suffix}`, { force: true });
  };
  discard();
  const chance = createChance(number);
  try {
    await createEmpty(unfinished, testKey, chance);
    const driver = await withSource("src/base/db/load-driver.ts", ({ loadDriver }) => loadDriver());
    const db = driver.open(unfinished);
    try {
      fill(db, count, chance);
      check(db, count);
    } finally {
      db.close();
    }
    for (const suffix of ["-wal", "-shm", "-lock"]) rmSync(`${file}${suffix}`, { force: true });
    renameSync(unfinished, file);
  } finally {
    discard();
  }
  const megabytes = (statSync(file).size / 1e6).toFixed(1);
  console.log(`${count} transactions, ${megabytes} MB: ${file}`);
}

try {
  await seed(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
