import { copyFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../../support/charges.js";
import { type TestCli, testCli } from "../../../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { act, openCase, paidCharge } from "../../../support/med.js";
import { REQUESTS } from "../../../support/payments.js";
import { advanceRefund, paidPayment, refund } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, shared } from "../../../support/shared.js";
import { firstOf, openFile } from "../../../support/sqlite.js";
import { advance } from "../../../support/webhooks.js";

const KEY = "qa_test_ledger_checks";
const HOLD_MS = 60_000;
const fee = { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } };
const OPTIONS = {
  frozen: true,
  testKey: KEY,
  fees: { PIX: fee, PIX_OUT: fee },
  settlementHoldMs: HOLD_MS,
};

const folder = shared(newFolder);
let emulator: TestEmulator;
let cli: TestCli;
const made: Record<string, string> = {};

/** Money in every bucket, and objects of every kind that have reached each of their ends. */
async function makeMoney(): Promise<void> {
  made.first = (await paidCharge(emulator, { amount: 10_000 })).id;
  const { id } = await paidPayment(emulator, { amount: 5_000 });
  made.done = (await advanceRefund(emulator, (await refund(emulator, id, { amount: 100 })).id, "REFUNDED")).id;
  await advanceRefund(emulator, (await refund(emulator, id, { amount: 200 })).id, "FAILED");
  await openCase(emulator, {});
  await act(emulator, (await openCase(emulator, {})).id, "accept");
  await act(emulator, (await openCase(emulator, {})).id, "withdraw");
  await advance(emulator, HOLD_MS / 1_000);
  made.underway = (await refund(emulator, id, { amount: 300, passFeeToTenant: true })).id;
  made.euros = (await paidPayment(emulator, { ...REQUESTS.MBWAY, currency: "EUR", amount: 700 })).id;
  const held = await emulator.charge({ expected_payer_tax_id: DOCUMENTS.cpf, customer: { name: "Maria" } });
  made.held = held.id;
  await emulator.sandbox(`/charges/${held.id}/pay`, { payer_document: null });
  made.payout = (await emulator.sandbox("/payouts", { amount: 700 })).id;
  await emulator.sandbox(`/payouts/${(await emulator.sandbox("/payouts", { amount: 50 })).id}/pay`, {});
  await emulator.sandbox(`/payouts/${(await emulator.sandbox("/payouts", { amount: 60 })).id}/fail`, {});
  made.case = (await openCase(emulator, {})).id;
  await emulator.charge({});
}

beforeAll(async () => {
  emulator = await startEmulator({ ...OPTIONS, db: folder.db });
  await makeMoney();
  copyWhole(folder.db, `${folder.db}-good`);
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: KEY });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

/** A copy of a database that a server is using, with the rows that are still in its side file. */
function copyWhole(from: string, to: string): void {
  const db = openFile(from, true);
  db.prepare("VACUUM INTO ?").run(to);
  db.close();
}

const list = async (query = ""): Promise<Loose> => emulator.sandbox(`/ledger/journals${query}`);
const check = (key = KEY): Promise<Loose> => emulator.sandbox("/ledger/check", undefined, { key });
const kinds = async (query: string) => (await list(query)).data.map(({ kind }: Loose) => kind);

describe("the list of journals", () => {
  it("shows every movement with its entries, newest first", async () => {
    const { data, has_more, next_cursor } = await list("?limit=2");
    expect([data[0].kind, data[0].reference, has_more, next_cursor]).toEqual(["med_hold", made.case, true, data[1].id]);
    expect(data[0].entries).toEqual([
      { currency: "BRL", bucket: "available", amount: -1990 },
      { currency: "BRL", bucket: "retained", amount: 1990 },
    ]);
    expect(data[0].at).toMatch(/^\d{4}-.*Z$/);
  });

  it("finds the journals of an object under each of its ids", async () => {
    const bare = made.first?.slice(3);
    for (const id of [`ch_${bare}`, `tx_${bare}`, bare]) {
      expect(await kinds(`?reference=${id}`)).toEqual(["release", "settlement"]);
    }
    expect(await kinds(`?reference=${made.done}`)).toEqual(["refund_confirm", "refund_reserve"]);
    expect(await kinds(`?reference=${made.payout}`)).toEqual(["payout_reserve"]);
    expect(await kinds(`?reference=${made.case}`)).toEqual(["med_hold"]);
    expect(await kinds("?reference=ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa")).toEqual([]);
  });

  it("names each object with the prefix of its kind: ch_ for a transaction with Pix, tx_ for any other", async () => {
    const references = (await list("?limit=100")).data.map(({ reference }: Loose) => reference);
    for (const id of [made.first, made.held, `tx_${made.euros}`, made.done, made.payout, made.case]) {
      expect(references).toContain(id);
    }
  });

  it("filters by currency", async () => {
    expect((await list("?currency=EUR")).data).toMatchObject([{ kind: "settlement", reference: `tx_${made.euros}` }]);
  });

  it.each([
    ["reference=nothing", "reference"],
    ["reference=evt_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa", "reference"],
    ["currency=brl", "currency"],
  ])("refuses ?%s", async (query, param) => {
    expectRefused(await emulator.call("GET", `/_sandbox/ledger/journals?${query}`), "invalid_request", param);
  });
});

