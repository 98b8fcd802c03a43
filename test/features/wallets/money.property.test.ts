import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { rowsOf } from "../../support/invariants/invariant.js";
import { MONEY_INVARIANTS } from "../../support/invariants/money.js";
import { breachesOf } from "../../support/invariants.js";
import { type Asked, MONEY_STEPS, newObjects, type World } from "../../support/money-steps.js";
import { postRefund } from "../../support/refunds.js";

/** Whatever happens in whatever order, the books balance. */

const HOLD_MS = 120_000;
const fee = (fixed: number, bps: number) => ({ provider: { fixed: 1, bps: 33 }, platform: { fixed, bps } });
const FEES = { PIX: fee(30, 99), CREDIT_CARD: fee(39, 349), BOLETO: fee(200, 0), PIX_OUT: fee(50, 7) };

let emulator: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-money-"));
  const settings = { fees: FEES, settlementHoldMs: HOLD_MS };
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db"), settings });
  db = new Database(join(folder, "qa.db"), { readonly: true });
});
afterAll(async () => {
  db.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const rows = (sql: string, ...values: unknown[]): Loose[] => rowsOf(db, sql, ...values);

/** One request that the service must not fail at. */
async function ask({ method = "POST", path, expected, ...rest }: Asked): Promise<Loose> {
  const { status, body } = await emulator.call(method, path, rest);
  expect(status).toBeLessThan(500);
  if (expected !== undefined) expect(expected).toContain(status);
  return status < 300 ? body : null;
}

/** What the API tells of the wallets is what the ledger holds. */
async function checkAnswers(): Promise<void> {
  for (const [mode, key] of [
    ["test", emulator.key],
    ["live", emulator.live],
  ] as const) {
    const { balances, retained } = await balance(emulator, key);
    for (const { currency, available, pending, total } of balances) {
      const held = Object.fromEntries(
        rows(
          `SELECT bucket, balance FROM ledger_balances l JOIN books b ON b.id = l.book_id
            WHERE b.mode = ? AND b.id IN (SELECT MIN(id) FROM books GROUP BY mode) AND currency = ?`,
          mode,
          currency,
        ).map((row) => [row.bucket, row.balance]),
      );
      expect([available, pending]).toEqual([held.available ?? 0, held.pending ?? 0]);
      expect(total).toBe(available + pending);
      if (currency === "BRL") expect(retained).toBe(held.retained ?? 0);
    }
  }
}

/** The check of the ledger that the service offers finds nothing, in both modes. */
async function checkLedger(): Promise<void> {
  for (const key of [emulator.key, emulator.live]) {
    expect(await emulator.sandbox("/ledger/check", undefined, { key })).toMatchObject({ ok: true, problems: [] });
  }
}

async function check(): Promise<void> {
  expect(MONEY_INVARIANTS.flatMap(({ breaches }) => breaches(db))).toEqual([]);
  await checkAnswers();
}

/** Brings everything to its end: nothing is held, reviewed, contested or on its way any more. */
async function finish({ payments, payouts, cases }: World): Promise<void> {
  for (const { id, key } of payouts) await ask({ path: `/_sandbox/payouts/${id}/pay`, key });
  for (const { id, key } of cases) {
    await ask({ path: `/_sandbox/med-cases/${id}/decide`, key, body: { outcome: "refunded_to_merchant" } });
  }
  for (const { id, key } of payments) {
    await ask({ path: `/_sandbox/charges/${id}/review`, key, body: { decision: "reject" } });
  }
  await emulator.sandbox("/clock/advance", { seconds: 10 * 86_400 });
}

const count = (sql: string): number => rows(`SELECT COUNT(*) AS n FROM ${sql}`)[0].n;

describe("any sequence of events", () => {
  it("keeps the books balanced at every step, and leaves no money in clearing at the end", async () => {
    const seen = { paid: 0, REFUNDED: 0, done: 0, FAILED: 0, passed: 0, cases: 0, payouts: 0, failedPayouts: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(...MONEY_STEPS), { minLength: 50, maxLength: 80, size: "max" }),
        async (steps) => {
          await emulator.sandbox("/reset");
          const world: World = { emulator, ask, ...newObjects() };
          for (const take of steps) {
            await take(world);
            await check();
          }
          await checkLedger();
          await finish(world);
          await check();
          await checkLedger();
          expect(breachesOf(db)).toEqual([]);
          const left = "SELECT * FROM ledger_balances WHERE balance <> 0 AND bucket IN (?, ?, ?, ?)";
          expect(rows(left, "clearing", "review", "retained", "pending")).toEqual([]);
          expect(count("refunds WHERE status IN ('PENDING', 'IN_PROGRESS')")).toBe(0);
          seen.paid += count("transactions WHERE paid_at IS NOT NULL");
          seen.REFUNDED += count("transactions WHERE paid_at IS NOT NULL AND status = 'REFUNDED'");
          seen.done += count("refunds WHERE status = 'REFUNDED' AND strategy IS NOT NULL");
          seen.FAILED += count("refunds WHERE status = 'FAILED'");
          seen.passed += count("refunds WHERE status = 'REFUNDED' AND fee > 0");
          seen.cases += count("med_cases WHERE held > 0");
          seen.payouts += count("payouts WHERE status = 'paid'");
          seen.failedPayouts += count("payouts WHERE status = 'failed'");
        },
      ),
      // A failure is reported with the shortest steps that were found in this time.
      { seed: 20_261_121, numRuns: 25, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
    );
    // The sequences are not so random that one of these never happens.
    for (const [what, times] of Object.entries(seen)) expect([what, times, times > 5]).toEqual([what, times, true]);
  });
});

describe("the ledger", () => {
  it("is never edited, not even by hand", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    await postRefund(emulator, id.replace("ch_", ""));
    const writer = new Database(join(folder, "qa.db"));
    try {
      expect(() => writer.prepare("UPDATE ledger_entries SET amount = amount + 1").run()).toThrow(/never edited/);
    } finally {
      writer.close();
    }
  });
});
