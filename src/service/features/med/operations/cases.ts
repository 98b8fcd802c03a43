import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { fieldError } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { DateTimeInput, idCursor, idFilter, Words } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import type { Reader } from "../../tx.js";
import { acceptCase, appealCase, findCase } from "../actions.js";
import { MED_STATUSES, MED_TYPES } from "../machine.js";
import { MedCase, toMedCase } from "../resource.js";
import type { MedCaseRow } from "../store.js";

/** docs/service/med.md#answering: routes for cases. */

export function readCase(reader: Reader, row: MedCaseRow): z.input<typeof MedCase> {
  return toMedCase(row, reader.med.countEvidence(row.id)?.count ?? 0);
}

export const caseColumns =
  "id as Case, status, type, amount, charge_id as Charge, response_deadline as Answer by, money_outcome as Money";

const details = [
  `${caseColumns}, reason, appeal_reason as Appeal, evidence_count as Evidence`,
  "evidence_requested_at as Evidence requested, opened_at, closed_at",
] as const;

/** The filters and the cursor of lists of cases. */
export const CASES_QUERY = z.strictObject({
  limit: PAGE_QUERY.limit,
  starting_after: idCursor(ID_PREFIX.medCase).optional().describe("Id of the last case of the previous page"),
  status: z.enum(MED_STATUSES).optional(),
  type: z.enum(MED_TYPES).optional(),
  charge_id: idFilter("a charge: ch_…", ID_PREFIX.charge).optional().describe("Only cases of this charge"),
  created_after: DateTimeInput.optional().describe("Exclusive"),
  created_before: DateTimeInput.optional().describe("Exclusive"),
});

/** One page of the cases of a book, each as `show` shows it. */
export function pageOfCases<Shown extends { readonly id: string }>(
  { med }: Reader,
  book: number,
  query: z.output<typeof CASES_QUERY>,
  show: (row: MedCaseRow) => Shown,
) {
  const { limit, starting_after, status, type, charge_id: transaction, created_after, created_before } = query;
  const refusal = () => fieldError("starting_after", "must be the id of one of your cases");
  const last = rowAt(starting_after, [ID_PREFIX.medCase], (id) => med.inBook(id, book), refusal);
  const bounds = { after: created_after, before: created_before, beforeCase: last?.id };
  return cursorPage(med.list({ book, status, type, transaction, ...bounds }, limit + 1), limit, show);
}

export const listCases = defineOperation({
  id: "med.list",
  route: "GET /v1/med/cases",
  aliases: ["/v1/infractions"],
  summary: "List MED cases",
  description:
    "Lists contested payments, of every type unless `type` names one, newest first, one page at a time: " +
    "`next_cursor` goes into `starting_after`. An unknown parameter, a bad value, a `charge_id` that is no charge's " +
    "id and a cursor that is none of your cases are refused.",
  query: CASES_QUERY,
  success: {
    status: 200,
    description: "One page of cases, newest first",
    schema: z.object({ object: z.literal("list"), ...page(MedCase).shape }),
  },
  cli: {
    examples: ["qa-pay med list --status open", "qa-pay med list --charge-id ch_0198… --json"],
    columns: caseColumns,
  },
}).read(({ caller, query }, reader) => ({
  object: "list" as const,
  ...pageOfCases(reader, caller.bookId, query, (row) => readCase(reader, row)),
}));

export const getCase = defineOperation({
  id: "med.get",
  route: "GET /v1/med/cases/{id}",
  aliases: ["/v1/infractions/{id}"],
  summary: "Read a MED case",
  description:
    "Answers the case. Its `status` and `money_outcome` are the truth to go by when an event was missed. It changes " +
    "nothing. A case of another account or mode is a 404.",
  success: { status: 200, description: "The case as it is now", schema: MedCase },
  cli: { columns: details },
}).read(({ caller, params }, reader) => readCase(reader, findCase(reader, caller.bookId, params.id)));

export const appeal = defineOperation({
  id: "med.appeal",
  route: "POST /v1/med/cases/{id}/appeal",
  aliases: ["/v1/infractions/{id}/appeal"],
  summary: "Contest an open MED case",
  questions: ["Contest the MED case over {amount}?", "Contest the MED case {id}?"],
  asksAbout: "/v1/med/cases/{id}",
  description:
    "Contests an open case with a reason of 5 to 2000 characters. The case becomes appealed and `med_case.updated` " +
    "follows; the money stays held until the bank decides. A case in any other status and a reason of white space " +
    "alone are refused.",
  body: z.object({
    reason: Words.min(5, "must have 5 to 2000 characters")
      .max(2_000, "must have 5 to 2000 characters")
      .describe("Why the payment was rightful, 5 to 2000 characters"),
  }),
  success: { status: 200, description: "The appealed case", schema: MedCase },
  cli: {
    examples: ['qa-pay med appeal med_0198… --reason "The goods were delivered on 12 November, signed for."'],
    columns: details,
  },
}).write(({ caller, params, body }, tx) => {
  return readCase(tx, appealCase(tx, findCase(tx, caller.bookId, params.id), body.reason));
});

export const accept = defineOperation({
  id: "med.accept",
  route: "POST /v1/med/cases/{id}/accept",
  aliases: ["/v1/infractions/{id}/accept"],
  summary: "Accept the loss of an open MED case permanently",
  questions: [
    "Accept the loss of {amount} in the MED case {id} permanently?",
    "Accept the loss of the MED case {id} permanently?",
  ],
  asksAbout: "/v1/med/cases/{id}",
  description:
    "Accepts the loss of an open case permanently: the held amount is gone, the case becomes accepted with the " +
    "outcome lost, and `med_case.updated` and `med.resolved` follow. A case in any other status is refused. It " +
    "needs no body.",
  success: { status: 200, description: "The accepted case", schema: MedCase },
  cli: { columns: details },
}).write(({ caller, params }, tx) => readCase(tx, acceptCase(tx, findCase(tx, caller.bookId, params.id))));
