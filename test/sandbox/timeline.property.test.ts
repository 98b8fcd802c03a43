import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Loose } from "../support/emulator.js";
import { outcome } from "../support/faults.js";
import { breachesOf } from "../support/invariants.js";
import { type Asked, MONEY_STEPS, newObjects, type Step } from "../support/money-steps.js";
import { type Mortal, startMortal } from "../support/mortal.js";
import { type Receiver, type Reply, startReceiver } from "../support/receiver.js";
import { wrongTimeline } from "../support/told-timelines.js";
import { UNREST_STEPS, type UnrestWorld } from "../support/unrest-steps.js";

/** Whatever happens, and however it ends: every object has its whole story, in order, and the money adds up. */

const fee = { provider: { fixed: 1, bps: 33 }, platform: { fixed: 30, bps: 99 } };
const SETTINGS = { fees: { PIX: fee, CREDIT_CARD: fee, PIX_OUT: fee }, settlementHoldMs: 120_000, retryBaseMs: 500 };
const KEYS = { testKey: "qa_test_timeline-property", liveKey: "qa_live_timeline-property" };

let folder: string;
let receiver: Receiver;
let mortal: Mortal;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-timelines-"));
  receiver = await startReceiver();
  mortal = await startMortal(folder, { frozen: true, settings: SETTINGS, ...KEYS });
});
afterAll(async () => {
  await mortal.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** What a receiver does with a delivery, by the last part of its path. */
function replyOf(path: string, isFirst: boolean): Reply {
  const fates: Readonly<Record<string, Reply>> = {
    takes: { status: 204 },
    late: { status: isFirst ? 500 : 200 },
    refuses: { status: 500, body: "no such order" },
    gone: { status: 410 },
    closes: { instead: "close" },
    hangs: { instead: "silence" },
  };
  return fates[path.split("/").at(-1) ?? ""] ?? { status: 404 };
}

type Seen = Record<string, number> & { kills: number; faulted: number };

/** What must have happened often enough in all runs together, counted at the end and before each loss. */
const COUNTED: Readonly<Record<string, string>> = {
  transactions: "transactions",
  "refunds that were done": "refunds WHERE status = 'REFUNDED'",
  "refunds that failed": "refunds WHERE status = 'FAILED'",
  "payouts that were paid": "payouts WHERE status = 'paid'",
  "payouts that failed": "payouts WHERE status = 'failed'",
  cases: "med_cases",
  evidence: "history WHERE move = 'add_evidence'",
  "card pages": "history WHERE cause LIKE 'page %'",
  "due work": "history WHERE cause LIKE 'work %'",
  releases: "history WHERE move = 'release'",
  resends: "deliveries WHERE history_seq IS NOT NULL",
  "resends elsewhere": "deliveries WHERE target_url IS NOT NULL",
  "deliveries that arrived": "deliveries WHERE status = 'DELIVERED'",
  "deliveries that were given up": "deliveries WHERE status = 'FAILED'",
  "later attempts": "delivery_attempts WHERE attempt > 1",
  "attempts without an answer": "delivery_attempts WHERE error LIKE 'no answer within%'",
  "connections that were closed": "delivery_attempts WHERE error LIKE '%closed%' OR error LIKE '%reset%'",
  "attempts with chaos": "delivery_attempts WHERE chaos IS NOT NULL",
  "attempts repeated by chaos": "delivery_attempts WHERE chaos LIKE '%,duplicate,%'",
  jumps: "history WHERE move = 'advance'",
  "stopped clocks": "history WHERE move = 'freeze'",
  restores: "history WHERE move = 'restore'",
  "objects of the live book": "transactions WHERE book_id = (SELECT MIN(id) FROM books WHERE mode = 'live')",
};

function count(db: Database.Database, seen: Seen): void {
  for (const [what, rows] of Object.entries(COUNTED)) {
    seen[what] = (seen[what] ?? 0) + Number(db.prepare(`SELECT COUNT(*) FROM ${rows}`).pluck().get());
  }
}

/** Reads the database of the emulator that runs now. */
function look<Found>(how: (db: Database.Database) => Found): Found {
  const db = new Database(mortal.file, { readonly: true });
  try {
    return how(db);
  } finally {
    db.close();
  }
}

function newWorld(seen: Seen): UnrestWorld {
  /** Requests that rules may still take. */
  let faults = 0;
  async function ask({ method = "POST", path, expected, ...rest }: Asked): Promise<Loose> {
    const answer = await outcome(mortal.emulator.call(method, path, rest));
    if (path === "/_sandbox/faults") faults += 1;
    const isFaulted = answer === "cut" || answer.status === 503 || answer.status === 429;
    if (isFaulted && faults > 0 && path.startsWith("/v1/")) {
      seen.faulted += 1;
      return null;
    }
    if (answer === "cut") throw new Error(`${method} ${path} was cut off`);
    const told = `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`;
    if (answer.status >= 500) throw new Error(told);
    // Whatever a restore, a reset or a kill has undone is not there any more.
    if (expected !== undefined && answer.status !== 404 && !expected.includes(answer.status)) throw new Error(told);
    return answer.status < 300 ? answer.body : null;
  }
  return {
    get emulator() {
      return mortal.emulator;
    },
    receiver: receiver.url,
    saved: new Set(),
    asked: [],
    ask,
    beforeLoss: () => look((db) => count(db, seen)),
    async kill(turns, work) {
      seen.kills += 1;
      await mortal.kill(turns, work);
    },
    ...newObjects(),
  };
}

/** Every page of a list of the control interface. */
async function pages(path: string, key: string): Promise<Loose[]> {
  const rows: Loose[] = [];
  for (let after = ""; ; ) {
    const page = await mortal.emulator.sandbox(`${path}?limit=100${after}`, undefined, { key });
    rows.push(...page.data);
    if (!page.has_more) return rows;
    after = `&after=${page.next_cursor}`;
  }
}

const SUBJECTS = `SELECT book_id AS book, 'ch_' || id AS id FROM transactions
  UNION ALL SELECT book_id, 'po_' || id FROM payouts UNION ALL SELECT book_id, 'med_' || id FROM med_cases
  UNION ALL SELECT t.book_id, 'rf_' || r.id FROM refunds r JOIN transactions t ON t.id = r.transaction_id`;

/** Everything that the service tells of its objects, against what is in its database. */
async function wrongAnswers(db: Database.Database): Promise<string[]> {
  const wrong: string[] = [];
  const { emulator } = mortal;
  for (const [mode, key] of [
    ["test", emulator.key],
    ["live", emulator.live],
  ] as const) {
    const { ok, problems } = await emulator.sandbox("/ledger/check", undefined, { key });
    if (!ok) wrong.push(`the ledger: ${JSON.stringify(problems)}`);
    const log = await pages("/requests", key);
    const own = `SELECT id FROM (${SUBJECTS}) WHERE book = (SELECT MIN(id) FROM books WHERE mode = ?)`;
    for (const id of db.prepare(own).pluck().all(mode).map(String)) {
      const timeline = await emulator.sandbox(`/timeline/${id}`, undefined, { key });
      wrong.push(...wrongTimeline(db, log, timeline));
      const { data } = await emulator.sandbox(`/clock/due?limit=100&subject=${id}`, undefined, { key });
      if (JSON.stringify(data) !== JSON.stringify(timeline.due)) wrong.push(`what is due of ${id} is told in two ways`);
    }
  }
  return wrong;
}

it("tells every story whole, in order and with its causes, whatever happens and however the server ends", async () => {
  const seen: Seen = { kills: 0, faulted: 0 };
  const known = new Set<string>();
  receiver.respond = ({ path, headers }) => {
    const delivery = String(headers["x-qa-delivery-id"]);
    const isFirst = !known.has(delivery);
    known.add(delivery);
    return replyOf(path, isFirst);
  };
  const money = MONEY_STEPS.map(({ weight, arbitrary }) => ({ weight: 3 * weight, arbitrary }));
  const anyStep: fc.Arbitrary<Step<UnrestWorld>> = fc.oneof(...money, ...UNREST_STEPS);
  const steps = fc.noBias(fc.array(anyStep, { minLength: 120, maxLength: 160, size: "max" }));
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      mortal.removeSnapshots();
      await mortal.emulator.sandbox("/reset");
      const world = newWorld(seen);
      for (const take of taken) await take(world);
      await mortal.emulator.sandbox("/clock/advance", { seconds: 0 });
      const db = new Database(mortal.file, { readonly: true });
      try {
        expect([...breachesOf(db), ...(await wrongAnswers(db)), ...mortal.errors]).toEqual([]);
        count(db, seen);
      } finally {
        db.close();
      }
    }),
    // A failure is reported with the shortest steps that were found in this time.
    { seed: 20_261_122, numRuns: 6, interruptAfterTimeLimit: 500_000, markInterruptAsFailure: true },
  );
  // The steps are not so random that one of these never happens.
  for (const [what, times] of Object.entries(seen)) expect([what, times, times > 4]).toEqual([what, times, true]);
});
