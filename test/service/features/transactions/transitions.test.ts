import { describe, expect, it } from "vitest";
import {
  PUBLIC_STATUS,
  TRANSACTION_STATUSES,
  type TransactionMove,
  type TransactionStatus,
  transactionMachine,
} from "../../../../src/service/features/transactions/machine.js";
import { balance, DOCUMENTS, eventsOf } from "../../../support/charges.js";
import type { Answer, Loose } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { payment, readPayment, refundInFull } from "../../../support/payments.js";
import { postAdvance, postRefund } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { shared, sharedEmulator } from "../../../support/shared.js";
import { openFile } from "../../../support/sqlite.js";

/** Every pair of a state and a move, and of a state and whatever can be done to a transaction from outside. */

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ frozen: true, db: folder.db }));
const db = shared(() => openFile(folder.db));

const WAITING: TransactionStatus[] = ["PENDING", "WAITING_PAYMENT"];
const OPEN: TransactionStatus[] = [...WAITING, "PROCESSING"];
const SETTLED: TransactionStatus[] = ["PAID", "APPROVED"];
const DISPUTED: TransactionStatus[] = ["CHARGEBACK", "DISPUTE"];

const PAID = ["charge.paid", "payment.completed", "payment.status_changed"];
const FAILED = ["charge.failed", "payment.failed", "payment.status_changed"];
const EXPIRED = ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"];
const REFUNDED = ["payment.refunded", "payment.status_changed"];
const CONTESTED = ["payment.failed", "payment.status_changed"];
const CHANGED = ["payment.status_changed"];

/** The contract's transitions, written down once more: where each move starts, where it ends, and its events. */
const EXPECTED: Record<TransactionMove, [from: TransactionStatus[], to: TransactionStatus, emits: string[]]> = {
  settle: [OPEN, "PAID", PAID],
  approve: [OPEN, "APPROVED", PAID],
  hold: [WAITING, "PROCESSING", CHANGED],
  challenge: [WAITING, "PROCESSING", CHANGED],
  return: [OPEN, "REFUNDED", REFUNDED],
  fail: [WAITING, "REFUSED", FAILED],
  decline: [["PROCESSING"], "REFUSED", FAILED],
  expire: [WAITING, "EXPIRED", EXPIRED],
  abandon: [["PROCESSING"], "EXPIRED", EXPIRED],
  cancel: [OPEN, "CANCELLED", FAILED],
  refund: [SETTLED, "REFUNDED", REFUNDED],
  dispute: [SETTLED, "DISPUTE", CONTESTED],
  charge_back: [SETTLED, "CHARGEBACK", CONTESTED],
  keep: [DISPUTED, "PAID", CHANGED],
  keep_card: [DISPUTED, "APPROVED", CHANGED],
};

