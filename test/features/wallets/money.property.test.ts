import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance, DOCUMENTS } from "../../support/charges.js";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { MONEY_INVARIANTS } from "../../support/invariants/money.js";
import { breachesOf } from "../../support/invariants.js";
import { postPayment } from "../../support/payments.js";
import { postAdvance, postRefund } from "../../support/refunds.js";

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

const rows = (sql: string, ...values: unknown[]): Loose[] => db.prepare(sql).all(...values);

const KINDS = [
  { currency: "BRL", paymentMethods: ["PIX"] },
  { currency: "BRL", paymentMethods: ["PIX", "BOLETO", "CREDIT_CARD"] },
  { currency: "BRL", paymentMethods: ["BOLETO"] },
  { currency: "BRL", paymentMethods: ["CREDIT_CARD"] },
  { currency: "EUR", paymentMethods: ["CREDIT_CARD", "MULTIBANCO"] },
  { currency: "USDT", paymentMethods: ["CRYPTO"] },
] as const;

interface Made {
  readonly id: string;
  readonly key: string;
  readonly amount: number;
  readonly kind: (typeof KINDS)[number];
}

/** What exists: each with the key of its book. */
interface World {
  readonly payments: Made[];
  /** Those of them that were paid at some time. */
  readonly paid: Made[];
  readonly refunds: { readonly id: string; readonly key: string }[];
  readonly payouts: { readonly id: string; readonly key: string }[];
  readonly cases: { readonly id: string; readonly key: string }[];
}

/** One step: a refusal is as good as a success, a failure of the service is not. */
type Step = (world: World) => Promise<void>;

/** A step that reads as what it does when fast-check shows it. */
function step<Given>(name: string, given: fc.Arbitrary<Given>, take: (given: Given, world: World) => Promise<void>) {
  return given.map((value): Step => {
    const run: Step = (world) => take(value, world);
    return Object.assign(run, { toString: () => `${name} ${JSON.stringify(value)}` });
  });
}

async function call(path: string, key: string, body?: object): Promise<Loose> {
  const answer = await emulator.call("POST", path, { key, ...(body === undefined ? {} : { body }) });
  expect(answer.status).toBeLessThan(500);
  return answer.status < 300 ? answer.body : null;
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];
// Biased numbers would mean the same few all the time.
const which = fc.noBias(fc.nat({ max: 1_000 }));
/** Mostly one that was paid, so that something comes of it. */
const pickPaid = ({ paid, payments }: World, index: number) => pick(index % 8 === 0 ? payments : paid, index);
const amount = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 9_999_999_999 }));
const keyOf = (live: boolean) => (live ? emulator.live : emulator.key);

const createPayment = step(
  "payment",
  fc.record({ kind: fc.constantFrom(...KINDS), amount, live: fc.boolean(), paidAtOnce: fc.boolean() }),
  async (given, { payments, paid }) => {
    const key = keyOf(given.live);
    const body = { ...given.kind, amount: given.amount };
    const answer = await postPayment(emulator, body, { key });
    expect([201, 422]).toContain(answer.status);
    if (answer.status !== 201) return;
    const made = { id: answer.body.id, key, amount: given.amount, kind: given.kind };
    payments.push(made);
    if (!given.paidAtOnce) return;
    await call(`/_sandbox/charges/${made.id}/pay`, key, {});
    paid.push(made);
  },
);

const createCharge = step(
  "charge",
  fc.record({ amount, expected: fc.boolean(), live: fc.boolean() }),
  async (given, { payments }) => {
    const key = keyOf(given.live);
    const payer = given.expected ? { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf } : {};
    const { id } = await emulator.charge({ amount: given.amount, expires_in: 60, ...payer }, { key });
    payments.push({ id: id.replace("ch_", ""), key, amount: given.amount, kind: KINDS[0] });
  },
);

const pay = step(
  "pay",
  fc.record({
    which,
    method: which,
    off: fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
    document: fc.constantFrom(undefined, undefined, null, DOCUMENTS.cpf, DOCUMENTS.otherCpf),
  }),
  async (given, { payments, paid }) => {
    const found = pick(payments, given.which);
    if (found === undefined) return;
    const method = pick<string>(found.kind.paymentMethods, given.method);
    const body = { amount: Math.max(1, found.amount + given.off), payer_document: given.document, method };
    const answer = await call(`/_sandbox/charges/${found.id}/pay`, found.key, body);
    if (answer?.outcome === "paid") paid.push(found);
  },
);

const end = step(
  "end",
  fc.record({ which, how: fc.constantFrom("fail", "expire", "cancel", "approve", "reject") }),
  async ({ which: index, how }, { payments }) => {
    const found = pick(payments, index);
    if (found === undefined) return;
    const path = how === "cancel" ? "/v1/payments" : "/_sandbox/charges";
    const isReview = how === "approve" || how === "reject";
    await call(`${path}/${found.id}/${isReview ? "review" : how}`, found.key, isReview ? { decision: how } : {});
  },
);

