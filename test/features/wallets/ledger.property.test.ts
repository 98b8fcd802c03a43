import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance, DOCUMENTS } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";

/** Whatever happens in whatever order, the books balance. */

const HOLD_MS = 120_000;

let emulator: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-ledger-"));
  const fees = { PIX: { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } } };
  const settings = { fees, settlementHoldMs: HOLD_MS };
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db"), settings });
  db = new Database(join(folder, "qa.db"), { readonly: true });
});
afterAll(async () => {
  db.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const rows = (sql: string, ...values: unknown[]): Loose[] => db.prepare(sql).all(...values);

type Step =
  | { readonly do: "create"; readonly amount: number; readonly expected: boolean; readonly live: boolean }
  | { readonly do: "pay"; readonly charge: number; readonly off: number; readonly document: string | null | undefined }
  | { readonly do: "review"; readonly charge: number; readonly decision: string }
  | { readonly do: "fail" | "expire"; readonly charge: number }
  | { readonly do: "advance"; readonly seconds: number };

const which = fc.nat({ max: 20 });
const create = fc.record({
  do: fc.constant("create" as const),
  amount: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 999_999_999_999 })),
  expected: fc.boolean(),
  live: fc.boolean(),
});
const pay = fc.record({
  do: fc.constant("pay" as const),
  charge: which,
  off: fc.constantFrom(0, 0, 0, 1, -1),
  document: fc.constantFrom(undefined, undefined, null, null, DOCUMENTS.cpf, DOCUMENTS.otherCpf),
});
const review = fc.record({
  do: fc.constant("review" as const),
  charge: which,
  decision: fc.constantFrom("approve", "reject"),
});
const end = fc.record({ do: fc.constantFrom("fail" as const, "expire" as const), charge: which });
const advance = fc.record({
  do: fc.constant("advance" as const),
  seconds: fc.constantFrom(0, 1, 30, 60, 119.999, 120, 3_600),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: create },
  { weight: 6, arbitrary: pay },
  { weight: 3, arbitrary: review },
  { weight: 1, arbitrary: end },
  { weight: 1, arbitrary: advance },
);

interface Made {
  readonly id: string;
  readonly key: string;
  readonly amount: number;
}

/** Does one step; a refusal is as good as a success, a failure of the service is not. */
async function take(given: Step, made: Made[]): Promise<void> {
  if (given.do === "advance") {
    await emulator.sandbox("/clock/advance", { seconds: given.seconds });
    return;
  }
  if (given.do === "create") {
    const key = given.live ? emulator.live : emulator.key;
    const payer = given.expected ? { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf } : {};
    const { id, amount } = await emulator.charge({ amount: given.amount, expires_in: 60, ...payer }, { key });
    made.push({ id, key, amount });
    return;
  }
  const charge = made[given.charge % Math.max(made.length, 1)];
  if (charge === undefined) return;
  const body =
    given.do === "pay"
      ? { amount: Math.max(1, charge.amount + given.off), payer_document: given.document }
      : { decision: given.do === "review" ? given.decision : undefined };
  // Left out, not null: null means that the bank did not report the payer.
  const answer = await emulator.call("POST", `/_sandbox/charges/${charge.id}/${given.do}`, { key: charge.key, body });
  expect(answer.status).toBeLessThan(500);
}

/** What must hold after any sequence at all. */
async function checkBooks(): Promise<void> {
  const open = rows("SELECT journal_id, SUM(amount) AS sum FROM ledger_entries GROUP BY journal_id HAVING sum <> 0");
  expect(open).toEqual([]);
  expect(rows("SELECT id FROM ledger_journals WHERE id NOT IN (SELECT journal_id FROM ledger_entries)")).toEqual([]);
  const order = "ORDER BY book_id, currency, bucket";
  expect(rows(`SELECT * FROM ledger_balances ${order}`)).toEqual(
    rows(
      `SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY book_id, currency, bucket ${order}`,
    ),
  );
  for (const [mode, key] of [
    ["test", emulator.key],
    ["live", emulator.live],
  ] as const) {
    const [expected] = rows(
      `SELECT COALESCE(SUM(CASE WHEN status = 'PAID' THEN amount - provider_fee - platform_fee END), 0) AS net,
              COALESCE(SUM(CASE WHEN status = 'PAID' THEN provider_fee END), 0) AS provider,
              COALESCE(SUM(CASE WHEN status = 'PAID' THEN platform_fee END), 0) AS platform,
              COALESCE(SUM(CASE WHEN status = 'PROCESSING' THEN amount END), 0) AS review
         FROM transactions t JOIN books b ON b.id = t.book_id WHERE b.mode = ?`,
      mode,
    );
    const buckets = rows(
      "SELECT bucket, balance FROM ledger_balances l JOIN books b ON b.id = l.book_id WHERE b.mode = ?",
      mode,
    );
    const held = Object.fromEntries(buckets.map(({ bucket, balance }) => [bucket, balance]));
    const shown = await balance(emulator, key);
    expect(shown.total).toBe(expected.net);
    expect([shown.available, shown.pending]).toEqual([held.available ?? 0, held.pending ?? 0]);
    expect([held.provider_fees ?? 0, held.platform_fees ?? 0]).toEqual([expected.provider, expected.platform]);
    expect(held.review ?? 0).toBe(expected.review);
    expect((held.world ?? 0) + expected.net + expected.provider + expected.platform + expected.review).toBe(0);
    const [waiting] = rows(
      `SELECT COALESCE(SUM(amount), 0) AS sum FROM tranches t JOIN books b ON b.id = t.book_id
        WHERE b.mode = ? AND released_at IS NULL`,
      mode,
    );
    expect(shown.pending).toBe(waiting.sum);
  }
}

describe("any sequence of events", () => {
  it("keeps the books balanced at every step, and in the end all of what was paid is available", async () => {
    let paid = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40, size: "max" }), async (steps) => {
        await emulator.sandbox("/reset");
        const made: Made[] = [];
        for (const given of steps) {
          await take(given, made);
          await checkBooks();
        }
        await emulator.sandbox("/clock/advance", { seconds: HOLD_MS / 1_000 });
        await checkBooks();
        for (const key of [emulator.key, emulator.live]) {
          const { available, pending, total } = await balance(emulator, key);
          expect([available, pending]).toEqual([total, 0]);
        }
        paid += rows("SELECT id FROM transactions WHERE status = 'PAID'").length;
      }),
      { seed: 20_261_121, numRuns: 25 },
    );
    // The sequences are not so random that nothing is ever paid.
    expect(paid).toBeGreaterThan(20);
  }, 60_000);
});

describe("the ledger", () => {
  it("is never edited, not even by hand", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    const writer = new Database(join(folder, "qa.db"));
    try {
      expect(() => writer.prepare("UPDATE ledger_entries SET amount = amount + 1").run()).toThrow(/never edited/);
    } finally {
      writer.close();
    }
  });
});
