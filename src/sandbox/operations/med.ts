import { z } from "zod";
import { decideCase, findCase, openCase, requestEvidence, withdrawCase } from "../../features/med/actions.js";
import { MED_METHODS, MED_TYPES } from "../../features/med/machine.js";
import { caseColumns, shownCase } from "../../features/med/operations/cases.js";
import { MedCase } from "../../features/med/wire.js";
import { defineOperation } from "../../features/operation.js";
import { findTransaction } from "../../features/transactions/actions.js";
import { MAX_AMOUNT } from "../../kernel/money.js";
import { IdParam, InstantInput } from "../../kernel/schemas.js";

/** Simulates the bank of the payer, which opens a MED case and decides it. The work itself is in the actions of MED cases. */

const columns = [...caseColumns];

export const sandboxOpenCase = defineOperation({
  id: "sandbox.med.open",
  method: "POST",
  path: "/_sandbox/med-cases",
  auth: "key",
  surface: "sandbox",
  summary: "Open a MED case on a settled charge or payment",
  description:
    "Opens a case as the payer's bank would. The contested amount is held, the charge becomes disputed, " +
    "`med_case.created`, `payment.failed` and `payment.status_changed` follow, and a notice e-mail is written. An " +
    "amount above what is not refunded yet holds and moves nothing. A charge that is not settled, or whose case is " +
    "open already, is refused.",
  body: z.object({
    charge_id: z.string().meta({ description: "Id of the charge or payment" }),
    type: z.enum(MED_TYPES).optional().meta({ description: "Default: med" }),
    amount: z
      .int()
      .min(1)
      .max(MAX_AMOUNT)
      .optional()
      .meta({ description: "Contested; default: what is not refunded yet. More than that moves nothing" }),
    reason: z.string().max(2_000, "must have at most 2000 characters").optional(),
    method: z.enum(MED_METHODS).optional().meta({ description: "What the payer alleges; default: other" }),
    response_deadline: InstantInput.nullable()
      .optional()
      .meta({ description: "Until when to answer; null: not known; default: in seven days" }),
  }),
  success: { status: 201, description: "The open case", schema: MedCase },
  errors: ["invalid_amount", "not_found"],
  cli: {
    command: "sandbox med open",
    examples: ["qa-pay sandbox med open --charge-id ch_0198… --method scam --reason 'Goods never arrived'"],
    columns,
    next: "Answer it: qa-pay med appeal {id} --reason '…'",
  },
}).write(({ caller, body }, tx) => {
  const transaction = findTransaction(tx, caller.bookId, body.charge_id);
  const { type, amount, reason, method, response_deadline: responseDeadline } = body;
  return shownCase(tx, openCase(tx, transaction, { type, amount, reason, method, responseDeadline }));
});

export const sandboxDecideCase = defineOperation({
  id: "sandbox.med.decide",
  method: "POST",
  path: "/_sandbox/med-cases/{id}/decide",
  auth: "key",
  surface: "sandbox",
  summary: "Let the bank decide a MED case",
  description:
    "Decides a case in place of the bank: for the payer (`upheld`), for the merchant, who has the held amount back " +
    "(`refunded_to_merchant`), or without a refund. `med_case.updated` and `med.resolved` follow. A case that is " +
    "final is refused.",
  params: IdParam,
  body: z.object({
    outcome: z
      .enum(["upheld", "refunded_to_merchant", "closed_without_refund"])
      .meta({ description: "upheld: for the payer; refunded_to_merchant: for the merchant" }),
  }),
  success: { status: 200, description: "The decided case", schema: MedCase },
  errors: [],
  cli: {
    command: "sandbox med decide",
    examples: ["qa-pay sandbox med decide med_0198… --outcome refunded_to_merchant"],
    columns,
  },
}).write(({ caller, params, body }, tx) =>
  shownCase(tx, decideCase(tx, findCase(tx, caller.bookId, params.id), body.outcome)),
);

export const sandboxWithdrawCase = defineOperation({
  id: "sandbox.med.withdraw",
  method: "POST",
  path: "/_sandbox/med-cases/{id}/withdraw",
  auth: "key",
  surface: "sandbox",
  summary: "Let the payer take a MED case back",
  description:
    "Lets the payer take back a case that is open or appealed. It is closed and the merchant has the held amount " +
    "back; `med_case.updated` and `med.resolved` follow. A case that is final is refused. It needs no body.",
  params: IdParam,
  success: { status: 200, description: "The closed case", schema: MedCase },
  errors: [],
  cli: { command: "sandbox med withdraw", examples: ["qa-pay sandbox med withdraw med_0198…"], columns },
}).write(({ caller, params }, tx) => shownCase(tx, withdrawCase(tx, findCase(tx, caller.bookId, params.id))));

export const sandboxRequestEvidence = defineOperation({
  id: "sandbox.med.request-evidence",
  method: "POST",
  path: "/_sandbox/med-cases/{id}/request-evidence",
  auth: "key",
  surface: "sandbox",
  summary: "Let the bank ask for evidence",
  description:
    "Lets the bank ask for evidence: `evidence_requested_at` is set and `med_case.updated` follows. A case that is " +
    "final is refused. It needs no body.",
  params: IdParam,
  success: { status: 200, description: "The case", schema: MedCase },
  errors: [],
  cli: {
    command: "sandbox med request-evidence",
    examples: ["qa-pay sandbox med request-evidence med_0198…"],
    columns,
  },
}).write(({ caller, params }, tx) => shownCase(tx, requestEvidence(tx, findCase(tx, caller.bookId, params.id))));
