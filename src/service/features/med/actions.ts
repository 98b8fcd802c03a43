import { DAY } from "../../../base/kernel/duration.js";
import { rowById, stateError } from "../../../base/kernel/errors.js";
import { transition } from "../../../base/kernel/machine.js";
import { recordMove } from "../history/actions.js";
import { disputeTransaction, endDispute, noteMed } from "../transactions/actions.js";
import { isSettled } from "../transactions/machine.js";
import type { NewTransaction, TransactionRow } from "../transactions/store.js";
import type { Stores, Tx } from "../tx.js";
import { type HeldMoney, moveHeld } from "../wallets/actions.js";
import { publish } from "../webhooks/actions.js";
import type { EventName } from "../webhooks/catalogue.js";
import { emailCase } from "./case-email.js";
import {
  isUndecided,
  type MedMethod,
  type MedMove,
  type MedStatus,
  type MedType,
  medMachine,
  OUTCOME_OF,
} from "./machine.js";
import { firstReport, MED2_ANSWER_MS, type MedPreset, SECOND_REPORT, SECOND_REPORT_MS } from "./preset.js";
import { medMetadata, toMedCase } from "./resource.js";
import type { MedCaseRow } from "./store.js";

/** Every change of a MED case (docs/service/med.md#decisions, docs/decisions/023-med-cases.md). */

const RESPONSE_WINDOW_MS = 7 * DAY;

export interface NewCase {
  readonly type?: MedType | undefined;
  readonly amount?: number | undefined;
  readonly reason?: string | undefined;
  readonly method?: MedMethod | undefined;
  /** Milliseconds since the epoch; null when the deadline is not known. */
  readonly responseDeadline?: number | null | undefined;
  /** Omitted fields above are as in the reports of this preset. Also schedules its second report. */
  readonly preset?: MedPreset | undefined;
}

export function findCase(stores: Stores, bookId: number, id: string): MedCaseRow {
  return rowById("medCase", id, (raw) => stores.med.inBook(raw, bookId));
}

/** The final statuses. A platform may switch off their events and notices. */
const OUTCOMES: readonly MedStatus[] = ["accepted", "rejected", "closed"];

function heldMoney({ book_id, id, currency, held }: MedCaseRow, history: number): HeldMoney {
  return { bookId: book_id, reference: id, currency, amount: held, history };
}

function emitEvents(tx: Tx, row: MedCaseRow, emits: readonly EventName[], history: number): void {
  if (!tx.settings.medOutcomeNotices && OUTCOMES.includes(row.status)) return;
  const data = JSON.stringify(toMedCase(row, tx.med.countEvidence(row.id)?.count ?? 0));
  for (const type of emits) {
    // An event that is lost here is never published later: integrators find the change in the list of cases.
    if (!tx.losesMedEvent(`${type} ${row.id} ${row.status} ${row.updated_at}`))
      publish(tx, { bookId: row.book_id, type, subject: row.id, data, history });
  }
}

function transactionOf(tx: Tx, row: MedCaseRow): TransactionRow {
  const transaction = tx.transactions.anywhere(row.transaction_id);
  if (transaction === null) throw new Error(`MED case ${row.id} is of no transaction`);
  return transaction;
}

/** Updates the case data of the charge. It is the last part of every step, so that the charge shows the new state. */
function note(tx: Tx, row: MedCaseRow): void {
  const transaction = transactionOf(tx, row);
  noteMed(tx, transaction, JSON.stringify(medMetadata(row, transaction)));
}

function checkContestable(tx: Tx, transaction: TransactionRow): void {
  if (!isSettled(transaction.status)) {
    const known =
      tx.med.undecided(transaction.id) === null ? "only a settled one can be contested" : "its case is open";
    throw stateError(`The charge is ${transaction.status}: ${known}.`);
  }
  if (tx.med.undecided(transaction.id) !== null) throw stateError("The charge has a case that is open.");
}

/**
 * The payer's bank opens a case on a settled transaction, and the contested amount is held. If the bank claims more
 * than the amount left after refunds, the case opens but no money moves.
 */
