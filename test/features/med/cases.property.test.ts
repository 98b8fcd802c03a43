import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance } from "../../support/charges.js";
import { freshKey, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { ACTIONS, type Action, emails, paidCharge, postCase, tryAction } from "../../support/med.js";

/** Whatever merchant, payer and bank do in whatever order, money and statuses tell one story. */

const HOLD_SECONDS = 100;

let emulator: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-med-"));
  const settings = { settlementHoldMs: HOLD_SECONDS * 1_000 };
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db"), settings });
  db = new Database(join(folder, "qa.db"), { readonly: true });
});
afterAll(async () => {
  db.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const rows = (sql: string): Loose[] => db.prepare(sql).all();

type Step =
  | { readonly do: "pay"; readonly amount: number }
  | { readonly do: "open"; readonly which: number; readonly type: string; readonly part: number | null }
  | { readonly do: "act"; readonly which: number; readonly action: Action }
  | { readonly do: "refund"; readonly which: number; readonly part: number | null }
  | { readonly do: "advance"; readonly seconds: number };

const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pay" as const), amount: fc.integer({ min: 1, max: 5_000 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      which,
      type: fc.constantFrom("med", "chargeback", "dispute", "fraud"),
      // Hundredths of what was paid; above a hundred is more than there can be.
      part: fc.constantFrom(null, null, 1, 50, 100, 101, 200),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("act" as const),
      which,
      action: fc.constantFrom(...(Object.keys(ACTIONS) as Action[])),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("refund" as const), which, part: fc.constantFrom(null, 10, 50, 100) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("advance" as const), seconds: fc.constantFrom(0, 1, 2, 60, 604_800) }),
  },
);

interface World {
  readonly charges: Loose[];
  readonly cases: Loose[];
}

const pick = (some: Loose[], at: number): Loose => some[at % Math.max(some.length, 1)];
const share = (amount: number, part: number) => Math.max(1, Math.floor((amount * part) / 100));

/** Does one step; a refusal is as good as a success, a failure of the service is not. */
async function take(given: Step, { charges, cases }: World): Promise<void> {
  if (given.do === "pay") {
    charges.push(await paidCharge(emulator, { amount: given.amount }));
    return;
  }
  if (given.do === "advance") {
    await emulator.sandbox("/clock/advance", { seconds: given.seconds });
    return;
  }
  if (given.do === "act") {
    const found = pick(cases, given.which);
    if (found !== undefined) expect((await tryAction(emulator, found.id, given.action)).status).toBeLessThan(500);
    return;
  }
  const charge = pick(charges, given.which);
  if (charge === undefined) return;
  const amount = given.part === null ? {} : { amount: share(charge.amount, given.part) };
  if (given.do === "open") {
    const answer = await postCase(emulator, { charge_id: charge.id, type: given.type, ...amount });
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 201) cases.push(answer.body);
    return;
  }
  const body = { idempotencyKey: freshKey(), ...amount };
  const answer = await emulator.call("POST", `/v1/payments/${charge.id.slice(3)}/refund`, { body });
  expect([201, 400]).toContain(answer.status);
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const isOpen = ({ status }: Loose) => status === "open" || status === "appealed";

