import { z } from "zod";
import { fieldError } from "../../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { DateTimeInput, IdParam, idFilter, queryInteger, Words } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import type { Reader } from "../../tx.js";
import { acceptCase, appealCase, findCase } from "../actions.js";
import { MED_STATUSES, MED_TYPES } from "../machine.js";
import type { MedCaseRow } from "../store.js";
import { MedCase, toMedCase } from "../wire.js";

/** docs/service/med.md#answering: routes for cases. */

export function shownCase(reader: Reader, row: MedCaseRow): z.input<typeof MedCase> {
  return toMedCase(row, reader.med.countEvidence(row.id)?.count ?? 0);
}

export const caseColumns = [
  { header: "Case", path: "id" },
  { header: "Status", path: "status", format: "status" },
  { header: "Type", path: "type" },
  { header: "Amount", path: "amount", format: "money" },
  { header: "Charge", path: "charge_id" },
  { header: "Answer by", path: "response_deadline", format: "time" },
  { header: "Money", path: "money_outcome" },
] as const;

const details = [
  ...caseColumns,
  { header: "Reason", path: "reason" },
  { header: "Appeal", path: "appeal_reason" },
  { header: "Evidence", path: "evidence_count" },
  { header: "Evidence asked", path: "evidence_requested_at", format: "time" },
  { header: "Opened", path: "opened_at", format: "time" },
  { header: "Closed", path: "closed_at", format: "time" },
] as const;

export const listCases = defineOperation({
  id: "med.list",
  method: "GET",
  path: "/v1/med/cases",
  aliases: ["/v1/infractions"],
  auth: "key",
  surface: "api",
  summary: "List MED cases",
  description:
    "Lists contested payments, of every type unless `type` names one, newest first, one page at a time: " +
    "`next_cursor` goes into `starting_after`. An unknown parameter, a bad value, a `charge_id` that is no charge's " +
    "id and a cursor that is none of your cases are refused.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    starting_after: z.string().optional().meta({ description: "Id of the last case of the page before" }),
    status: z.enum(MED_STATUSES).optional(),
    type: z.enum(MED_TYPES).optional(),
    charge_id: idFilter("a charge: ch_…", ID_PREFIX.charge, "")
      .optional()
      .meta({ description: "Only cases of this charge" }),
    created_after: DateTimeInput.optional().meta({ description: "Exclusive" }),
    created_before: DateTimeInput.optional().meta({ description: "Exclusive" }),
  }),
  success: {
    status: 200,
    description: "One page of cases, newest first",
    schema: z.object({
      object: z.literal("list"),
      data: z.array(MedCase),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],
  cli: {
    command: "med list",
    examples: ["qa-pay med list --status open", "qa-pay med list --charge-id ch_0198… --json"],
    rows: "data",
    columns: [...caseColumns],
  },
}).read(({ caller, query }, reader) => {
  const cursor = query.starting_after === undefined ? undefined : rawId(query.starting_after, ID_PREFIX.medCase);
  if (cursor === null || (cursor !== undefined && reader.med.inBook(cursor, caller.bookId) === null)) {
    throw fieldError("starting_after", "must be the id of one of your cases");
  }
  const rows = reader.med.search(
    {
      book: caller.bookId,
      status: query.status,
      type: query.type,
      transaction: query.charge_id,
      after: query.created_after,
      before: query.created_before,
      beforeCase: cursor,
    },
    query.limit + 1,
  );
  const data = rows.slice(0, query.limit).map((row) => shownCase(reader, row));
  const more = rows.length > query.limit;
  return { object: "list" as const, data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

export const getCase = defineOperation({
  id: "med.get",
  method: "GET",
  path: "/v1/med/cases/{id}",
  aliases: ["/v1/infractions/{id}"],
  auth: "key",
  surface: "api",
  summary: "Read a MED case",
  description:
    "Answers the case. Its `status` and `money_outcome` are the truth to go by when an event was missed. It changes " +
    "nothing. A case of another account or mode is a 404.",
  params: IdParam,
  success: { status: 200, description: "The case as it is now", schema: MedCase },
  errors: [],
  cli: { command: "med get", examples: ["qa-pay med get med_0198…"], columns: [...details] },
}).read(({ caller, params }, reader) => shownCase(reader, findCase(reader, caller.bookId, params.id)));

export const appeal = defineOperation({
  id: "med.appeal",
  method: "POST",
  path: "/v1/med/cases/{id}/appeal",
  aliases: ["/v1/infractions/{id}/appeal"],
  auth: "key",
  surface: "api",
  summary: "Contest an open MED case",
  description:
    "Contests an open case with a reason of 5 to 2000 characters. The case becomes appealed and `med_case.updated` " +
    "follows; the money stays held until the bank decides. A case in any other status and a reason of white space " +
    "alone are refused.",
  params: IdParam,
  body: z.object({
    reason: Words.min(5, "must have 5 to 2000 characters")
      .max(2_000, "must have 5 to 2000 characters")
      .meta({ description: "Why the payment was rightful, 5 to 2000 characters" }),
  }),
  success: { status: 200, description: "The appealed case", schema: MedCase },
  errors: [],
  cli: {
    command: "med appeal",
    examples: ['qa-pay med appeal med_0198… --reason "The goods were delivered on 12 November, signed for."'],
    columns: [...details],
  },
}).write(({ caller, params, body }, tx) => {
  return shownCase(tx, appealCase(tx, findCase(tx, caller.bookId, params.id), body.reason));
});

export const accept = defineOperation({
  id: "med.accept",
  method: "POST",
  path: "/v1/med/cases/{id}/accept",
  aliases: ["/v1/infractions/{id}/accept"],
  auth: "key",
  surface: "api",
  summary: "Accept the loss of an open MED case, for good",
  description:
    "Accepts the loss of an open case, for good: the held amount is gone, the case becomes accepted with the " +
    "outcome lost, and `med_case.updated` and `med.resolved` follow. A case in any other status is refused. It " +
    "needs no body.",
  params: IdParam,
  success: { status: 200, description: "The accepted case", schema: MedCase },
  errors: [],
  cli: { command: "med accept", examples: ["qa-pay med accept med_0198…"], columns: [...details] },
}).write(({ caller, params }, tx) => shownCase(tx, acceptCase(tx, findCase(tx, caller.bookId, params.id))));
