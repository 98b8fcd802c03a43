import { closeSync, copyFileSync, openSync, statSync, writeSync } from "node:fs";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issue, tokenOf } from "./access.js";
import { DOCUMENTS } from "./charges.js";
import { startEmulator, type TestEmulator } from "./emulator.js";
import { FILE_IS_WHOLE } from "./invariants/records.js";
import { breachesOf, INVARIANTS } from "./invariants.js";
import { act, addEvidence, openCase } from "./med.js";
import { payment, REQUESTS } from "./payments.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { advanceRefund, refund } from "./refunds.js";
import { type Folder, newFolder } from "./snapshots.js";
import { advance, subscribe } from "./webhooks.js";

/** Every invariant finds its fault: each test changes one row of a correct database. */

const fee = { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } };
const SETTINGS = { fees: { PIX: fee, PIX_OUT: fee }, settlementHoldMs: 5_000, acquirerDelayMs: 1_000 };

let folder: Folder;
let receiver: Receiver;

async function makeTransactions(emulator: TestEmulator): Promise<void> {
  const expected = { expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Maria" } };
  const held = await emulator.charge(expected);
  const returned = await emulator.charge(expected);
  const expired = await emulator.charge();
  const cancelled = await payment(emulator, REQUESTS.CREDIT_CARD);
  await emulator.charge({ metadata: { _sandbox: { fail: "AC06" } } });
  const scripted = await emulator.charge({ metadata: { _sandbox: { med_after: 9_000 } } });
  await advance(emulator, 7);
  await emulator.sandbox(`/charges/${held.id}/pay`, { payer_document: null });
  await emulator.sandbox(`/charges/${returned.id}/pay`, { payer_document: DOCUMENTS.otherCpf });
  await emulator.sandbox(`/charges/${scripted.id}/pay`);
  await emulator.sandbox(`/charges/${expired.id}/expire`);
  await emulator.call("POST", `/v1/payments/${cancelled.id}/cancel`);
}

async function paid(emulator: TestEmulator): Promise<string> {
  const { id } = await payment(emulator);
  // A payment cannot be paid before the acquirer has issued its code.
  await advance(emulator, 2);
  await emulator.sandbox(`/charges/${id}/pay`);
  return id;
}

async function makeRefunds(emulator: TestEmulator): Promise<void> {
  const id = await paid(emulator);
  await advanceRefund(emulator, (await refund(emulator, id, { amount: 100 })).id, "REFUNDED");
  await advanceRefund(emulator, (await refund(emulator, id, { amount: 200 })).id, "FAILED");
  await advanceRefund(emulator, (await refund(emulator, await paid(emulator))).id, "REFUNDED");
  await refund(emulator, id, { amount: 300, passFeeToTenant: true });
}

async function makePayouts(emulator: TestEmulator): Promise<void> {
  for (const end of ["pay", "fail", null]) {
    const { id } = await emulator.sandbox("/payouts", { amount: 700 });
    if (end !== null) await emulator.call("POST", `/_sandbox/payouts/${id}/${end}`);
  }
}

async function makeCases(emulator: TestEmulator): Promise<void> {
  for (const actions of [["request-evidence"], ["appeal", "decide refunded_to_merchant"], ["accept"]] as const) {
    const { id } = await openCase(emulator, { charge_id: await paid(emulator) });
    await addEvidence(emulator, id);
    for (const action of actions) await act(emulator, id, action);
  }
}

/** Four endpoints: one accepts everything, one refuses, one is switched off and one is removed. */
async function makeEndpoints(emulator: TestEmulator): Promise<void> {
  const names = ["taking", "refusing", "off", "removed"];
  const events = ["charge.created", "charge.paid", "payment.refunded"];
  const ids = await Promise.all(names.map((name) => subscribe(emulator, `${receiver.url}/${name}`, events)));
  // Some deliveries must be pending while the endpoints change.
  await emulator.sandbox("/webhooks/chaos", { delay_ms: 500 });
  await emulator.charge();
  await emulator.call("PATCH", `/v1/webhooks/endpoints/${ids[2].id}`, { body: { status: "INACTIVE" } });
  await emulator.call("DELETE", `/v1/webhooks/endpoints/${ids[3].id}`);
}

beforeAll(async () => {
  folder = newFolder();
  receiver = await startReceiver();
  receiver.respond = ({ path }) => ({ status: path.endsWith("/refusing") ? 500 : 204 });
  const emulator = await startEmulator({ frozen: true, db: folder.db, settings: SETTINGS });
  await makeEndpoints(emulator);
  await makeTransactions(emulator);
  await makePayouts(emulator);
  await makeCases(emulator);
  await makeRefunds(emulator);
  await issue(emulator, await tokenOf(emulator));
  await payment(emulator);
  await emulator.close();
});

afterAll(async () => {
  await receiver.close();
  folder.remove();
});

/** The names of the invariants that `change` breaks. The change is undone afterwards. */
function brokenBy(change: string): string[] {
  const db = new Database(folder.db);
  try {
    db.pragma("foreign_keys = OFF");
    db.exec("BEGIN; DROP TRIGGER ledger_entries_are_final; DROP TRIGGER transactions_count_changed");
    db.exec(change);
    if (db.prepare("SELECT total_changes()").pluck().get() === 0) throw new Error(`changes no row: ${change}`);
    return INVARIANTS.filter(({ breaches }) => breaches(db).length > 0).map(({ name }) => name);
  } finally {
    db.close();
  }
}

const row = (table: string, where = "1") => `rowid = (SELECT rowid FROM ${table} WHERE ${where} LIMIT 1)`;
const set = (table: string, change: string, where?: string) =>
  `UPDATE ${table} SET ${change} WHERE ${row(table, where)}`;
const remove = (table: string, where?: string) => `DELETE FROM ${table} WHERE ${row(table, where)}`;
const withoutJobs = (kind: string) => `DELETE FROM jobs WHERE kind = '${kind}'`;
const ofEvent = (type: string, more = "") => `type = '${type}' ${more}`;

/** Changes of single rows, by the invariant that each must break. A change may also break others. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  "nothing happened later than the emulated now": [
    set("transactions", "updated_at = updated_at + 86400000000"),
    set("emails", "created_at = created_at + 86400000000"),
    "UPDATE settings SET value = json_set(value, '$.frozenAt', 1) WHERE name = 'clock'",
  ],
  "every foreign key leads somewhere": [
    remove("transactions", "id IN (SELECT transaction_id FROM med_cases)"),
    remove("events"),
    remove("med_cases"),
    "DELETE FROM accounts",
  ],
  "every account has both books and an API key for each": [
    "DELETE FROM books WHERE mode = 'live'",
    "DELETE FROM api_keys WHERE prefix LIKE 'qa_test%'",
  ],
  "an account has a user of every role, or none yet": ["DELETE FROM users WHERE role = 'ADMIN'"],
  "what the audit speaks of is there": ["DELETE FROM api_keys WHERE id IN (SELECT key_id FROM audit)"],
  "an idempotency key stands for an object of its book": [
    remove("transactions", "status = 'WAITING_PAYMENT'"),
    remove("refunds", "status = 'PENDING'"),
    remove("events", ofEvent("charge.created")),
    "UPDATE idempotency_keys SET event_seq = event_seq + 1 WHERE body IS NULL",
  ],
  "a file of evidence is as long as it is said to be": [
    set("med_evidence", "content = zeroblob(3)"),
    set("med_evidence", "content = NULL"),
    set("med_evidence", "file_size = 1"),
  ],
  "whatever waits for its payer has its expiry due": [
    withoutJobs("transaction.expire"),
    set("transactions", "expires_at = expires_at + 1", "status = 'WAITING_PAYMENT'"),
  ],
  "whatever the acquirer has not issued yet has its issue due": [withoutJobs("transaction.finalise")],
  "a refund on its way has its next step due": [
    withoutJobs("refund.advance"),
    set("refunds", "status = 'IN_PROGRESS'", "status = 'PENDING'"),
  ],
  "money that is held has its release due": [
    withoutJobs("wallet.release"),
    set("tranches", "released_at = NULL", "released_at IS NOT NULL"),
  ],
  "a case that a script asks for is due or was opened": [withoutJobs("med.open")],
  "due work is of something that is there": [
    remove("transactions", "status = 'WAITING_PAYMENT'"),
    remove("refunds", "status = 'PENDING'"),
    remove("tranches", "released_at IS NULL"),
  ],
  "a delivery is of an event and an endpoint of its own book": [set("deliveries", "book_id = 2")],
  "the state of a delivery agrees with itself and with its endpoint": [
    set("deliveries", "delivered_at = NULL", "status = 'DELIVERED'"),
    set("deliveries", "status = 'PENDING', delivered_at = NULL", "status = 'DELIVERED'"),
    set("deliveries", "status = 'PENDING', next_attempt_at = 1", "status = 'CANCELLED'"),
    set("deliveries", "status = 'FAILED', next_attempt_at = NULL", "status = 'PENDING'"),
    set("deliveries", "status = 'CANCELLED', delivered_at = NULL", "status = 'DELIVERED'"),
    set("deliveries", "parked = 0", "parked = 1"),
  ],
  "every attempt is on record, in order": [
    remove("delivery_attempts"),
    set("deliveries", "attempts = attempts + 1", "attempts > 0"),
    set("delivery_attempts", "attempt = attempt + 1"),
  ],
  "every journal sums to zero": [remove("ledger_entries"), set("ledger_entries", "amount = amount + 1")],
  "every journal has entries, of its own book and of one currency": [
    set("ledger_entries", "currency = 'EUR'"),
    set("ledger_entries", "book_id = 2"),
    "DELETE FROM ledger_entries WHERE journal_id = 1",
  ],
  "every balance is the sum of its entries": [
    "DELETE FROM ledger_balances WHERE bucket = 'available'",
    "UPDATE ledger_balances SET balance = balance + 1 WHERE bucket = 'available'",
  ],
  "the ledger holds what payments, refunds, payouts and cases add up to": [
    set("transactions", "amount = amount + 1", "paid_at IS NOT NULL"),
    set("transactions", "status = 'WAITING_PAYMENT'", "held_at IS NOT NULL"),
    remove("refunds", "status = 'PENDING'"),
    set("payouts", "status = 'paid'", "status = 'pending'"),
    set("med_cases", "held = held + 1", "money_outcome IS NULL"),
    set("med_cases", "money_outcome = 'refunded_to_merchant'", "money_outcome = 'lost'"),
  ],
  "pending money waits in tranches": [
    set("tranches", "amount = amount + 1", "released_at IS NULL"),
    remove("tranches", "released_at IS NULL"),
  ],
  "no transaction gives back more than it received": [set("refunds", "amount = 999999", "status = 'PENDING'")],
  "a transaction knows what its refunds gave back": [
    set("transactions", "refunded_amount = 0", "refunded_amount > 0"),
    set("refunds", "status = 'FAILED'", "status = 'REFUNDED' AND strategy = 'cashout'"),
  ],
  "a transaction is REFUNDED while, and only while, all of it went back": [
    set("transactions", "status = 'PAID'", "status = 'REFUNDED'"),
    set("transactions", "status = 'REFUNDED'", "status = 'PAID'"),
  ],
  "a transaction is disputed while, and only while, a case holds its money or has lost it": [
    set("transactions", "status = 'PAID'", "status = 'DISPUTE'"),
    set("transactions", "status = 'DISPUTE'", "status = 'PAID'"),
    remove("med_cases", "money_outcome IS NULL"),
  ],
  "the figures of each day are those of its transactions": [
    set("transactions", "status = 'EXPIRED'", "status = 'WAITING_PAYMENT'"),
    "UPDATE daily_figures SET count = count - 1 WHERE status = 'PAID'",
    "DELETE FROM daily_figures WHERE status = 'PAID'",
  ],
  "the times to pay are those of the transactions": [
    "UPDATE payment_times SET count = count + 1 WHERE span = 32",
    "DELETE FROM payment_times WHERE span = 1",
    set("transactions", "paid_at = paid_at - 1000", "paid_at IS NOT NULL"),
  ],
  "every change of a transaction was told by its own events": [
    remove("events", ofEvent("charge.created")),
    remove("events", ofEvent("charge.paid")),
    remove("events", ofEvent("payment.status_changed")),
    remove("events", ofEvent("payment.expired")),
    set("events", "type = 'charge.expired'", ofEvent("charge.failed")),
    set("transactions", "status = 'CANCELLED'", "status = 'WAITING_PAYMENT'"),
    `INSERT INTO events (id, book_id, type, subject, data, history_seq, created_at)
       SELECT 'twice', book_id, type, subject, data, history_seq, created_at FROM events WHERE type = 'charge.paid' LIMIT 1`,
  ],
  "every step of a refund was told once, in order": [
    remove("events", ofEvent("payment.refunded", "AND json_extract(data, '$.refund.status') = 'IN_PROGRESS'")),
    set("refunds", "status = 'FAILED'", "status = 'REFUNDED'"),
    remove("refunds", "status = 'FAILED'"),
  ],
  "every change of a payout was told by its own events": [
    remove("events", ofEvent("payout.created")),
    remove("events", ofEvent("withdrawal.status_changed")),
    set("payouts", "status = 'failed'", "status = 'pending'"),
  ],
  "every change of a case was told by its own events": [
    remove("events", ofEvent("med_case.created")),
    remove("events", ofEvent("med_case.updated", "AND json_extract(data, '$.status') = 'appealed'")),
    remove("events", ofEvent("med.resolved")),
    set("med_cases", "status = 'appealed'", "status = 'open'"),
  ],
  "every event is about something that is there, in its own book": [
    remove("transactions", "status = 'REFUSED'"),
    set("events", "book_id = 2"),
  ],
  "every case was announced by one e-mail, and its end by another": [
    remove("emails", "kind = 'MED opened'"),
    remove("emails", "kind = 'MED resolved'"),
  ],
  "the status of every object is that of its last move": [
    remove("history", "move = 'settle'"),
    remove("history", "noun = 'payout' AND move = 'fail'"),
    set("history", "to_status = 'FAILED'", "noun = 'refund' AND move = 'complete'"),
    remove("history", "noun = 'med_case' AND move = 'accept'"),
    set("history", "subject = 'another'", "noun = 'payout' AND move = 'pay'"),
  ],
  "every move begins where the one before it ended": [
    remove("history", "noun = 'refund' AND move = 'start'"),
    set("history", "from_status = 'PENDING'", "move = 'settle'"),
    set("history", "move = 'made'", "move = 'create'"),
  ],
  "what comes of something is in its book, at its instant": [
    remove("history", "move = 'create'"),
    set("history", "at = at - 1", "move = 'settle'"),
    set("ledger_journals", "history_seq = 0"),
    "UPDATE jobs SET book_id = 2",
    set("emails", "created_at = created_at + 1"),
  ],
  "everything has a cause: due work what made it due, a request its number": [
    set("history", "parent = NULL", "cause LIKE 'work %'"),
    set("history", "parent = seq", "cause LIKE 'work %'"),
    set("history", "request = NULL", "cause LIKE 'request %'"),
    set("history", "cause = 'service'", "cause LIKE 'request %'"),
  ],
  "every timeline is in order, and every item of it has its parent and its cause": [
    set("history", "cause = 'service', request = NULL", "move = 'settle'"),
    set("history", "cause = 'service', parent = NULL", "cause LIKE 'work %' AND to_status IS NOT NULL"),
    set("history", "at = at + 86400000", "move = 'create'"),
  ],
  "the timelines leave out nothing": [
    set("events", "subject = 'another'"),
    set("ledger_journals", "reference = 'another'"),
    set("history", "subject = 'another'", "noun = 'refund'"),
  ],
};

describe("a correct database", () => {
  it("breaks no invariant", () => {
    const db = new Database(folder.db, { readonly: true });
    expect(breachesOf(db)).toEqual([]);
    db.close();
  });
});

describe("one wrong row", () => {
  const faults = Object.entries(FAULTS).flatMap(([name, changes]) => changes.map((change) => [name, change] as const));

  it.each(faults)("%s: %s", (name, change) => {
    expect(brokenBy(change)).toContain(name);
  });

  it("is made for every invariant", () => {
    const names = INVARIANTS.map(({ name }) => name);
    expect([FILE_IS_WHOLE.name, ...Object.keys(FAULTS)]).toEqual(names);
  });
});

describe("a file with a page that was overwritten", () => {
  it("is reported, and the rest of the file is not read", () => {
    const copy = `${folder.db}-damaged`;
    copyFileSync(folder.db, copy);
    const handle = openSync(copy, "r+");
    writeSync(handle, Buffer.alloc(2_048, 7), 0, 2_048, Math.floor(statSync(copy).size / 8_192) * 4_096);
    closeSync(handle);
    const db = new Database(copy, { readonly: true });
    expect(breachesOf(db)).toEqual([expect.stringContaining(FILE_IS_WHOLE.name)]);
    db.close();
  });
});