it("the balances of the buckets are the sums of all entries, in each currency", async () => {
  const sums = new Map<string, number>();
  for (const { entries } of (await list("?limit=100")).data) {
    for (const { currency, bucket, amount } of entries) {
      const key = `${currency} ${bucket}`;
      sums.set(key, (sums.get(key) ?? 0) + amount);
    }
  }
  const { data } = await emulator.sandbox("/ledger/balances");
  const told = data.map(({ currency, bucket, balance }: Loose) => [`${currency} ${bucket}`, balance]);
  expect(new Map(told)).toEqual(sums);
  expect([...sums.keys()]).toEqual(expect.arrayContaining(["BRL clearing", "BRL review", "BRL retained"]));
  expect(await emulator.sandbox("/ledger/balances", undefined, { key: emulator.live })).toEqual({ data: [] });
});

it("the check of the ledger says that all adds up, with the numbers of checked rows", async () => {
  const entries = (await list("?limit=100")).data.flatMap((journal: Loose) => journal.entries);
  const journals = (await list("?limit=100")).data.length;
  expect(await check()).toEqual({ ok: true, journals, entries: entries.length, problems: [] });
  expect(await check(emulator.live)).toEqual({ ok: true, journals: 0, entries: 0, problems: [] });
});

const row = (table: string, where: string) => `rowid = (SELECT rowid FROM ${table} WHERE ${where} LIMIT 1)`;
const set = (table: string, change: string, where: string) =>
  `UPDATE ${table} SET ${change} WHERE ${row(table, where)}`;
const entry = "EXISTS (SELECT 1 FROM ledger_journals WHERE id = journal_id AND kind = 'settlement')";

