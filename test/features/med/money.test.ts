import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { balance, eventsOf, statusOf } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { type Action, act, medOf, openCase, paidCharge, purse, readCase } from "../../support/med.js";
import { ownEmulator, shared, sharedEmulator } from "../../support/shared.js";
import { advance } from "../../support/webhooks.js";

/** What a case does to its money and its charge at every step, and what is told of it (docs/service/med.md#decisions). */

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ frozen: true, db: folder.db }));
const holding = sharedEmulator({ frozen: true, settings: { settlementHoldMs: 86_400_000 } });
const db = shared(() => new Database(folder.db, { readonly: true }));
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

/** What is said of a case: its status, where the money ends, and the charge's status and result of it. */
type Story = [actions: Action[], status: string, outcome: string, said: string];
const STORIES: Story[] = [
  [["accept"], "accepted", "lost", "closed agreed"],
  [["decide upheld"], "closed", "closed_without_refund", "closed agreed"],
  [["decide closed_without_refund"], "closed", "closed_without_refund", "closed agreed"],
  [["decide refunded_to_merchant"], "closed", "refunded_to_merchant", "closed disagreed"],
  [["withdraw"], "closed", "refunded_to_merchant", "canceled "],
  [["appeal", "decide upheld"], "rejected", "lost", "closed agreed"],
  [["appeal", "decide closed_without_refund"], "closed", "closed_without_refund", "closed agreed"],
  [["appeal", "decide refunded_to_merchant"], "closed", "refunded_to_merchant", "closed disagreed"],
  [["appeal", "withdraw"], "closed", "refunded_to_merchant", "canceled "],
  [["request-evidence", "appeal", "request-evidence", "withdraw"], "closed", "refunded_to_merchant", "canceled "],
];

it.each(STORIES)("a case that goes through %j is %s, its money %s, and its charge says %s", async (...story) => {
  const [actions, status, outcome, said] = story;
  const kept = outcome === "refunded_to_merchant";
  const { id } = await paidCharge(emulator, { amount: 10_000 });
  const paid = await eventsOf(emulator, id);
  expect(buckets()).toEqual({ available: 10_000, world: -10_000 });
  const opened = await openCase(emulator, { charge_id: id, amount: 4_000 });
  const told = [opened];
  let now = opened.opened_at;
  for (const action of actions) {
    // Held, whatever is said about it, until it is decided.
    expect([told.at(-1)?.money_outcome, await purse(emulator)]).toEqual([null, [6_000, 4_000]]);
    expect(buckets()).toEqual({ available: 6_000, retained: 4_000, world: -10_000 });
    const open = { status: "delivered", updatedAt: now, lastEventAt: now, closedAt: null };
    expect(await medOf(emulator, id)).toMatchObject(open);
    expect(await statusOf(emulator, id)).toBe("disputed");
    now = (await advance(emulator, 60)).now;
    told.push(await act(emulator, opened.id, action));
  }
  const last = told.at(-1);
  expect([last?.status, last?.money_outcome]).toEqual([status, outcome]);
  expect(await readCase(emulator, opened.id)).toStrictEqual(last);

  expect(await purse(emulator)).toEqual([kept ? 10_000 : 6_000, 0]);
  expect(buckets()).toEqual(kept ? { available: 10_000, world: -10_000 } : { available: 6_000, world: -6_000 });
  expect(await statusOf(emulator, id)).toBe(kept ? "paid" : "disputed");
  expect(await balance(emulator)).toMatchObject({ pending: 0, total: kept ? 10_000 : 6_000 });

  const med = await medOf(emulator, id);
  expect([`${med.status} ${med.result ?? ""}`, "result" in med]).toEqual([said, said !== "canceled "]);
  expect(med).toMatchObject({ openedAt: opened.opened_at, updatedAt: now, lastEventAt: now, closedAt: now });
  expect((await emulator.call("GET", `/v1/payments/${id.slice(3)}`)).body.metadata.med).toStrictEqual(med);

  // Each event tells the case as it was answered at its moment; the last update and the resolution the same one.
  const { data } = await emulator.sandbox(`/events?subject=${opened.id}&limit=100`);
  const payloads = data.map(({ payload }: Loose) => payload).reverse();
  const names = ["med_case.created", ...actions.map(() => "med_case.updated"), "med.resolved"];
  expect(payloads.map(({ type }: Loose) => type)).toEqual(names);
  expect(payloads.map((payload: Loose) => payload.data)).toStrictEqual([...told, last].map((object) => ({ object })));
  // Those of the charge are legacy alone, and there is never a second charge.paid.
  const ofCharge = ["payment.failed", "payment.status_changed", ...(kept ? ["payment.status_changed"] : [])];
  expect((await eventsOf(emulator, id)).slice(paid.length)).toEqual(ofCharge);
});

describe("the money of a case", () => {
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

it("fees of a contested payment stay where they are: the gross amount is held and comes back", async () => {
  const fees = { PIX: { provider: { fixed: 0, bps: 0 }, platform: { fixed: 90, bps: 0 } } };
  const charging = await ownEmulator({ frozen: true, settings: { fees } });
  const { id } = await paidCharge(charging);
  const opened = await openCase(charging, { charge_id: id });
  expect([opened.amount, await purse(charging)]).toEqual([1_990, [-90, 1_990]]);
  await act(charging, opened.id, "decide refunded_to_merchant");
  expect(await purse(charging)).toEqual([1_900, 0]);
});