/** Checks a charge with its cases and refunds. Returns what the charge adds to the wallet and what is held of it. */
async function checkCharge({ id, amount }: Loose, all: Loose[]): Promise<[own: number, held: number]> {
  const { status, metadata } = (await emulator.call("GET", `/v1/charges/${id}`)).body;
  const refunds: Loose[] = (await emulator.call("GET", `/v1/payments/${id.slice(3)}/refunds`)).body;
  const cases = all.filter((one) => one.charge_id === id);
  expect(cases.filter(isOpen).length).toBeLessThan(2);
  const holds = new Set(rows("SELECT id FROM med_cases WHERE held > 0").map((row) => `med_${row.id}`));
  const holding = cases.filter((one) => holds.has(one.id));
  const pending = holding.filter(isOpen);
  const lost = holding.filter((one) => !isOpen(one) && one.money_outcome !== "refunded_to_merchant");
  const taken = sum(refunds.filter((one) => one.status !== "FAILED").map((one) => one.amount));
  const refunded = sum(refunds.filter((one) => one.status === "REFUNDED").map((one) => one.amount));
  const disputed = pending.length + lost.length > 0;
  const settled = refunded === amount ? "refunded" : "paid";
  expect(status).toBe(disputed ? "disputed" : settled);
  // The newest case is what the charge speaks of.
  const [newest] = cases;
  expect("med" in metadata).toBe(newest !== undefined);
  if (newest !== undefined) {
    expect(metadata.med).toMatchObject({ openedAt: newest.opened_at, amountMismatch: !holds.has(newest.id) });
    expect(["created", "delivered"].includes(metadata.med.status)).toBe(isOpen(newest));
  }
  const held = sum(pending.map((one) => one.amount));
  const own = amount - taken - held - sum(lost.map((one) => one.amount));
  // Never more than was paid is claimed back, by refunds and cases together.
  expect(own).toBeGreaterThanOrEqual(0);
  return [own, held];
}

function checkCase(one: Loose, told: Loose[], mails: Loose[]): void {
  const names = told.filter(({ subject }) => subject === one.id.slice(4)).map(({ type }) => type);
  const resolved = !isOpen(one);
  expect(names.filter((name) => name === "med_case.created")).toHaveLength(1);
  expect(names.filter((name) => name === "med.resolved")).toHaveLength(resolved ? 1 : 0);
  expect([one.money_outcome !== null, one.closed_at !== null]).toEqual([resolved, resolved]);
  if (one.status === "accepted" || one.status === "rejected") expect(one.money_outcome).toBe("lost");
  if (one.status === "closed") expect(one.money_outcome).not.toBe("lost");
  if (one.status === "appealed" || one.status === "rejected") expect(one.appealed_at).not.toBeNull();
  const kinds = mails.filter(({ case_id }) => case_id === one.id).map(({ kind }) => kind);
  expect(kinds).toEqual(resolved ? ["MED resolved", "MED opened"] : ["MED opened"]);
}

/** What must hold after any sequence at all. */
async function check({ charges, cases: opened }: World): Promise<void> {
  expect(rows("SELECT journal_id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0")).toEqual([]);
  const cases: Loose[] = (await emulator.call("GET", "/v1/med/cases?limit=100")).body.data;
  expect(cases.map(({ id }) => id).sort()).toEqual(opened.map(({ id }) => id).sort());
  const told = rows("SELECT type, subject FROM events");
  const mails = await emails(emulator, "?limit=100");
  for (const one of cases) checkCase(one, told, mails);
  const parts: [number, number][] = [];
  for (const charge of charges) parts.push(await checkCharge(charge, cases));
  const wallet = await balance(emulator);
  expect(wallet.retained).toBe(sum(parts.map(([, held]) => held)));
  expect(wallet.total).toBe(sum(parts.map(([own]) => own)));
}

describe("any sequence of events", () => {
  it("leaves money, charges, cases, events and e-mails consistent with each other", async () => {
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40, size: "max" }), async (steps) => {
        await emulator.sandbox("/reset");
        const world: World = { charges: [await paidCharge(emulator)], cases: [] };
        for (const [index, given] of steps.entries()) {
          await take(given, world);
          if (index % 5 === 0) await check(world);
        }
        await emulator.sandbox("/clock/advance", { seconds: HOLD_SECONDS });
        await check(world);
        expect(await balance(emulator)).toMatchObject({ pending: 0 });
        for (const { status, money_outcome } of rows("SELECT status, money_outcome FROM med_cases")) {
          ends.add(`${status} ${money_outcome}`);
        }
      }),
      { seed: 20_261_121, numRuns: 20 },
    );
    // The sequences are not so random that some end is never come to.
    expect([...ends].sort()).toEqual([
      "accepted lost",
      "appealed null",
      "closed closed_without_refund",
      "closed refunded_to_merchant",
      "open null",
      "rejected lost",
    ]);
  });
});