/** Changes by hand, each with the code of the problem that must be found, and the object of the problem. */
const FAULTS: readonly (readonly [code: string, about: object, change: string])[] = [
  ["journal_unbalanced", { expected: 0, found: 1 }, set("ledger_entries", "amount = amount + 1", entry)],
  ["journal_unbalanced", { expected: 0 }, `DELETE FROM ledger_entries WHERE ${row("ledger_entries", entry)}`],
  ["journal_empty", { journal: "1" }, "DELETE FROM ledger_entries WHERE journal_id = 1"],
  ["journal_mixed", {}, set("ledger_entries", "currency = 'EUR'", entry)],
  ["journal_mixed", {}, set("ledger_entries", "book_id = 2", entry)],
  ["entry_without_journal", {}, "DELETE FROM ledger_journals WHERE id = 1"],
  ["journal_unknown_reference", { journal: "1" }, "UPDATE ledger_journals SET reference = 'lost' WHERE id = 1"],
  [
    "balance_differs",
    { bucket: "available", currency: "BRL" },
    "UPDATE ledger_balances SET balance = balance + 1 WHERE bucket = 'available' AND currency = 'BRL'",
  ],
  ["balance_differs", { bucket: "world" }, "DELETE FROM ledger_balances WHERE bucket = 'world' AND currency = 'BRL'"],
  ["wallet_differs", { bucket: "retained" }, "UPDATE ledger_balances SET balance = 5 WHERE bucket = 'retained'"],
  ["bucket_differs", { bucket: "retained" }, set("med_cases", "held = held + 1", "money_outcome IS NULL")],
  ["bucket_differs", { bucket: "review" }, set("transactions", "status = 'PAID'", "held_at IS NOT NULL")],
  ["bucket_differs", { bucket: "clearing" }, set("payouts", "status = 'paid'", "status = 'pending'")],
  ["bucket_differs", { bucket: "clearing" }, set("refunds", "status = 'REFUNDED'", "status = 'PENDING'")],
  ["bucket_differs", { bucket: "pending" }, set("tranches", "released_at = 1", "released_at IS NULL")],
  ["bucket_differs", { bucket: "available" }, set("payouts", "amount = amount + 1", "status = 'paid'")],
  [
    "bucket_differs",
    { bucket: "provider_fees" },
    set("transactions", "provider_fee = provider_fee + 1", "paid_at IS NOT NULL"),
  ],
  ["object_differs", { bucket: "wallet" }, set("transactions", "amount = amount + 1", "paid_at IS NOT NULL")],
  ["object_differs", { bucket: "wallet" }, set("refunds", "status = 'FAILED'", "status = 'REFUNDED'")],
  ["object_differs", { bucket: "retained" }, set("med_cases", "money_outcome = 'lost'", "money_outcome IS NULL")],
  [
    "object_differs",
    { bucket: "wallet" },
    // Two faults that cancel each other out in every sum.
    `UPDATE transactions SET amount = amount + CASE amount WHEN 10000 THEN 1 ELSE -1 END WHERE amount IN (5000, 10000)`,
  ],
  ["refunded_differs", {}, set("transactions", "refunded_amount = 0", "refunded_amount > 0")],
  ["refunded_differs", {}, set("transactions", "refunded_amount = 7", "refunded_amount = 0 AND paid_at IS NOT NULL")],
];

describe("a database that another program edits while a server uses it", () => {
  let copies = 0;

  /** Starts a server on a copy of the good database, and makes this change past the triggers. A start would refuse it. */
  async function startWith(change: string): Promise<TestEmulator> {
    copies += 1;
    const file = `${folder.db}-${copies}`;
    copyFileSync(`${folder.db}-good`, file);
    const emulator = await ownEmulator({ ...OPTIONS, db: file });
    const db = openFile(file);
    db.exec(
      "PRAGMA foreign_keys = OFF; DROP TRIGGER ledger_entries_are_final; DROP TRIGGER transactions_count_changed",
    );
    db.exec(change);
    const changed = firstOf(db, "SELECT total_changes()");
    db.close();
    if (changed === 0) throw new Error(`changes no row: ${change}`);
    return emulator;
  }

  it.each(FAULTS)("has the problem %s, %j: %s", async (code, about, change) => {
    const edited = await startWith(change);
    const { ok, problems } = await edited.sandbox("/ledger/check", undefined, { key: KEY });
    expect(ok).toBe(false);
    expect(problems).toContainEqual(expect.objectContaining({ code, ...about, text: expect.stringMatching(/.\.$/) }));
  });

  it("ends the command with exit 1, with the problems in plain words or as JSON", async () => {
    const edited = await startWith("UPDATE ledger_balances SET balance = 5 WHERE bucket = 'clearing'");
    const target = ["--base-url", edited.url, "--api-key", KEY];
    const people = await cli.run(["sandbox", "ledger", "check", ...target]);
    expect([people.code, people.err]).toEqual([1, ""]);
    expect(people.out).toMatch(/Problem 1 +The balance of clearing is R\$ 0,05; its entries sum to R\$ \d/);
    const program = await cli.run(["sandbox", "ledger", "check", "--json", ...target]);
    expect([program.code, JSON.parse(program.out).ok]).toEqual([1, false]);
  });

  it("names at most 20 problems of a kind, and says how many more there are", async () => {
    const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
      INSERT INTO ledger_journals (book_id, kind, reference, history_seq, created_at)
      SELECT 1, 'settlement', 'lost' || i, 1, 0 FROM n`;
    const edited = await startWith(many);
    const { problems } = await edited.sandbox("/ledger/check", undefined, { key: KEY });
    const empty = problems.filter(({ code }: Loose) => code === "journal_empty");
    expect(empty).toHaveLength(21);
    expect(empty.at(-1)).toMatchObject({ journal: null, text: "There are 10 more problems of this kind." });
  });
});
