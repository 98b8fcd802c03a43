import type { ClockMove } from "../history/actions.js";
import type { MedMove } from "../med/machine.js";
import type { PayoutMove } from "../payouts/machine.js";
import type { RefundMove } from "../refunds/machine.js";
import type { TransactionMove } from "../transactions/machine.js";
import { JOURNAL_KINDS, type JournalKind } from "../wallets/entries.js";

/** What happened, in English, for each code of an item (src/kernel/message.ts). */

type MoveCode =
  | `transition.${TransactionMove | "create" | "finalise" | "send_back" | "send_back_too_large"}`
  | `refund.${RefundMove | "create" | "create_done"}`
  | `payout.${PayoutMove | "create"}`
  | `med_case.${MedMove | "create" | "request_evidence" | "add_evidence"}`
  | `clock.${ClockMove}`;

/** The moves of each object, by the kind of the item that shows them. */
export const MOVE_TEXTS = {
  "transition.create": "created[: {amount:money}, payable until {expires_at:time}]",
  "transition.finalise": "the acquirer issued its codes",
  "transition.send_back": "a payment came that it does not take, and went back[: {amount:money}]",
  "transition.send_back_too_large":
    "a payment came that it does not take, and went back[: {amount:money}], because the account's sums would be too large",
  "transition.settle": "paid[ (payer: {payer})]",
  "transition.approve": "the card payment was approved[ (payer: {payer})]",
  "transition.hold": "paid, but the bank did not report the payer: the money is held for review",
  "transition.challenge": "the card issuer asks for authentication",
  "transition.return": "the money went back to its payer[ (payer: {payer})]",
  "transition.fail": "refused by the provider",
  "transition.decline": "the card issuer refused it",
  "transition.expire": "expired unpaid",
  "transition.abandon": "expired: the card was never authenticated",
  "transition.cancel": "cancelled by the merchant",
  "transition.refund": "refunded in full",
  "transition.dispute": "disputed",
  "transition.charge_back": "charged back",
  "transition.keep": "the dispute is over: paid",
  "transition.keep_card": "the dispute is over: approved",
  "refund.create": "refund requested[: {amount:money}]",
  "refund.create_done": "refund requested, done at once: {amount:money}",
  "refund.start": "refund on its way",
  "refund.complete": "refund done",
  "refund.fail": "refund failed[: {reason}]",
  "payout.create": "payout requested[: {amount:money}]",
  "payout.pay": "payout paid",
  "payout.fail": "payout failed[: {reason}]",
  "med_case.create": "MED case opened[: {amount:money}]",
  "med_case.request_evidence": "the bank asks for evidence",
  "med_case.add_evidence": "evidence added",
  "med_case.appeal": "the merchant contests the case",
  "med_case.accept": "the merchant accepts the loss",
  "med_case.uphold": "the bank upholds the claim",
  "med_case.uphold_unanswered": "the bank upholds the claim before an answer",
  "med_case.decide_for_merchant": "the bank decides for the merchant",
  "med_case.close_without_refund": "the bank closes the case without a refund",
  "med_case.withdraw": "the payer withdraws the claim",
  "clock.advance": "the clock is advanced[: from {from:time} to {to:time}]",
  "clock.freeze": "the clock is stopped[: from {from:time} to {to:time}]",
  "clock.resume": "the clock runs again[: from {from:time} to {to:time}]",
  "clock.restore": "a snapshot was restored, with its clock[: from {from:time} to {to:time}]",
} as const satisfies Readonly<Record<MoveCode, string>>;

const JOURNAL_TEXTS = Object.fromEntries(
  JOURNAL_KINDS.map((kind) => [`journal.${kind}`, `money (${kind.replace("_", " ")}): {entries:entries}`]),
) as Readonly<Record<`journal.${JournalKind}`, string>>;

export const ITEM_TEXTS = {
  "request.answered": "{method} {path} → {status}[ {error}]",
  "request.answered_again": "{method} {path} → {status}[ {error}], the first answer again",
  "request.cut": "{method} {path} → the answer was cut off[ {error}]",
  "request.cut_again": "{method} {path} → the answer was cut off[ {error}], the first answer again",
  /** The log does not have it any more. */
  "request.not_logged": "{route}",
  ...MOVE_TEXTS,
  ...JOURNAL_TEXTS,
  event: "{type}",
  "delivery.first": "{type} to {url}: {status}",
  "delivery.again": "{type} to {url}, again: {status}",
  "attempt.answered": "attempt {number}: {status} in {ms} ms[: {answer}][, chaos: {chaos:list}]",
  "attempt.unanswered": "attempt {number}: {error} in {ms} ms[, chaos: {chaos:list}]",
  email: "e-mail to {recipient}: {subject}",
} as const;
export type ItemCode = keyof typeof ITEM_TEXTS;

/** What is behind an item. */
export const CAUSE_TEXTS = {
  request: "request {number} ({route})",
  page: "page {path} (request {number})",
  command: "command {command}[ (request {number})]",
  console: "console[ (request {number})]",
  work: "due work {kind}",
  service: "the service itself",
  client: "a client",
  /** As the caller names itself. */
  caller: "{name}",
} as const;
export type CauseCode = keyof typeof CAUSE_TEXTS;
