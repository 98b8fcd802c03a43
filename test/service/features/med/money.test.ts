import { beforeEach, expect, it } from "vitest";
import { balance, eventsOf, statusOf } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { type Action, act, medOf, openCase, paidCharge, purse, readCase } from "../../../support/med.js";
import { shared, sharedEmulator } from "../../../support/shared.js";
import { openFile } from "../../../support/sqlite.js";
import { advance } from "../../../support/webhooks.js";

/** What a case does to its money and its charge at every step, and what is told of it (docs/service/med.md#decisions). */

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ frozen: true, db: folder.db }));
const db = shared(() => openFile(folder.db, true));
beforeEach(() => emulator.sandbox("/reset"));

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
