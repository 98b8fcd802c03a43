import { describe, expect, it } from "vitest";
import {
  isUndecided,
  MED_STATUSES,
  type MedMove,
  type MedStatus,
  medMachine,
  OUTCOME_OF,
} from "../../../../src/service/features/med/machine.js";
import { eventsOf } from "../../../support/charges.js";
import type { Answer, Loose } from "../../../support/emulator.js";
import {
  ACTIONS,
  type Action,
  act,
  caseIn,
  emails,
  evidenceOf,
  medOf,
  openCase,
  PNG,
  postComplete,
  postEvidence,
  purse,
  readCase,
  ticketFor,
  tryAction,
  upload,
} from "../../../support/med.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** Every pair of a state of a MED case and something that is done to it, tried over HTTP against the one table. */

const emulator = sharedEmulator({ frozen: true });

/** The moves that an action may turn out to be, depending on where the case is. */
const MOVES: Readonly<Record<Action, readonly MedMove[]>> = {
  appeal: ["appeal"],
  accept: ["accept"],
  "decide upheld": ["uphold", "uphold_unanswered"],
  "decide refunded_to_merchant": ["decide_for_merchant"],
  "decide closed_without_refund": ["close_without_refund"],
  withdraw: ["withdraw"],
  "request-evidence": [],
};

const moveOf = (state: MedStatus, action: Action) =>
  MOVES[action].find((move) => medMachine.transitions[move].from.includes(state));
const PAIRS = MED_STATUSES.flatMap((state) =>
  (Object.keys(ACTIONS) as Action[])
    .filter((action) => action !== "request-evidence")
    .map((action) => ({ state, action })),
);

/** All that is known of a case, which a refusal must leave as it is. */
async function everythingOf(id: string, chargeId: string): Promise<Loose> {
  const charge = (await emulator.call("GET", `/v1/charges/${chargeId}`)).body;
  const events = [await eventsOf(emulator, id), await eventsOf(emulator, chargeId)];
  const mails = await emails(emulator, `?case_id=${id}`);
  const evidence = (await evidenceOf(emulator, id)).map((entry) => entry.id);
  return [await readCase(emulator, id), charge, events, await purse(emulator), mails, evidence];
}

it.each(PAIRS.filter(({ state, action }) => moveOf(state, action) !== undefined))(
  "a move that the table has $action from $state",
  async ({ state, action }) => {
    const move = moveOf(state, action) as MedMove;
    const { to, emits } = medMachine.transitions[move];
    const before = await caseIn(emulator, state);
    const told = await eventsOf(emulator, before.id);
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 60 });
    const { status, body } = await tryAction(emulator, before.id, action);
    expect(status).toBe(200);
    const outcome = OUTCOME_OF[move];
    expect(body).toStrictEqual({
      ...before,
      status: to,
      money_outcome: outcome,
      updated_at: now,
      ...(move === "appeal" ? { appeal_reason: ACTIONS.appeal[1].reason, appealed_at: now } : {}),
      ...(outcome === null ? {} : { closed_at: now }),
    });
    expect(await readCase(emulator, before.id)).toStrictEqual(body);
    expect((await eventsOf(emulator, before.id)).slice(told.length)).toEqual(emits);
  },
);

it.each(PAIRS.filter(({ state, action }) => moveOf(state, action) === undefined))(
  "a move that the table does not have $action from $state is a 400 and changes nothing",
  async ({ state, action }) => {
    const { id, charge_id } = await caseIn(emulator, state);
    const before = await everythingOf(id, charge_id);
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const error = expectRefused(await tryAction(emulator, id, action), "invalid_request", null);
    expect(error.message).toContain(state);
    expect(await everythingOf(id, charge_id)).toStrictEqual(before);
  },
);

describe("requesting evidence", () => {
  it.each(MED_STATUSES)("of a case that is %s is done while it is undecided", async (state) => {
    const before = await caseIn(emulator, state);
    const { charge_id, id } = before;
    const everything = await everythingOf(id, charge_id);
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 60 });
    const answer = await tryAction(emulator, id, "request-evidence");
    if (isUndecided(state)) {
      expect([answer.status, answer.body]).toStrictEqual([
        200,
        { ...before, evidence_requested_at: now, updated_at: now },
      ]);
      expect((await eventsOf(emulator, id)).at(-1)).toBe("med_case.updated");
      expect((await medOf(emulator, charge_id)).updatedAt).toBe(now);
    } else {
      expectRefused(answer, "invalid_request", null);
      expect(await everythingOf(id, charge_id)).toStrictEqual(everything);
    }
  });

  it("may be done again: the last time counts", async () => {
    const { id } = await openCase(emulator);
    await act(emulator, id, "request-evidence");
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 60 });
    expect((await act(emulator, id, "request-evidence")).evidence_requested_at).toBe(now);
    expect(await eventsOf(emulator, id)).toEqual(["med_case.created", "med_case.updated", "med_case.updated"]);
  });

  it("is remembered once the case is decided", async () => {
    const { id } = await openCase(emulator);
    const { evidence_requested_at: asked } = await act(emulator, id, "request-evidence");
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    expect(await act(emulator, id, "accept")).toMatchObject({ status: "accepted", evidence_requested_at: asked });
  });
});

