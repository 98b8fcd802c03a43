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
  const said = typeof message === "string" ? message.replace(/[^.]$/, "$&.") : `It was answered ${status}.`;
  const evidence = [
    { at, text: `${method} ${path} → ${status === 0 ? "no answer" : status}${error ? ` ${error.code}` : ""}` },
  ];
  const show = number === undefined ? null : ["logs", "show", String(number)];
  const told = (code: Finding["code"], text: string, command: Finding["command"] = show): Finding => {
    return { code, text, evidence, command };
  };
  if (fault)
    return told("fault_rule", `A fault rule of the emulator (${fault}) took effect on it.`, [
      "sandbox",
      "faults",
      "list",
    ]);
  if (status === 401) return told("wrong_key", `The key is none of this service: ${said}`, ["doctor"]);
  if (status === 429 || error?.code.startsWith("fraud.")) return told("rate_limited", said);
  if (idempotency === "conflict" || error?.code === "idempotency_key_reused") {
    const where = differs?.length ? ` They differ in ${differs.join(", ")}.` : "";
    return told("idempotency_conflict", `Its idempotency key was used before, with another body.${where}`);
  }
  if (idempotency === "replayed") {
    return told(
      "idempotent_replay",
      "Its idempotency key was used before with the same body, so the first answer came again.",
    );
  }
  if ([400, 409, 413, 415, 422].includes(status)) {
    return told(
      "invalid_request",
      `The service refused it${error?.param ? ` because of ${error.param}` : ""}: ${said}`,
    );
  }
  if (status >= 200 && status < 300)
    return told("unknown", `Nothing is wrong with it: it was answered ${status}.`, null);
  return told("unknown", said);
}

type Loose = Readonly<Record<string, unknown>>;

export function explainRefund(refund: Loose, isEmulator: boolean): Finding {
  const { id, status, failureReason, transactionId, createdAt } = refund;
  const evidence: Evidence[] = typeof createdAt === "string" ? [{ at: createdAt, text: "refund requested" }] : [];
  const payment = typeof transactionId === "string" ? transactionId.replace(/^(?:tx_)?/, "tx_") : null;
  const show = payment === null ? null : ["payments", "refunds", payment];
  if (status === "REFUNDED")
    return { code: "refunded", text: "The money went back to the payer.", evidence, command: null };
  if (status === "FAILED") {
    const why = typeof failureReason === "string" && failureReason !== "" ? `: ${failureReason}` : "";
    return {
      code: "failed",
      text: `The refund failed${why}, and the amount is in the wallet again.`,
      evidence,
      command: show,
    };
  }
  if (status === "PENDING" || status === "IN_PROGRESS") {
    const step = status === "PENDING" ? "is requested" : "is on its way";
    const command = isEmulator ? ["sandbox", "refunds", "advance", String(id), "--to", "REFUNDED"] : show;
    return { code: "in_progress", text: `The refund ${step}.`, evidence, command };
  }
  return { code: "unknown", text: `Its status is ${status}.`, evidence, command: null };
}

/** A payout that is not paid; whether the shop was told of a paid one is another question. */
export function explainPayout(payout: Loose, isEmulator: boolean): Finding {
  const { id, status, failure_reason: reason, created_at: createdAt } = payout;
  const evidence: Evidence[] = typeof createdAt === "string" ? [{ at: createdAt, text: "payout requested" }] : [];
  if (status === "pending") {
    const command = isEmulator ? ["sandbox", "payouts", "pay", String(id)] : null;
    return { code: "in_progress", text: "The payout is requested and not paid yet.", evidence, command };
  }
  if (status === "failed") {
    const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : "";
    return {
      code: "failed",
      text: `The payout failed${why}, and the amount is in the wallet again.`,
      evidence,
      command: null,
    };
  }
  return { code: "unknown", text: `Its status is ${status}.`, evidence, command: null };
}

const CASE_TEXTS: Readonly<Record<string, string>> = {
  open: "The payer contests the charge, and the case waits for your answer.",
  appealed: "You contest the case, and the bank has not decided yet.",
  accepted: "You accepted the loss.",
  rejected: "The bank upheld the claim, and the amount is lost.",
};

const OUTCOMES: Readonly<Record<string, string>> = {
  refunded_to_merchant: "The case is closed, and the amount is yours again.",
  closed_without_refund: "The case is closed, and the amount is not given back.",
  lost: "The case is closed, and the amount is lost.",
};

export function explainCase(one: Loose): Finding {
  const { id, status, money_outcome: outcome, response_deadline: deadline } = one;
  const times = [
    { at: one.opened_at, text: "opened by the payer's bank" },
    { at: one.evidence_requested_at, text: "the bank asked for evidence" },
    { at: one.appealed_at, text: "contested by you" },
    { at: one.closed_at, text: "closed" },
  ];
  const evidence = times.flatMap(({ at, text }) => (typeof at === "string" ? [{ at, text }] : []));
  const text = CASE_TEXTS[String(status)] ?? OUTCOMES[String(outcome)] ?? `Its status is ${status}.`;
  const until = status === "open" && typeof deadline === "string" ? ` The deadline is ${deadline}.` : "";
  return {
    code: "disputed",
    text: text + until,
    evidence,
    command: status === "open" ? ["med", "get", String(id)] : null,
  };
}
