import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { IdParam } from "../../../kernel/schemas.js";
import { defineOperation, JsonText } from "../../operation.js";
import { packMethods } from "../catalogue.js";
import { Charge, toCharge } from "../wire-charge.js";
import { findCharge } from "./find-charge.js";

/** docs/service/charges.md#reading-a-charge */
export const getCharge = defineOperation({
  id: "charges.get",
  method: "GET",
  path: "/v1/charges/{id}",
  auth: "key",
  surface: "api",
  summary: "Read a charge",
  description:
    "Answers the charge by `ch_…` or by the part behind it. It changes nothing. A charge of another account or " +
    "mode, and a payment without Pix among its methods, is a 404.",
  params: IdParam,
  success: { status: 200, description: "The charge as it is now", schema: Charge },
  errors: [],
  cli: {
    command: "charges get",
    picture: true,
    examples: ["qa-pay charges get ch_0198…", "qa-pay charges get ch_0198… --json"],
    columns: [
      { header: "Charge", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Customer", path: "customer.name" },
      { header: "Created", path: "created_at", format: "time" },
      { header: "Expires", path: "pix.expires_at", format: "time" },
      { header: "End-to-end id", path: "settlement.end_to_end_id" },
      { header: "Failure", path: "metadata.failure.reason" },
      { header: "Checkout", path: "checkout_url" },
    ],
  },
}).read(({ caller, params }, reader) => {
  // Integrators that poll read the same charge again and again, so its JSON is kept until the charge changes. A charge
  // with other methods loses its Pix code as time goes by, so its JSON is made every time.
  const raw = rawId(params.id, ID_PREFIX.charge, "") ?? "";
  const printed = reader.transactions.printed.charges.get(raw, caller.bookId);
  if (printed !== null) return new JsonText(printed);
  const row = findCharge(reader, caller.bookId, params.id);
  const json = JSON.stringify(toCharge(reader, row));
  // The key is the id of the row: a piece of the request's text would keep the whole request in memory.
  if (row.payment_methods === packMethods(["PIX"]))
    reader.transactions.printed.charges.keep(row.id, caller.bookId, json);
  return new JsonText(json);
});
