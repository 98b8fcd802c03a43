import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";

/** Whatever happens in whatever order, money is neither made nor lost. */

type Step =
  | { readonly kind: "create"; readonly amount: number; readonly expected: boolean }
  | { readonly kind: "pay"; readonly which: number; readonly amount: "exact" | "less"; readonly payer: string | null }
  | { readonly kind: "review"; readonly which: number; readonly decision: "approve" | "reject" }
  | { readonly kind: "expire" | "fail"; readonly which: number }
  | { readonly kind: "advance"; readonly seconds: number };

const EXPECTED = "52998224725";
const which = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    amount: fc.integer({ min: 1, max: 500_000 }),
    expected: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("pay" as const),
    which,
    amount: fc.constantFrom("exact" as const, "exact" as const, "less" as const),
    payer: fc.constantFrom(EXPECTED, "11144477735", null),
  }),
  fc.record({
    kind: fc.constant("review" as const),
    which,
    decision: fc.constantFrom("approve" as const, "reject" as const),
  }),
  fc.record({ kind: fc.constantFrom("expire" as const, "fail" as const), which }),
  fc.record({ kind: fc.constant("advance" as const), seconds: fc.integer({ min: 0, max: 5_000 }) }),
);

describe("the ledger", () => {
  let emulator: TestEmulator;
  let folder: string;
  let db: Database.Database;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "qa-pay-ledger-"));
    const fees = { PIX: { provider: { fixed: 5, bps: 37 }, platform: { fixed: 30, bps: 99 } } };
    const settings = { fees, settlementHoldMs: 1_800_000 };
    emulator = await startEmulator({ db: join(folder, "ledger.db"), frozen: true, settings });
    db = new Database(join(folder, "ledger.db"), { readonly: true });
  });

  afterAll(async () => {
    db?.close();
    await emulator?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function play(steps: readonly Step[]): Promise<void> {
    const charges: { id: string; amount: number }[] = [];
    for (const one of steps) {
      if (one.kind === "create") {
        const payer = one.expected ? { expected_payer_tax_id: EXPECTED, customer: { name: "Ana" } } : {};
        charges.push(await emulator.charge({ amount: one.amount, ...payer }));
      } else if (one.kind === "advance") {
        await emulator.sandbox("/clock/advance", { seconds: one.seconds });
      } else {
        const charge = charges[one.which % Math.max(1, charges.length)];
        if (charge === undefined) continue;
        const amount =
          one.kind === "pay" && one.amount === "less" && charge.amount > 1 ? charge.amount - 1 : charge.amount;
        const body = {
          pay: () => ({ amount, payer_document: one.kind === "pay" ? one.payer : null }),
          review: () => ({ decision: one.kind === "review" ? one.decision : "reject" }),
          expire: () => ({}),
          fail: () => ({}),
        }[one.kind]();
        // Most moves are refused in most states; a refusal must not move money either.
        await emulator.call("POST", `/_sandbox/charges/${charge.id}/${one.kind}`, { body });
      }
    }
  }

  test("stays balanced, and every balance is the sum of its entries, after any sequence", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        await emulator.sandbox("/reset");
        await play([...steps, { kind: "advance", seconds: 3_600 }]);
        const unbalanced = db.prepare(
          "SELECT journal_id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0",
        );
        expect(unbalanced.all()).toEqual([]);
        const drifted = db.prepare(
          `SELECT b.* FROM ledger_balances b WHERE b.balance <> (SELECT COALESCE(SUM(amount), 0) FROM ledger_entries e
            WHERE e.book_id = b.book_id AND e.currency = b.currency AND e.bucket = b.bucket)`,
        );
        expect(drifted.all()).toEqual([]);
        const paid = db
          .prepare(
            "SELECT COALESCE(SUM(amount - provider_fee - platform_fee), 0) AS net FROM transactions WHERE status = 'PAID'",
          )
          .get() as { net: number };
        const balance = (await emulator.call("GET", "/v1/wallets/balance")).body;
        expect(balance.available + balance.pending).toBe(paid.net);
        // An hour after the last settlement every tranche has been released.
        expect(balance.pending).toBe(0);
        const held = db
          .prepare("SELECT COALESCE(SUM(amount), 0) AS sum FROM transactions WHERE held_at IS NOT NULL")
          .get();
        const review = db
          .prepare("SELECT COALESCE(SUM(balance), 0) AS sum FROM ledger_balances WHERE bucket = 'review'")
          .get();
        expect(review).toEqual(held);
      }),
      { seed: 20_261_121, numRuns: 25 },
    );
  }, 60_000);

  test("refuses to edit an entry", () => {
    const writer = new Database(join(folder, "ledger.db"));
    writer.exec("BEGIN");
    const insert = "INSERT INTO ledger_journals (book_id, kind, reference, created_at) VALUES (1, 'test', 'x', 0)";
    const journal = writer.prepare(insert).run().lastInsertRowid;
    writer
      .prepare(
        "INSERT INTO ledger_entries (journal_id, book_id, currency, bucket, amount) VALUES (?, 1, 'BRL', 'world', 1)",
      )
      .run(journal);
    expect(() => writer.prepare("UPDATE ledger_entries SET amount = 2 WHERE journal_id = ?").run(journal)).toThrow(
      /never edited/,
    );
    writer.exec("ROLLBACK");
    writer.close();
  });
});
