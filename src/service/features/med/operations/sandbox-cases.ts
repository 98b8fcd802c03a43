import * as z from "zod";
import { page } from "../../../../base/kernel/cursor-page.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { Amount, InstantInput, idFilter, textUpTo } from "../../../../base/kernel/schemas.js";
import { CustomerName, customerNameOf } from "../../customer-name.js";
import { defineOperation } from "../../operation.js";
import { findTransaction } from "../../transactions/actions.js";
import { DECISIONS, decideCase, findCase, openCase, requestEvidence, withdrawCase } from "../actions.js";
import { MED_METHODS, MED_TYPES } from "../machine.js";
import { MED_PRESETS } from "../preset.js";
import { MedCase } from "../resource.js";
import { CASES_QUERY, caseColumns as columns, pageOfCases, readCase } from "./cases.js";

/**
 * Lists MED cases for people, and simulates the payer's bank, which opens and decides them. The work itself is in the actions of
 * MED cases.
 */

/** A case with what people know its payment by. */
const ListedMedCase = MedCase.extend({ customer_name: CustomerName }).meta({ id: "ListedMedCase" });

export const sandboxListCases = defineOperation({
  id: "sandbox.med.list",
  route: "GET /_sandbox/med-cases",
  summary: "List MED cases with the customers of their payments",
  description:
    "Lists contested payments as `GET /v1/med/cases` does, with the same parameters and the same refusals, and names the " +
    "customer of each payment. It changes nothing.",
  query: CASES_QUERY.extend({
    charge_id: idFilter("a charge: ch_…", ID_PREFIX.charge, "").optional().describe("Only cases of this charge"),
  }),
  success: { status: 200, description: "Newest first", schema: page(ListedMedCase) },
  cli: {
    examples: ["qa-pay sandbox med list --status open"],
    columns:
      "id as Case, status, amount, customer_name as Customer, reason, response_deadline as Answer by, money_outcome as Money",
  },
}).read(({ caller, query }, reader) =>
  pageOfCases(reader, caller.bookId, query, (row) => ({
    ...readCase(reader, row),
    customer_name: customerNameOf(reader, row),
  })),
);

export const sandboxOpenCase = defineOperation({
  id: "sandbox.med.open",
  route: "POST /_sandbox/med-cases",
  summary: "Open a MED case on a settled charge or payment",
  description:
    "Opens a case as the payer's bank would. The contested amount is held, the charge becomes disputed, " +
    "`med_case.created`, `payment.failed` and `payment.status_changed` follow, and a notice e-mail is written. An " +
    "amount above what is not refunded yet holds and moves nothing. A charge that is not settled, or whose case is " +
    "open already, is refused.",
  body: z.object({
    charge_id: z.string().describe("Id of the charge or payment"),
    type: z.enum(MED_TYPES).optional().describe("Default: med"),
    amount: Amount.optional().describe(
      "Contested amount; default: what is not refunded yet. A larger one moves no money",
    ),
    reason: textUpTo(2_000).optional().describe("What the payer says, at most 2000 characters"),
    method: z.enum(MED_METHODS).optional().describe("What the payer alleges; default: other"),
    response_deadline: InstantInput.nullable()
      .optional()
      .describe("Deadline for the answer; null: not known; default: in seven days"),
    preset: z
      .enum(MED_PRESETS)
      .optional()
      .describe("med2: five days, half of the money, and after eight days a second report about the rest"),
  }),
  success: { status: 201, description: "The open case", schema: MedCase },
  errors: ["invalid_amount", "not_found", "unprocessable_entity"],
  cli: {
    argument: "charge_id",
    examples: [
      "qa-pay sandbox med open ch_0198… --method scam --reason 'Goods never arrived'",
      "qa-pay sandbox med open ch_0198… --preset med2",
    ],
    columns,
    next: "Answer it: qa-pay med appeal {id} --reason '…'",
  },
}).write(({ caller, body }, tx) => {
  const transaction = findTransaction(tx, caller.bookId, body.charge_id);
  const { type, amount, reason, method, response_deadline: responseDeadline, preset } = body;
  return readCase(tx, openCase(tx, transaction, { type, amount, reason, method, responseDeadline, preset }));
});

export const sandboxDecideCase = defineOperation({
  id: "sandbox.med.decide",
  route: "POST /_sandbox/med-cases/{id}/decide",
  summary: "Let the bank decide a MED case",
  description:
    "Decides a case in place of the bank: for the payer (`upheld`), for the merchant, who has the held amount back " +
    "(`refunded_to_merchant`), or without a refund. `med_case.updated` and `med.resolved` follow. A case that is " +
    "final is refused.",
  body: z.object({
    outcome: z.enum(DECISIONS).describe("upheld: for the payer; refunded_to_merchant: for the merchant"),
  }),
  success: { status: 200, description: "The decided case", schema: MedCase },
  cli: {
    examples: ["qa-pay sandbox med decide med_0198… --outcome refunded_to_merchant"],
    columns,
  },
}).write(({ caller, params, body }, tx) =>
  readCase(tx, decideCase(tx, findCase(tx, caller.bookId, params.id), body.outcome)),
);

export const sandboxWithdrawCase = defineOperation({
  id: "sandbox.med.withdraw",
  route: "POST /_sandbox/med-cases/{id}/withdraw",
  summary: "Let the payer take a MED case back",
  description:
    "Lets the payer take back a case that is open or appealed. It is closed and the merchant has the held amount " +
    "back; `med_case.updated` and `med.resolved` follow. A case that is final is refused. It needs no body.",
  success: { status: 200, description: "The closed case", schema: MedCase },
  cli: { columns },
}).write(({ caller, params }, tx) => readCase(tx, withdrawCase(tx, findCase(tx, caller.bookId, params.id))));

export const sandboxRequestEvidence = defineOperation({
  id: "sandbox.med.request-evidence",
  route: "POST /_sandbox/med-cases/{id}/request-evidence",
  summary: "Make the bank request evidence",
  description:
    "Makes the bank request evidence: `evidence_requested_at` is set and `med_case.updated` follows. A case that is " +
    "final is refused. It needs no body.",
  success: { status: 200, description: "The case", schema: MedCase },
  cli: {
    columns,
  },
}).write(({ caller, params }, tx) => readCase(tx, requestEvidence(tx, findCase(tx, caller.bookId, params.id))));
