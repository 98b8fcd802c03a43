import { type SentenceCode, sentence, type WhyCode } from "../features/why-codes.js";
import { isSuccess } from "../kernel/http-status.js";
import type { AnyObject } from "../kernel/json.js";
import type { Params } from "../kernel/message.js";
import { pick } from "../kernel/pick.js";
import type { Evidence, Finding } from "./finding.js";

/** Why a request was answered as it was, and where a refund, a payout or a MED case is. Pure functions. */

/** A request of an emulator's log. */
export interface RequestFacts {
  readonly number?: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly idempotency?: string | null;
  readonly idempotency_key: string | null;
  readonly differs?: readonly string[] | null;
  readonly error?: { readonly code: string; readonly param: string | null } | null;
  readonly fault?: string | null;
  readonly response_headers?: Readonly<Record<string, string>>;
  readonly response_body: unknown;
}

export function explainRequest(request: RequestFacts): Finding {
  const { number, at, method, path, status, idempotency, differs, error, fault } = request;
  const message = pick(request.response_body, "error.message");
  const serviceMessage = typeof message === "string" ? message.replace(/[^.]$/, "$&.") : `It was answered ${status}.`;
  const evidence = [
    { at, text: `${method} ${path} → ${status === 0 ? "no answer" : status}${error ? ` ${error.code}` : ""}` },
  ];
  const show = number === undefined ? null : ["logs", "show", String(number)];
  const findingOf = (
    code: WhyCode,
    of: SentenceCode,
    params: Params = {},
    command: Finding["command"] = show,
  ): Finding => {
    return { code, sentences: [sentence(of, params)], evidence, command };
  };
  if (fault) return findingOf("fault_rule", "request_fault", { fault }, ["sandbox", "faults", "list"]);
  if (status === 401) return findingOf("wrong_key", "request_wrong_key", { message: serviceMessage }, ["doctor"]);
  if (status === 429 || error?.code.startsWith("fraud."))
    return findingOf("rate_limited", "request_said", { message: serviceMessage });
  if (idempotency === "conflict" || error?.code === "idempotency_key_reused") {
    return findingOf("idempotency_conflict", "request_key_reused", { differs });
  }
  if (idempotency === "replayed") return findingOf("idempotent_replay", "request_replayed");
  if ([400, 409, 413, 415, 422].includes(status)) {
    return findingOf("invalid_request", "request_refused", { param: error?.param, message: serviceMessage });
  }
  if (isSuccess(status)) return findingOf("unknown", "request_answered", { status }, null);
  return findingOf("unknown", "request_said", { message: serviceMessage });
}

export function explainRefund(refund: AnyObject, isEmulator: boolean): Finding {
  const { id, status, failureReason: reason, transactionId, createdAt } = refund;
  const evidence: Evidence[] = typeof createdAt === "string" ? [{ at: createdAt, text: "refund requested" }] : [];
  const payment = typeof transactionId === "string" ? transactionId.replace(/^(?:tx_)?/, "tx_") : null;
  const show = payment === null ? null : ["payments", "refunds", payment];
  const findingOf = (code: WhyCode, of: SentenceCode, params: Params, command: Finding["command"]): Finding => {
    return { code, sentences: [sentence(of, params)], evidence, command };
  };
  if (status === "REFUNDED") return findingOf("refunded", "refund_done", {}, null);
  if (status === "FAILED") return findingOf("failed", "refund_failed", { reason }, show);
  if (status === "PENDING" || status === "IN_PROGRESS") {
    const command = isEmulator ? ["sandbox", "refunds", "advance", String(id), "--to", "REFUNDED"] : show;
    return findingOf("in_progress", status === "PENDING" ? "refund_requested" : "refund_on_its_way", {}, command);
  }
  return findingOf("unknown", "status", { status }, null);
}

/** A payout that is not paid; whether the shop was told of a paid one is another question. */
export function explainPayout(payout: AnyObject, isEmulator: boolean): Finding {
  const { id, status, failure_reason: reason, created_at: createdAt } = payout;
  const evidence: Evidence[] = typeof createdAt === "string" ? [{ at: createdAt, text: "payout requested" }] : [];
  if (status === "pending") {
    const command = isEmulator ? ["sandbox", "payouts", "pay", String(id)] : null;
    return { code: "in_progress", sentences: [sentence("payout_requested")], evidence, command };
  }
  if (status === "failed") {
    return { code: "failed", sentences: [sentence("payout_failed", { reason })], evidence, command: null };
  }
  return { code: "unknown", sentences: [sentence("status", { status })], evidence, command: null };
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

export function explainCase(one: AnyObject): Finding {
  const { id, status, money_outcome: outcome, response_deadline: deadline } = one;
  const times = [
    { at: one.opened_at, text: "opened by the payer's bank" },
    { at: one.evidence_requested_at, text: "the bank asked for evidence" },
    { at: one.appealed_at, text: "contested by you" },
    { at: one.closed_at, text: "closed" },
  ];
  const evidence = times.flatMap(({ at, text }) => (typeof at === "string" ? [{ at, text }] : []));
  const of = CASE_SENTENCES[String(status)] ?? OUTCOMES[String(outcome)] ?? "status";
  return {
    code: "disputed",
    sentences: [sentence(of, { status, deadline_at: deadline })],
    evidence,
    command: status === "open" ? ["med", "get", String(id)] : null,
  };
}