export function openCase(tx: Tx, transaction: TransactionRow, input: NewCase): MedCaseRow {
  checkContestable(tx, transaction);
  const contestable = transaction.amount - tx.refunds.sumTaken(transaction.id);
  const preset: Partial<ReturnType<typeof firstReport>> = input.preset === undefined ? {} : firstReport(contestable);
  const amount = input.amount ?? preset.amount ?? contestable;
  if (amount === 0) throw stateError("The whole amount of the charge is on its way back to the payer.");
  const type = input.type ?? "med";
  const { responseDeadline } = input;
  const window = input.preset === undefined ? RESPONSE_WINDOW_MS : MED2_ANSWER_MS;
  const row: MedCaseRow = {
    id: tx.ids.next(),
    book_id: transaction.book_id,
    transaction_id: transaction.id,
    type,
    status: medMachine.initial.state,
    amount,
    currency: transaction.currency,
    reason: input.reason ?? preset.reason ?? null,
    method: input.method ?? preset.method ?? "other",
    held: amount > contestable ? 0 : amount,
    response_deadline: responseDeadline === undefined ? tx.now + window : responseDeadline,
    evidence_requested_at: null,
    appeal_reason: null,
    appealed_at: null,
    money_outcome: null,
    withdrawn: 0,
    opened_at: tx.now,
    closed_at: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  tx.med.insert(row);
  const history = recordMove(tx, "med_case", row, { move: "create", from: null });
  emitEvents(tx, row, medMachine.initial.emits, history);
  if (row.held > 0) {
    moveHeld(tx, "med_hold", heldMoney(row, history));
    disputeTransaction(tx, transaction, type === "chargeback" ? "chargeback" : "dispute");
  }
  note(tx, row);
  emailCase(tx, row, "MED opened", history);
  const rest = contestable - amount;
  if (input.preset !== undefined && rest > 0) {
    tx.schedule("med.open", transaction.id, { at: tx.now + SECOND_REPORT_MS, bookId: row.book_id, history }, { rest });
  }
  return row;
}

/** Moves a case to a new status, with its events; a final one settles the money. Only this function writes a status. */
function move(tx: Tx, row: MedCaseRow, name: MedMove, change: Partial<MedCaseRow> = {}): MedCaseRow {
  const { to, emits } = transition(medMachine, row.status, name);
  const outcome = OUTCOME_OF[name];
  const closed = outcome === null ? {} : { money_outcome: outcome, closed_at: tx.now };
  const next: MedCaseRow = { ...row, ...change, ...closed, status: to, updated_at: tx.now };
  tx.med.update(next, row.status);
  const history = recordMove(tx, "med_case", next, { move: name, from: row.status });
  emitEvents(tx, next, emits, history);
  if (outcome !== null) settleOutcome(tx, next, history);
  note(tx, next);
  return next;
}

/** The held money returns to the merchant, whose transaction is settled again, or is lost. */
function settleOutcome(tx: Tx, row: MedCaseRow, history: number): void {
  if (row.held > 0 && row.money_outcome === "refunded_to_merchant") {
    moveHeld(tx, "med_return", heldMoney(row, history));
    endDispute(tx, transactionOf(tx, row));
  } else if (row.held > 0) {
    moveHeld(tx, "med_forfeit", heldMoney(row, history));
  }
  if (tx.settings.medOutcomeNotices) emailCase(tx, row, "MED resolved", history);
}

function requireOpen(row: MedCaseRow, what: string): void {
  if (row.status === "open") return;
  throw stateError(`The MED case is ${row.status}; only an open one can be ${what}.`);
}

export function appealCase(tx: Tx, row: MedCaseRow, reason: string): MedCaseRow {
  requireOpen(row, "appealed");
  return move(tx, row, "appeal", { appeal_reason: reason, appealed_at: tx.now });
}

/** The merchant accepts the loss. Nothing can change the case after that. */
export function acceptCase(tx: Tx, row: MedCaseRow): MedCaseRow {
  requireOpen(row, "accepted");
  return move(tx, row, "accept");
}

export const DECISIONS = ["upheld", "refunded_to_merchant", "closed_without_refund"] as const;
export type Decision = (typeof DECISIONS)[number];

function requireUndecided(row: MedCaseRow): void {
  if (!isUndecided(row.status)) throw stateError(`The MED case is ${row.status}: it is final.`);
}

/** The bank decides. A case that is upheld before the merchant has answered is closed without a refund. */
export function decideCase(tx: Tx, row: MedCaseRow, decision: Decision): MedCaseRow {
  requireUndecided(row);
  if (decision === "refunded_to_merchant") return move(tx, row, "decide_for_merchant");
  if (decision === "closed_without_refund") return move(tx, row, "close_without_refund");
  return move(tx, row, row.status === "appealed" ? "uphold" : "uphold_unanswered");
}

/** The payer withdraws the claim: the money returns to the merchant. */
export function withdrawCase(tx: Tx, row: MedCaseRow): MedCaseRow {
  requireUndecided(row);
  return move(tx, row, "withdraw", { withdrawn: 1 });
}

export function requestEvidence(tx: Tx, row: MedCaseRow): MedCaseRow {
  requireUndecided(row);
  const next = { ...row, evidence_requested_at: tx.now, updated_at: tx.now };
  tx.med.update(next, row.status);
  emitEvents(
    tx,
    next,
    ["med_case.updated"],
    recordMove(tx, "med_case", next, { move: "request_evidence", from: row.status }),
  );
  note(tx, next);
  return next;
}

/** Notes that a case has new evidence. This is no step of the case, so it has no event. */
export function evidenceAdded(tx: Tx, row: MedCaseRow): void {
  const next = { ...row, updated_at: tx.now };
  tx.med.update(next, row.status);
  recordMove(tx, "med_case", next, { move: "add_evidence", from: row.status });
  note(tx, next);
}

/**
 * Job `med.open`: the scenario of a transaction contains a case, or the second report of a preset is due, about the
 * rest. Nothing happens when the transaction cannot be contested now.
 */
export function openCaseWhenDue(tx: Tx, transactionId: string, rest: number | undefined): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row === null || !isContestable(tx, row)) return;
  if (rest === undefined) {
    openCase(tx, row, {});
    return;
  }
  const amount = Math.min(rest, row.amount - tx.refunds.sumTaken(row.id));
  openCase(tx, row, { ...SECOND_REPORT, amount, responseDeadline: tx.now + MED2_ANSWER_MS });
}

/** True if a case about everything that is not refunded could be opened now. */
export function isContestable({ refunds, med }: Stores, row: NewTransaction): boolean {
  return isSettled(row.status) && row.amount > refunds.sumTaken(row.id) && med.undecided(row.id) === null;
}
