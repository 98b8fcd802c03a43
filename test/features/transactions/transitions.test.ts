import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  PUBLIC_STATUS,
  TRANSACTION_STATUSES,
  type TransactionMove,
  type TransactionStatus,
  transactionMachine,
} from "../../../src/features/transactions/machine.js";
import { DOCUMENTS, eventsOf, expectCharge, statusOf } from "../../support/charges.js";
import { type Answer, type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";

/** Every pair of a state and a move, tried through the simulators and held against the one table. */

let emulator: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-transitions-"));
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db") });
  db = new Database(join(folder, "qa.db"));
});
afterAll(async () => {
  db.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const control = (id: string, what: string, body: object = {}) =>
  emulator.call("POST", `/_sandbox/charges/${id}/${what}`, { body });

/** How a charge really gets to a state. */
const WAYS: Partial<Record<TransactionStatus, [what: string, body: object]>> = {
  PROCESSING: ["pay", { payer_document: null }],
  PAID: ["pay", {}],
  REFUSED: ["fail", {}],
  EXPIRED: ["expire", {}],
  REFUNDED: ["pay", { payer_document: DOCUMENTS.otherCpf }],
};

/** A charge in that state. States that nothing of this service leads to yet are written into the database. */
async function chargeIn(state: TransactionStatus): Promise<Loose> {
  const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
  const way = WAYS[state];
  if (way !== undefined) await control(charge.id, ...way);
  else if (state !== transactionMachine.initial.state) {
    db.prepare("UPDATE transactions SET status = ? WHERE id = ?").run(state, charge.id.slice(3));
  }
  expect(await statusOf(emulator, charge.id)).toBe(PUBLIC_STATUS[state]);
  return charge;
}

/** What causes a move, from a charge that waits for its payer and from one that waits for its review. */
const CAUSES: Record<TransactionMove, (state: TransactionStatus) => [what: string, body: object]> = {
  settle: (state) => (state === "PROCESSING" ? ["review", { decision: "approve" }] : ["pay", {}]),
  return: (state) =>
    state === "PROCESSING" ? ["review", { decision: "reject" }] : ["pay", { payer_document: DOCUMENTS.otherCpf }],
  hold: () => ["pay", { payer_document: null }],
  fail: () => ["fail", {}],
  expire: () => ["expire", {}],
};

const MOVES = Object.keys(transactionMachine.transitions) as TransactionMove[];
const PAIRS = TRANSACTION_STATUSES.flatMap((state) => MOVES.map((move) => ({ state, move })));
const isAllowed = ({ state, move }: (typeof PAIRS)[number]) =>
  transactionMachine.transitions[move].from.includes(state);

/** The charge and its events, which a refusal must leave as they are. */
async function everythingOf(id: string): Promise<Loose> {
  return [(await emulator.call("GET", `/v1/charges/${id}`)).body, await eventsOf(emulator, id)];
}

describe("a move that the table has", () => {
  it.each(PAIRS.filter(isAllowed))("$move from $state", async ({ state, move }) => {
    const { to, emits } = transactionMachine.transitions[move];
    const { id } = await chargeIn(state);
    const before = await eventsOf(emulator, id);
    const answer = await control(id, ...CAUSES[move](state));
    expect([answer.status, expectCharge(answer.body.charge).status]).toEqual([200, PUBLIC_STATUS[to]]);
    expect(await statusOf(emulator, id)).toBe(PUBLIC_STATUS[to]);
    expect((await eventsOf(emulator, id)).slice(before.length)).toEqual(emits);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.status_changed&limit=1`);
    expect(data[0].payload.data).toMatchObject({
      transactionId: `tx_${id.slice(3)}`,
      status: to,
      previousStatus: state,
    });
  });
});

describe("a move that the table does not have", () => {
  const refusals = PAIRS.filter((pair) => !isAllowed(pair));

  it.each(refusals)("$move from $state", async ({ state, move }) => {
    const { id } = await chargeIn(state);
    const before = await everythingOf(id);
    const [what, body] = CAUSES[move](state);
    const answer: Answer = await control(id, what, body);
    // A payer can always send money; where it is not wanted it goes back.
    if (what === "pay") expect([answer.status, answer.body.outcome]).toEqual([200, "returned"]);
    else expectRefused(answer, "invalid_request", "id");
    expect(await everythingOf(id)).toStrictEqual(before);
  });

  it.each(TRANSACTION_STATUSES.filter((state) => state !== "PROCESSING"))(
    "a review of a charge that is %s",
    async (state) => {
      const { id } = await chargeIn(state);
      const before = await everythingOf(id);
      for (const decision of ["approve", "reject"]) {
        expectRefused(await control(id, "review", { decision }), "invalid_request", "id");
      }
      expect(await everythingOf(id)).toStrictEqual(before);
    },
  );
});

describe("the table", () => {
  it("is what the database accepts", () => {
    const { sql } = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'transactions'").get() as Loose;
    const check = /status IN \(([^)]*)\)/.exec(sql)?.[1] ?? "";
    expect([...check.matchAll(/'(\w+)'/g)].map((match) => match[1])).toEqual([...TRANSACTION_STATUSES]);
  });

  it("starts where a creation ends, with its events", async () => {
    const { id } = await emulator.charge();
    expect(await eventsOf(emulator, id)).toEqual(transactionMachine.initial.emits);
    const row = db.prepare("SELECT status FROM transactions WHERE id = ?").get(id.slice(3)) as Loose;
    expect(row.status).toBe(transactionMachine.initial.state);
  });

  it("emits what the contract's events say of each status", () => {
    const emitted = Object.values(transactionMachine.transitions).map(({ to, emits }) => [to, emits]);
    expect(Object.fromEntries(emitted)).toEqual({
      PAID: ["charge.paid", "payment.completed", "payment.status_changed"],
      PROCESSING: ["payment.status_changed"],
      REFUNDED: ["payment.refunded", "payment.status_changed"],
      REFUSED: ["charge.failed", "payment.failed", "payment.status_changed"],
      EXPIRED: ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"],
    });
  });

  it("projects every status to the contract's public one", () => {
    expect(PUBLIC_STATUS).toEqual({
      PENDING: "pending",
      WAITING_PAYMENT: "pending",
      PROCESSING: "processing",
      PAID: "paid",
      APPROVED: "paid",
      REFUSED: "failed",
      CANCELLED: "cancelled",
      EXPIRED: "expired",
      REFUNDED: "refunded",
      CHARGEBACK: "disputed",
      DISPUTE: "disputed",
    });
  });
});
