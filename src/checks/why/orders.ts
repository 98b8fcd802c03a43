import { ID_PREFIX, withPrefix } from "../../base/kernel/ids.js";
import type { AnyObject } from "../../base/kernel/json.js";
import { formatMoney } from "../../base/kernel/money.js";
import { orderKey } from "../../base/kernel/order-name.js";
import { pick } from "../../base/kernel/pick.js";
import { sentence } from "../../service/features/why-codes.js";
import type { WhyFinding } from "./finding.js";

/** Finds the payments that name an order. Pure functions. */

/** The fields that may name the order of a payment: the same as in `reconcile`. */
const FIELDS = ["metadata.order", "metadata.order_id", "metadata.description", "description"];

/** True if a payment names an order, with or without a word such as `pedido` before it on either side. */
export function namesOrder(payment: AnyObject, order: string): boolean {
  const wanted = orderKey(order);
  return FIELDS.map((field) => pick(payment, field)).some(
    (value) => (typeof value === "string" || typeof value === "number") && orderKey(String(value)) === wanted,
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