const askRefund = step(
  "refund",
  fc.record({
    which,
    /** Of the payment; null is all that is left. */
    share: fc.constantFrom(null, null, 1, 0.5, 0.3, 1.1),
    how: fc.constantFrom(
      {},
      {},
      { strategy: "devolution" },
      { passFeeToTenant: true },
      { destinationKey: "maria@example.com", passFeeToTenant: true },
      { destinationKey: "nobody@shop.invalid", passFeeToTenant: true },
    ),
  }),
  async ({ which: index, share, how }, world) => {
    const found = pickPaid(world, index);
    if (found === undefined) return;
    const part = share === null ? {} : { amount: Math.ceil(found.amount * share) };
    const { status, body } = await postRefund(emulator, found.id, { ...part, ...how }, { key: found.key });
    expect([201, 400, 422]).toContain(status);
    if (status === 201) world.refunds.push({ id: body.id, key: found.key });
  },
);

const advanceRefund = step(
  "advance refund",
  fc.record({ which, to: fc.constantFrom("IN_PROGRESS", "REFUNDED", "REFUNDED", "FAILED") }),
  async ({ which: index, to }, { refunds }) => {
    const found = pick(refunds, index);
    if (found === undefined) return;
    expect([200, 400]).toContain((await postAdvance(emulator, found.id, to, { key: found.key })).status);
  },
);

const askPayout = step(
  "payout",
  fc.record({ amount, currency: fc.constantFrom("BRL", "EUR"), live: fc.boolean() }),
  async ({ live, ...body }, { payouts }) => {
    const made = await call("/_sandbox/payouts", keyOf(live), body);
    payouts.push({ id: made.id, key: keyOf(live) });
  },
);

const endPayout = step(
  "end payout",
  fc.record({ which, how: fc.constantFrom("pay", "fail") }),
  async ({ which: index, how }, { payouts }) => {
    const found = pick(payouts, index);
    if (found !== undefined) await call(`/_sandbox/payouts/${found.id}/${how}`, found.key);
  },
);

const openCase = step(
  "contest",
  fc.record({
    which,
    type: fc.constantFrom("med", "chargeback"),
    amount: fc.constantFrom(undefined, 1, 9_999_999_999),
  }),
  async ({ which: index, ...body }, world) => {
    const found = pickPaid(world, index);
    if (found === undefined) return;
    const made = await call("/_sandbox/med-cases", found.key, { charge_id: found.id, ...body });
    if (made !== null) world.cases.push({ id: made.id, key: found.key });
  },
);

const decideCase = step(
  "decide",
  fc.record({ which, outcome: fc.constantFrom("upheld", "refunded_to_merchant", "closed_without_refund") }),
  async ({ which: index, outcome }, { cases }) => {
    const found = pick(cases, index);
    if (found !== undefined) await call(`/_sandbox/med-cases/${found.id}/decide`, found.key, { outcome });
  },
);

const time = step("time", fc.constantFrom(0, 1, 2, 4, 60, 119.999, 120, 3_600, 91 * 86_400), async (seconds) => {
  await emulator.sandbox("/clock/advance", { seconds });
});

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: createPayment },
  { weight: 2, arbitrary: createCharge },
  { weight: 10, arbitrary: pay },
  { weight: 3, arbitrary: end },
  { weight: 9, arbitrary: askRefund },
  { weight: 6, arbitrary: advanceRefund },
  { weight: 2, arbitrary: askPayout },
  { weight: 2, arbitrary: endPayout },
  { weight: 2, arbitrary: openCase },
  { weight: 2, arbitrary: decideCase },
  { weight: 2, arbitrary: time },
);

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
  for (const { id, key } of payouts) await call(`/_sandbox/payouts/${id}/pay`, key);
  for (const { id, key } of cases) {
    await call(`/_sandbox/med-cases/${id}/decide`, key, { outcome: "refunded_to_merchant" });
  }
  for (const { id, key } of payments) await call(`/_sandbox/charges/${id}/review`, key, { decision: "reject" });
  await emulator.sandbox("/clock/advance", { seconds: 10 * 86_400 });
}

const count = (sql: string): number => rows(`SELECT COUNT(*) AS n FROM ${sql}`)[0].n;

describe("any sequence of events", () => {
  it("keeps the books balanced at every step, and leaves no money in clearing at the end", async () => {
    const seen = { paid: 0, REFUNDED: 0, done: 0, FAILED: 0, passed: 0, cases: 0, payouts: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 50, maxLength: 80, size: "max" }), async (steps) => {
        await emulator.sandbox("/reset");
        const world: World = { payments: [], paid: [], refunds: [], payouts: [], cases: [] };
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
      }),
      { seed: 20_261_121, numRuns: 25 },
    );
    // The sequences are not so random that one of these never happens.
    for (const [what, times] of Object.entries(seen)) expect([what, times, times > 5]).toEqual([what, times, true]);
  }, 120_000);
});

describe("the ledger", () => {
  it("is never edited, not even by hand", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    await call(`/v1/payments/${id.replace("ch_", "")}/refund`, emulator.key, { idempotencyKey: freshKey() });
    const writer = new Database(join(folder, "qa.db"));
    try {
      expect(() => writer.prepare("UPDATE ledger_entries SET amount = amount + 1").run()).toThrow(/never edited/);
    } finally {
      writer.close();
    }
  });
});
