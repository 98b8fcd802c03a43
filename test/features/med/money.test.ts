import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { balance, statusOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type Action, act, openCase, paidCharge, purse } from "../../support/med.js";

/** Where contested money is at every step of a case, and where it ends (docs/service/med.md#decisions). */

let emulator: TestEmulator;
let holding: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-med-money-"));
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db") });
  holding = await startEmulator({ frozen: true, settings: { settlementHoldMs: 86_400_000 } });
  db = new Database(join(folder, "qa.db"), { readonly: true });
});
afterAll(async () => {
  db.close();
  await emulator.close();
  await holding.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await holding.sandbox("/reset");
});

const rows = (sql: string): Loose[] => db.prepare(sql).all();

/** Every bucket of the ledger that holds something, after a look that every journal sums to zero. */
function buckets(): Loose {
  expect(rows("SELECT journal_id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0")).toEqual([]);
  const found = rows("SELECT bucket, SUM(balance) AS sum FROM ledger_balances GROUP BY bucket HAVING sum <> 0");
  return Object.fromEntries(found.map(({ bucket, sum }) => [bucket, sum]));
}

type Story = [actions: Action[], status: string, outcome: string, kept: boolean];
const STORIES: Story[] = [
  [["accept"], "accepted", "lost", false],
  [["decide upheld"], "closed", "closed_without_refund", false],
  [["decide closed_without_refund"], "closed", "closed_without_refund", false],
  [["decide refunded_to_merchant"], "closed", "refunded_to_merchant", true],
  [["withdraw"], "closed", "refunded_to_merchant", true],
  [["appeal", "decide upheld"], "rejected", "lost", false],
  [["appeal", "decide closed_without_refund"], "closed", "closed_without_refund", false],
  [["appeal", "decide refunded_to_merchant"], "closed", "refunded_to_merchant", true],
  [["appeal", "withdraw"], "closed", "refunded_to_merchant", true],
  [["request-evidence", "appeal", "request-evidence", "withdraw"], "closed", "refunded_to_merchant", true],
];

describe("the money of a case", () => {
  it.each(STORIES)("that ends by %j is %s, %s", async (actions, status, outcome, kept) => {
    const { id } = await paidCharge(emulator, { amount: 10_000 });
    expect(buckets()).toEqual({ available: 10_000, world: -10_000 });
    let found = await openCase(emulator, { charge_id: id, amount: 4_000 });
    for (const action of actions) {
      // Held, whatever is said about it, until it is decided.
      expect([found.money_outcome, await purse(emulator)]).toEqual([null, [6_000, 4_000]]);
      expect(buckets()).toEqual({ available: 6_000, retained: 4_000, world: -10_000 });
      expect(await statusOf(emulator, id)).toBe("disputed");
      found = await act(emulator, found.id, action);
    }
    expect([found.status, found.money_outcome]).toEqual([status, outcome]);
    expect(await purse(emulator)).toEqual([kept ? 10_000 : 6_000, 0]);
    expect(buckets()).toEqual(kept ? { available: 10_000, world: -10_000 } : { available: 6_000, world: -6_000 });
    expect(await statusOf(emulator, id)).toBe(kept ? "paid" : "disputed");
    expect(await balance(emulator)).toMatchObject({ pending: 0, total: kept ? 10_000 : 6_000 });
  });

  it("of several cases is held together and ends apart", async () => {
    const cases: Loose[] = [];
    for (const amount of [100, 200, 400]) {
      const { id } = await paidCharge(emulator, { amount });
      cases.push(await openCase(emulator, { charge_id: id }));
    }
    expect(await purse(emulator)).toEqual([0, 700]);
    await act(emulator, cases[0].id, "withdraw");
    expect(await purse(emulator)).toEqual([100, 600]);
    await act(emulator, cases[1].id, "accept");
    expect(await purse(emulator)).toEqual([100, 400]);
    expect(buckets()).toEqual({ available: 100, retained: 400, world: -500 });
  });

  it("may leave a negative balance, which the next payment fills", async () => {
    const { id } = await paidCharge(emulator);
    const payout = await emulator.sandbox("/payouts", { amount: 1_990, pix_key: "a@example.com" });
    await emulator.sandbox(`/payouts/${payout.id}/pay`);
    await act(emulator, (await openCase(emulator, { charge_id: id })).id, "accept");
    expect(await purse(emulator)).toEqual([-1_990, 0]);
    await paidCharge(emulator, { amount: 2_000 });
    expect(await purse(emulator)).toEqual([10, 0]);
  });
});

describe("contested money that is still pending", () => {
  it("is taken from what is available, which goes negative until the release", async () => {
    const { id } = await paidCharge(holding);
    const settled = await balance(holding);
    expect(settled).toMatchObject({ available: 0, pending: 1_990, retained: 0 });
    await openCase(holding, { charge_id: id });
    expect(await balance(holding)).toMatchObject({
      available: -1_990,
      pending: 1_990,
      total: 0,
      retained: 1_990,
      next_release_at: settled.next_release_at,
      next_release_amount: 1_990,
    });
    await holding.sandbox("/clock/advance", { seconds: 86_400 });
    expect(await balance(holding)).toMatchObject({ available: 0, pending: 0, retained: 1_990 });
  });

  it.each([
    ["withdraw", 0, 1_990],
    ["accept", -1_990, 0],
  ] as const)("and ends by %s before the release", async (action, before, after) => {
    const { id } = await paidCharge(holding);
    await act(holding, (await openCase(holding, { charge_id: id })).id, action);
    expect(await balance(holding)).toMatchObject({ available: before, pending: 1_990, retained: 0 });
    await holding.sandbox("/clock/advance", { seconds: 86_400 });
    expect(await balance(holding)).toMatchObject({ available: after, pending: 0, retained: 0 });
  });
});

describe("fees of a contested payment", () => {
  it("stay where they are: the gross amount is held and comes back", async () => {
    const fees = { PIX: { provider: { fixed: 0, bps: 0 }, platform: { fixed: 90, bps: 0 } } };
    const charging = await startEmulator({ frozen: true, settings: { fees } });
    try {
      const { id } = await paidCharge(charging);
      const opened = await openCase(charging, { charge_id: id });
      expect([opened.amount, await purse(charging)]).toEqual([1_990, [-90, 1_990]]);
      await act(charging, opened.id, "decide refunded_to_merchant");
      expect(await purse(charging)).toEqual([1_900, 0]);
    } finally {
      await charging.close();
    }
  });
});
