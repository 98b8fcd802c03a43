import { z } from "zod";
import { fieldError } from "../../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { InstantInput, queryInteger } from "../../../kernel/schemas.js";
import { normalizeTaxId } from "../../../kernel/tax-id.js";
import { defineOperation } from "../../operation.js";
import { CHARGE_STATUSES, statusesBehind } from "../machine.js";
import { Charge, toCharge } from "../wire-charge.js";

/**
 * docs/service/charges.md#listing-charges: the route is not released, so it answers 404 unless the server runs with
 * `--preview charge-list`.
 */
export const listCharges = defineOperation({
  id: "charges.list",
  method: "GET",
  path: "/v1/charges",
  auth: "key",
  surface: "api",
  summary: "List charges (preview)",
  description:
    "Lists the charges of the key's account and mode, newest first, one page at a time: `next_cursor` goes into " +
    "`starting_after`. The service does not offer this route yet: it answers 404 unless the server was started with " +
    "`--preview charge-list`. An unknown parameter, a bad value and a cursor that is none of your charges are " +
    "refused.",
  preview: "charge-list",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    starting_after: z.string().optional().meta({ description: "Id of the last charge of the page before" }),
    status: z.enum(CHARGE_STATUSES).optional(),
    created_after: InstantInput.optional().meta({ description: "Inclusive" }),
    created_before: InstantInput.optional().meta({ description: "Inclusive" }),
    customer_id: z.string().optional().meta({ description: "Document of the customer" }),
  }),
  success: {
    status: 200,
    description: "One page of charges, newest first",
    schema: z.object({
      object: z.literal("list"),
      data: z.array(Charge),
      has_more: z.boolean(),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],
  cli: {
    command: "charges list",
    examples: ["qa-pay charges list --status paid --limit 10"],
    rows: "data",
    columns: [
      { header: "Charge", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Customer", path: "customer.name" },
      { header: "Created", path: "created_at", format: "time" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const cursor = query.starting_after;
  const after = cursor === undefined ? undefined : rawId(cursor, ID_PREFIX.charge);
  if (after === null || (after !== undefined && reader.transactions.inBook(after, caller.bookId) === null)) {
    throw fieldError("starting_after", "must be the id of one of your charges");
  }
  const rows = reader.transactions.search(
    {
      book: caller.bookId,
      from: query.created_after,
      to: query.created_before,
      taxId: query.customer_id === undefined ? undefined : normalizeTaxId(query.customer_id),
      statuses: query.status === undefined ? undefined : JSON.stringify(statusesBehind(query.status)),
      beforeAt: after,
    },
    query.limit + 1,
  );
  const data = rows.slice(0, query.limit).map((row) => toCharge(reader, row));
  const more = rows.length > query.limit;
  return { object: "list" as const, data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});
