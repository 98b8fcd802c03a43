import { ID_PREFIX, withPrefix } from "../../base/kernel/ids.js";
import type { AnyObject } from "../../base/kernel/json.js";
import { formatMoney } from "../../base/kernel/money.js";
import { pick } from "../../base/kernel/pick.js";
import { sentence } from "../../service/features/why-codes.js";
import type { WhyFinding } from "./finding.js";

/** Finds the payments that name an order. Pure functions. */

/** The fields that may name the order of a payment: the same as in `reconcile`. */
const FIELDS = ["metadata.order", "metadata.order_id", "metadata.description", "description"];

export function ordersIn(payment: AnyObject): string[] {
  const values = FIELDS.map((field) => pick(payment, field));
  return values.flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? String(value).trim() : [],
  );
}

/** The finding about an order that several payments name, the newest first. */
export function explainOrder(order: string, payments: readonly AnyObject[]): WhyFinding {
  const ids = payments.map(({ id }) => withPrefix(ID_PREFIX.transaction, String(id)));
  const evidence = payments.slice(0, 10).map(({ createdAt, status, amount, currency }, at) => ({
    at: String(createdAt),
    text: `${ids[at]} ${status} ${formatMoney(Number(amount), String(currency ?? "BRL"))}`,
  }));
  const sentences = [sentence("order_of_several", { order, count: payments.length })];
  return { code: "unknown", sentences, evidence, command: ["why", ids[0] ?? order] };
}
