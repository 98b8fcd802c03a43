import { describe, expect, it } from "vitest";
import { medMachine } from "../../src/features/med/machine.js";
import { payoutMachine } from "../../src/features/payouts/machine.js";
import { refundMachine } from "../../src/features/refunds/machine.js";
import { transactionMachine } from "../../src/features/transactions/machine.js";
import { EVENT_NAMES, type EventName } from "../../src/features/webhooks/catalogue.js";
import { deliveryMachine } from "../../src/features/webhooks/machine.js";
import { canMove, IllegalTransition, type Machine, transition } from "../../src/kernel/machine.js";

const machines: Machine<string, string, EventName>[] = [
  transactionMachine,
  refundMachine,
  payoutMachine,
  medMachine,
  deliveryMachine,
];

describe.each(machines)("the $name machine", (machine) => {
  const moves = Object.entries(machine.transitions);

  it("names only its own states and existing events, each once", () => {
    expect(machine.states).toContain(machine.initial.state);
    for (const [, { from, to, emits }] of moves) {
      expect(machine.states).toEqual(expect.arrayContaining([...from, to]));
      expect(EVENT_NAMES).toEqual(expect.arrayContaining([...emits]));
      expect([new Set(from).size, new Set(emits).size]).toEqual([from.length, emits.length]);
    }
  });

  it("has no move from a state to the same state", () => {
    for (const [, { from, to }] of moves) expect(from).not.toContain(to);
  });

  it("makes every move of its table, and throws for every other move", () => {
    for (const [move, entry] of moves) {
      for (const state of machine.states) {
        const allowed = entry.from.includes(state);
        expect(canMove(machine, state, move)).toBe(allowed);
        if (allowed) expect(transition(machine, state, move)).toBe(entry);
        else expect(() => transition(machine, state, move)).toThrow(IllegalTransition);
      }
    }
  });
});