describe("the table of moves", () => {
  it("is that of the contract", () => {
    const table = Object.entries(transactionMachine.transitions);
    const expected = Object.entries(EXPECTED);
    expect(new Map(table.map(([move, { from, to, emits }]) => [move, [new Set(from), to, emits]]))).toEqual(
      new Map(expected.map(([move, [from, to, emits]]) => [move, [new Set(from), to, emits]])),
    );
  });

  it("is what the database accepts", () => {
    const { sql } = db.prepare("SELECT sql FROM sqlite_master WHERE name = 'transactions'").get() as Loose;
    const check = /status IN \(([^)]*)\)/.exec(sql)?.[1] ?? "";
    expect([...check.matchAll(/'(\w+)'/g)].map((match) => match[1])).toEqual([...TRANSACTION_STATUSES]);
  });

  it("starts where a creation ends, with its events", async () => {
    const { id, status } = await payment(emulator);
    expect(await eventsOf(emulator, id)).toEqual(transactionMachine.initial.emits);
    expect([transactionMachine.initial.state, status]).toEqual(["WAITING_PAYMENT", "WAITING_PAYMENT"]);
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

const control = (id: string, what: string, body: object = {}) =>
  emulator.call("POST", `/_sandbox/charges/${id}/${what}`, { body });
const openCase = (id: string, type: string) =>
  emulator.call("POST", "/_sandbox/med-cases", { body: { charge_id: id, type } });

/** The open case of a transaction is decided for the merchant; the answer is of one that is none where there is none. */
async function win(id: string): Promise<Answer> {
  const { body } = await emulator.call("GET", `/v1/med/cases?charge_id=ch_${id}&status=open`);
  const path = `/_sandbox/med-cases/${body.data[0]?.id ?? "none"}/decide`;
  return emulator.call("POST", path, { body: { outcome: "refunded_to_merchant" } });
}

async function refundAll(id: string): Promise<Answer> {
  const answer = await postRefund(emulator, id);
  return answer.status === 201 ? postAdvance(emulator, answer.body.id, "REFUNDED") : answer;
}

/** A charge that expects its payer, or a payment by card. */
type Kind = "pix" | "card";

/** Everything that can be done to a transaction from outside. */
const ACTS = {
  pay: (id: string) => control(id, "pay"),
  "pay as somebody else": (id: string) => control(id, "pay", { payer_document: DOCUMENTS.otherCpf }),
  "pay as nobody known": (id: string) => control(id, "pay", { payer_document: null }),
  "approve a review": (id: string) => control(id, "review", { decision: "approve" }),
  "reject a review": (id: string) => control(id, "review", { decision: "reject" }),
  fail: (id: string) => control(id, "fail"),
  expire: (id: string) => control(id, "expire"),
  cancel: (id: string) => emulator.call("POST", `/v1/payments/${id}/cancel`),
  refund: refundAll,
  contest: (id: string) => openCase(id, "med"),
  "charge back": (id: string) => openCase(id, "chargeback"),
  "win the case": win,
} as const;
type Act = keyof typeof ACTS;

const SETTLED_ACTS = { refund: "refund", contest: "dispute", "charge back": "charge_back" } as const;
const ENDINGS = { fail: "fail", expire: "expire", cancel: "cancel" } as const;

/** Which move each act makes, by the kind of transaction and its state. Acts that are not listed are refused. */
function movesFrom(kind: Kind, state: TransactionStatus): Partial<Record<Act, TransactionMove>> {
  if (SETTLED.includes(state)) return SETTLED_ACTS;
  if (DISPUTED.includes(state)) return { "win the case": kind === "card" ? "keep_card" : "keep" };
  if (WAITING.includes(state) && kind === "pix") {
    return { ...ENDINGS, pay: "settle", "pay as somebody else": "return", "pay as nobody known": "hold" };
  }
  if (WAITING.includes(state)) {
    return { ...ENDINGS, pay: "approve", "pay as somebody else": "approve", "pay as nobody known": "approve" };
  }
  if (state !== "PROCESSING") return {};
  return kind === "pix"
    ? { "approve a review": "settle", "reject a review": "return", cancel: "cancel" }
    : {
        pay: "approve",
        "pay as somebody else": "approve",
        "pay as nobody known": "approve",
        fail: "decline",
        expire: "abandon",
        cancel: "cancel",
      };
}

/** How a transaction really gets to a state. */
const WAYS: Partial<Record<TransactionStatus, (id: string, kind: Kind) => Promise<unknown>>> = {
  PROCESSING: (id, kind) => (kind === "pix" ? ACTS["pay as nobody known"](id) : write(id, "PROCESSING")),
  PAID: (id, kind) => (kind === "pix" ? ACTS.pay(id) : ACTS.pay(id).then(() => write(id, "PAID"))),
  APPROVED: (id, kind) => (kind === "card" ? ACTS.pay(id) : ACTS.pay(id).then(() => write(id, "APPROVED"))),
  REFUSED: ACTS.fail,
  CANCELLED: ACTS.cancel,
  EXPIRED: ACTS.expire,
  REFUNDED: (id) => ACTS.pay(id).then(() => refundInFull(emulator, id)),
  CHARGEBACK: (id) => ACTS.pay(id).then(() => ACTS["charge back"](id)),
  DISPUTE: (id) => ACTS.pay(id).then(() => ACTS.contest(id)),
};

/** States that nothing outside the card page leads to are written into the database. */
async function write(id: string, state: TransactionStatus): Promise<void> {
  db.prepare("UPDATE transactions SET status = ? WHERE id = ?").run(state, id);
}

async function transactionIn(kind: Kind, state: TransactionStatus): Promise<string> {
  const expecting = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };
  const id: string =
    kind === "pix"
      ? (await emulator.charge(expecting)).id.slice(3)
      : (await payment(emulator, { paymentMethods: ["CREDIT_CARD"] })).id;
  if (state === "PENDING") await write(id, "PENDING");
  else await WAYS[state]?.(id, kind);
  expect((await readPayment(emulator, id)).status).toBe(state);
  return id;
}

/** Values that a refusal must leave unchanged. */
async function everythingOf(id: string): Promise<Loose> {
  return [await readPayment(emulator, id), await eventsOf(emulator, id), await balance(emulator)];
}

const TRIES = (["pix", "card"] as const).flatMap((kind) =>
  TRANSACTION_STATUSES.flatMap((state) =>
    (Object.keys(ACTS) as Act[]).map((act) => ({ kind, state, act, move: movesFrom(kind, state)[act] })),
  ),
);

describe("an allowed change of a transaction", () => {
  const possible = TRIES.flatMap(({ move, ...rest }) => (move === undefined ? [] : [{ ...rest, move }]));

  it.each(possible)("$kind in $state: $act is $move", async ({ kind, state, act, move }) => {
    const [, to, emits] = EXPECTED[move];
    const id = await transactionIn(kind, state);
    const before = await eventsOf(emulator, id);
    expect((await ACTS[act](id)).status).toBeLessThan(300);
    expect((await readPayment(emulator, id)).status).toBe(to);
    // A refund that is still on its way reports that step first.
    const expected = move === "refund" ? ["payment.refunded", ...emits] : emits;
    expect((await eventsOf(emulator, id)).slice(before.length)).toEqual(expected);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.status_changed&limit=1`);
    expect(data[0].payload.data).toMatchObject({ transactionId: `tx_${id}`, status: to, previousStatus: state });
  });
});

describe("a forbidden change of a transaction", () => {
  const places = [...new Set(TRIES.map(({ kind, state }) => `${kind} in ${state}`))];

  it.each(places)("%s", async (place) => {
    const impossible = TRIES.filter(({ kind, state, move }) => move === undefined && `${kind} in ${state}` === place);
    const [{ kind, state } = { kind: "pix", state: "PENDING" } as const] = impossible;
    const id = await transactionIn(kind, state);
    const before = await everythingOf(id);
    // Each of them leaves all as it is, so that the next one finds the same.
    for (const { act } of impossible) {
      const answer = await ACTS[act](id);
      // A payer can always send money; where it is not wanted it goes back.
      if (act.startsWith("pay")) expect([act, answer.status, answer.body.outcome]).toEqual([act, 200, "returned"]);
      else expectRefused(answer, act === "win the case" ? "not_found" : "invalid_request");
      expect([act, await everythingOf(id)]).toStrictEqual([act, before]);
    }
  });
});
