import { namesOf } from "../../base/kernel/names.js";
import { hasMethod } from "../../service/features/transactions/catalogue.js";
import { isWaiting } from "../../service/features/transactions/machine.js";
import { isInFlight } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import { statusNow } from "./outcome.js";
import type { Messages } from "./visit.js";

/** The actions that the simulation of a checkout page offers now, with a reason for each impossible one. */

export type SimulationAction = keyof Messages["simulation"]["actions"];

export interface Offer {
  readonly action: SimulationAction;
  /** Null when the action is possible. */
  readonly impossible: string | null;
  /** The result of the action in this state; null when the page already says it. */
  readonly hint: string | null;
}

type Why = Messages["simulation"]["impossible"];
type Check = (row: TransactionRow, now: number, why: Why) => string | null;

const checkIssued: Check = (row, now, why) =>
  row.provider_reference === null && isWaiting(statusNow(row, now)) ? why.issue : null;
const open: Check = (row, now, why) => {
  const status = statusNow(row, now);
  return isWaiting(status) || isInFlight({ ...row, status }) ? null : why.ended;
};
const expectsPayer: Check = (row, _now, why) =>
  row.expected_payer_tax_id === null || !hasMethod(row, "PIX") ? why.payer : null;
const byPix: Check = (row, _now, why) => (hasMethod(row, "PIX") ? null : why.pix);
const divisible: Check = ({ amount }, _now, why) => (amount < 2 ? why.amount : null);
const checkHeld: Check = ({ held_at }, _now, why) => (held_at === null ? why.held : null);

/** A payment of a charge that has ended is possible: its money goes back, and the page says so. */
const CHECKS: Readonly<Record<SimulationAction, readonly Check[]>> = {
  pay: [checkIssued],
  pay_other: [checkIssued, byPix],
  pay_less: [checkIssued, divisible],
  review: [checkIssued, open, expectsPayer],
  expire: [open],
  fail: [open],
  approve: [checkHeld],
  reject: [checkHeld],
};

export function impossibility(
  action: SimulationAction,
  row: TransactionRow,
  now: number,
  { simulation }: Messages,
): string | null {
  const reasons = CHECKS[action].map((check) => check(row, now, simulation.impossible));
  return reasons.find((why) => why !== null) ?? null;
}

export const SIMULATION_ACTIONS = namesOf(CHECKS);

const PAYMENTS: readonly SimulationAction[] = ["pay", "pay_other", "pay_less"];

export function offersOf(row: TransactionRow, now: number, texts: Messages): Offer[] {
  const isOver = open(row, now, texts.simulation.impossible) !== null;
  return SIMULATION_ACTIONS.map((action) => ({
    action,
    impossible: impossibility(action, row, now, texts),
    hint: isOver && PAYMENTS.includes(action) ? texts.simulation.tooLate : null,
  }));
}
