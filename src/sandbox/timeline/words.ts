import type { HistoryRow } from "../../features/history/store.js";
import type { MedMove } from "../../features/med/machine.js";
import type { PayoutMove } from "../../features/payouts/machine.js";
import type { RefundMove } from "../../features/refunds/machine.js";
import type { TransactionMove } from "../../features/transactions/machine.js";
import { CONSOLE } from "../../kernel/cause.js";
import { formatMoney } from "../../kernel/money.js";
import { iso } from "../../kernel/time.js";
import type { Objects, Story } from "./story.js";

/** What happened, in words, for each move of each object. */

const TRANSACTION: Readonly<Record<TransactionMove | "create" | "finalise" | "send_back", string>> = {
  create: "created",
  finalise: "the acquirer issued its codes",
  send_back: "a payment came that it does not take, and went back",
  settle: "paid",
  approve: "the card payment was approved",
  hold: "paid, but the bank did not report the payer: the money is held for review",
  challenge: "the card issuer asks for authentication",
  return: "the money went back to its payer",
  fail: "refused by the provider",
  decline: "the card issuer refused it",
  expire: "expired unpaid",
  abandon: "expired: the card was never authenticated",
  cancel: "cancelled by the merchant",
  refund: "refunded in full",
  dispute: "disputed",
  charge_back: "charged back",
  keep: "the dispute is over: paid",
  keep_card: "the dispute is over: approved",
};

const REFUND: Readonly<Record<RefundMove | "create", string>> = {
  create: "refund requested",
  start: "refund on its way",
  complete: "refund done",
  fail: "refund failed",
};

const PAYOUT: Readonly<Record<PayoutMove | "create", string>> = {
  create: "payout requested",
  pay: "payout paid",
  fail: "payout failed",
};

const MED_CASE: Readonly<Record<MedMove | "create" | "request_evidence" | "add_evidence", string>> = {
  create: "MED case opened",
  request_evidence: "the bank asks for evidence",
  add_evidence: "evidence added",
  appeal: "the merchant contests the case",
  accept: "the merchant accepts the loss",
  uphold: "the bank upholds the claim",
  uphold_unanswered: "the bank upholds the claim before an answer",
  decide_for_merchant: "the bank decides for the merchant",
  close_without_refund: "the bank closes the case without a refund",
  withdraw: "the payer withdraws the claim",
};

const CLOCK: Readonly<Record<string, string>> = {
  advance: "the clock is advanced",
  freeze: "the clock is stopped",
  resume: "the clock runs again",
  restore: "a snapshot was restored, with its clock",
};

/** The words for each move, by the kind of the item that shows it. The console has them in Portuguese too. */
export const MOVE_WORDS = { transition: TRANSACTION, refund: REFUND, payout: PAYOUT, med_case: MED_CASE } as const;

const WORDS: Readonly<Record<HistoryRow["noun"], Readonly<Record<string, string>>>> = {
  transaction: TRANSACTION,
  refund: REFUND,
  payout: PAYOUT,
  med_case: MED_CASE,
  delivery: {},
  clock: CLOCK,
};

/**
 * Whether a row of the history is an item of its own. A resend or a release of money is shown by the items it causes.
 */
export function isItem({ noun, move }: HistoryRow): boolean {
  return Object.hasOwn(WORDS[noun], move);
}

/** The object that a row of the history is about, among the objects of a story. */
function objectOf(row: HistoryRow, { transaction, refunds, cases, payout }: Objects) {
  return [transaction, ...refunds, ...cases, payout].find((one) => one?.id === row.subject) ?? null;
}

function amountOf({ amount, currency }: { amount: number; currency: string }): string {
  return formatMoney(amount, currency);
}

/** Details of a move: how much, until when, by whom, why. */
function particulars(row: HistoryRow, objects: Objects): string {
  const { transaction } = objects;
  const object = objectOf(row, objects);
  if (row.noun === "transaction" && transaction !== null) {
    if (row.move === "create") {
      return `: ${amountOf(transaction)}, payable until ${instant(iso(transaction.expires_at))}`;
    }
    if (row.move === "send_back") {
      const { amount } = JSON.parse(row.data ?? "{}") as { amount: number };
      return `: ${amountOf({ ...transaction, amount })}`;
    }
    const isPayment = ["settle", "approve", "return"].includes(row.move);
    return isPayment && transaction.payer_name !== null ? ` (payer: ${transaction.payer_name})` : "";
  }
  if (object === null) return "";
  // The money went back before it was credited: such a refund is done from the beginning.
  if (row.move === "create" && row.to_status === "REFUNDED") return `, done at once: ${amountOf(object)}`;
  const isFailed = row.to_status === "FAILED" || row.to_status === "failed";
  const why =
    isFailed && "failure_reason" in object && object.failure_reason !== null ? `: ${object.failure_reason}` : "";
  return row.move === "create" ? `: ${amountOf(object)}` : why;
}

/** An ISO instant for people: `2026-11-22 03:20:33 UTC`. */
function instant(text: string): string {
  return `${text.slice(0, 19).replace("T", " ")} UTC`;
}

function clockText({ move, data }: HistoryRow): string {
  const { from = "", to = "" } = JSON.parse(data ?? "{}") as { from?: string; to?: string };
  const words = CLOCK[move] ?? move;
  return from === to ? words : `${words}: from ${instant(from)} to ${instant(to)}`;
}

/** The sentence for a row of the history. */
export function textOf(row: HistoryRow, story: Pick<Story, "objects">): string {
  return row.noun === "clock"
    ? clockText(row)
    : (WORDS[row.noun][row.move] ?? row.move) + particulars(row, story.objects);
}

/** The sender of a request in words: the console, or a command of our own command line. */
export function clientText(command: string): string {
  return command === CONSOLE ? CONSOLE : `command ${command}`;
}

/** The cause of a row in words: `request 418 (POST /v1/charges)`, `command sandbox pay (request 419)`, `due work …`. */
export function causeText({ cause, request, command }: HistoryRow): string {
  if (command !== null) return `${clientText(command)} (request ${request})`;
  const [kind, ...rest] = cause.split(" ");
  const about = rest.join(" ");
  if (kind === "request") return `request ${request} (${about})`;
  if (kind === "page") return `page ${about.replace(/^POST /, "")} (request ${request})`;
  return kind === "work" ? `due work ${about}` : "the service itself";
}

/** Entries of a journal: `available +R$ 19,60, world −R$ 19,90`. */
export function entriesText(entries: readonly { bucket: string; amount: number; currency: string }[]): string {
  const signed = (amount: number, currency: string) =>
    `${amount < 0 ? "−" : "+"}${formatMoney(Math.abs(amount), currency)}`;
  return entries.map(({ bucket, amount, currency }) => `${bucket} ${signed(amount, currency)}`).join(", ");
}
