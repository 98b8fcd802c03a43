import type { OperationAnswer } from "../../api/client/types.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { ID_PREFIX, withPrefix } from "../../base/kernel/ids.js";
import type { AnyObject } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import { joinWords, t, type Wording } from "../../base/kernel/wording.js";
import type { SentenceCode } from "../../service/features/why-codes.js";
import { type Evidence, findingOf, type UnprovenFinding, type WhyFinding } from "./finding.js";
import { sentenceOfReturn } from "./payments.js";

/** Explains the answer to a request, and the state of a refund, a payout or a MED case. Pure functions. */

/** A request of an emulator's log. */
type LoggedRequest = OperationAnswer<"sandbox.requests.get">;

function requestCause(request: LoggedRequest): UnprovenFinding {
  const { number, status, idempotency, differs, error, fault } = request;
  const said = pick(request.response_body, "error.message");
  const message = typeof said === "string" ? said.replace(/[^.]$/, "$&.") : t`It was answered ${status}.`;
  const show = ["logs", "show", String(number)];
  if (fault) return findingOf("fault_rule", "request_fault", { fault }, ["sandbox", "faults", "list"]);
  if (status === 401) return findingOf("wrong_key", "request_wrong_key", { message }, ["doctor"]);
  if (status === 429 || error?.code.startsWith("fraud.")) {
    return findingOf("rate_limited", "request_said", { message }, show);
  }
  if (idempotency === "conflict" || error?.code === "idempotency_key_reused") {
    return findingOf("idempotency_conflict", "request_key_reused", { differs }, show);
  }
  if (idempotency === "replayed") return findingOf("idempotent_replay", "request_replayed", {}, show);
  if ([400, 409, 413, 415, 422].includes(status)) {
    return findingOf("invalid_request", "request_refused", { param: error?.param, message }, show);
  }
  if (isSuccess(status)) return findingOf("unknown", "request_answered", { status });
  return findingOf("unknown", "request_said", { message }, show);
}

export function explainRequest(request: LoggedRequest): WhyFinding {
  const { at, method, path, status, error } = request;
  const answer = joinWords([status === 0 ? t`no answer` : String(status), ...(error ? [error.code] : [])], " ");
  return { ...requestCause(request), evidence: [{ at, text: t`${method} ${path} → ${answer}` }] };
}

/** The evidence of a request at an instant, where that is known. */
function requestEvidence(at: unknown, text: Wording): Evidence[] {
  return typeof at === "string" ? [{ at, text }] : [];
}

function refundCause(refund: AnyObject, isEmulator: boolean): UnprovenFinding {
  const { id, status, failureReason: reason, transactionId } = refund;
  const payment = typeof transactionId === "string" ? withPrefix(ID_PREFIX.transaction, transactionId) : null;
  const show = payment === null ? null : ["payments", "refunds", payment];
  const advance = isEmulator ? ["sandbox", "refunds", "advance", String(id), "--to", "REFUNDED"] : show;
  const ofPayer = sentenceOfReturn(refund.reason);
  if (status === "REFUNDED" && ofPayer !== undefined) return findingOf("payer_refused", ofPayer, {}, show);
  if (status === "REFUNDED") return findingOf("refunded", "refund_done");
  if (status === "FAILED") return findingOf("failed", "refund_failed", { reason }, show);
  if (status === "PENDING") return findingOf("in_progress", "refund_requested", {}, advance);
  if (status === "IN_PROGRESS") return findingOf("in_progress", "refund_on_its_way", {}, advance);
  return findingOf("unknown", "status", { status });
}

export function explainRefund(refund: AnyObject, isEmulator: boolean): WhyFinding {
  return { ...refundCause(refund, isEmulator), evidence: requestEvidence(refund.createdAt, t`refund requested`) };
}

function payoutCause({ id, status, failure_reason: reason }: AnyObject, isEmulator: boolean): UnprovenFinding {
  const pay = isEmulator ? ["sandbox", "payouts", "pay", String(id)] : null;
  if (status === "pending") return findingOf("in_progress", "payout_requested", {}, pay);
  if (status === "failed") return findingOf("failed", "payout_failed", { reason });
  return findingOf("unknown", "status", { status });
}

/** A payout that is not paid. Whether the shop got the webhook of a paid one is judged elsewhere. */
export function explainPayout(payout: AnyObject, isEmulator: boolean): WhyFinding {
  return { ...payoutCause(payout, isEmulator), evidence: requestEvidence(payout.created_at, t`payout requested`) };
}

const CASE_SENTENCES: Readonly<Record<string, SentenceCode>> = {
  open: "case_open",
  appealed: "case_appealed",
  accepted: "case_accepted",
  rejected: "case_rejected",
};

const OUTCOMES: Readonly<Record<string, SentenceCode>> = {
  refunded_to_merchant: "case_won",
  closed_without_refund: "case_without_refund",
  lost: "case_lost",
};

export function explainCase(one: AnyObject): WhyFinding {
  const { id, status, money_outcome: outcome, response_deadline: deadline } = one;
  const times = [
    { at: one.opened_at, text: t`opened by the payer's bank` },
    { at: one.evidence_requested_at, text: t`the bank requested evidence` },
    { at: one.appealed_at, text: t`contested by you` },
    { at: one.closed_at, text: t`closed` },
  ];
  const evidence = times.flatMap(({ at, text }) => (typeof at === "string" ? [{ at, text }] : []));
  const of = CASE_SENTENCES[String(status)] ?? OUTCOMES[String(outcome)] ?? "status";
  const command = status === "open" ? ["med", "get", String(id)] : null;
  return { ...findingOf("disputed", of, { status, deadline_at: deadline }, command), evidence };
}