describe("evidence", () => {
  it.each(MED_STATUSES)("of a case that is %s is taken while it is undecided", async (state) => {
    const { id, charge_id } = await caseIn(emulator, state);
    const before = await everythingOf(id, charge_id);
    const answer = await postEvidence(emulator, id);
    if (isUndecided(state)) expect(answer.status).toBe(201);
    else expectRefused(answer, "invalid_request", null);
    expect(await everythingOf(id, charge_id)).toStrictEqual(before);
  });

  it.each(["appealed", "accepted", "rejected", "closed"] as const)(
    "announced before its case became %s is confirmed while the case is undecided",
    async (state) => {
      const { id } = await openCase(emulator);
      const ticket = await ticketFor(emulator, id);
      const known = await ticketFor(emulator, id);
      for (const one of [ticket, known]) expect((await upload(one, PNG)).status).toBe(200);
      expect((await postComplete(emulator, id, known.id)).status).toBe(200);
      const actions: Action[] = state === "appealed" || state === "rejected" ? ["appeal"] : [];
      const last: Partial<Record<MedStatus, Action>> = {
        accepted: "accept",
        rejected: "decide upheld",
        closed: "withdraw",
      };
      for (const action of [...actions, ...(last[state] === undefined ? [] : [last[state]])]) {
        await act(emulator, id, action);
      }
      const answer: Answer = await postComplete(emulator, id, ticket.id);
      if (state === "appealed") expect(answer.status).toBe(200);
      else expectRefused(answer, "invalid_request", null);
      // What was confirmed in time stays, and confirming it again is still no mistake.
      expect((await postComplete(emulator, id, known.id)).status).toBe(200);
      expect((await readCase(emulator, id)).evidence_count).toBe(state === "appealed" ? 2 : 1);
    },
  );
});

it.each([
  ["accept", "appeal"],
  ["appeal", "appeal"],
  ["accept", "accept"],
  ["withdraw", "decide refunded_to_merchant"],
  ["decide upheld", "decide refunded_to_merchant"],
] as const)("of two who act at the same time %s and %s: one wins, the other is refused", async (first, second) => {
  const { id } = await openCase(emulator);
  const before = await purse(emulator);
  const answers = await Promise.all([tryAction(emulator, id, first), tryAction(emulator, id, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const winner = answers.find(({ status }) => status === 200)?.body;
  expect(await readCase(emulator, id)).toStrictEqual(winner);
  const back = winner.money_outcome === "refunded_to_merchant" ? 1990 : 0;
  const still = winner.status === "appealed" ? 0 : 1990;
  expect(await purse(emulator)).toEqual([before[0] + back, before[1] - still]);
});

describe("the table", () => {
  it("is that of the contract", () => {
    const table = Object.values(medMachine.transitions).flatMap(({ from, to }) => from.map((state) => [state, to]));
    expect(new Set(table.map(([from, to]) => `${from} → ${to}`))).toEqual(
      new Set(["open → appealed", "open → accepted", "open → closed", "appealed → rejected", "appealed → closed"]),
    );
    expect(medMachine.initial).toEqual({ state: "open", emits: ["med_case.created"] });
  });

  it("has no move that nothing leads to", () => {
    expect(Object.values(MOVES).flat().sort()).toEqual(Object.keys(medMachine.transitions).sort());
  });

  it("names the outcome of the money for every final move, and none for the others", () => {
    for (const [move, { to }] of Object.entries(medMachine.transitions)) {
      const outcome = OUTCOME_OF[move as MedMove];
      expect([move, outcome === null]).toEqual([move, isUndecided(to)]);
      if (to === "accepted" || to === "rejected") expect(outcome).toBe("lost");
      if (to === "closed") expect(outcome).not.toBe("lost");
    }
  });
});
