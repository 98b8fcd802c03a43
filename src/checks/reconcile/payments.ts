import { ID_PREFIX } from "../../base/kernel/ids.js";
import { isJsonObject } from "../../base/kernel/json.js";
import { pick } from "../../base/kernel/pick.js";
import { t, WordedError } from "../../base/kernel/wording.js";
import { cellText } from "./cell-text.js";
import type { Payment } from "./judge.js";
import { toPlainId } from "./orders.js";
import { publicStatus } from "./statuses.js";

/** Reads the payments of a host: by its list, from the oldest on, and one by one. */

/** How the payments of a host are read: both by GET alone. */
export interface PaymentReader {
  /** The answer of `GET /v1/payments` with a query. */
  list(query: Readonly<Record<string, string | number>>): Promise<unknown>;
  /** The answer of `GET /v1/payments/{id}`; null when there is none. */
  get(id: string): Promise<unknown>;
}

/** Instants in ISO 8601, both inclusive. */
export interface Span {
  readonly startDate?: string;
  readonly endDate?: string;
}

/** The host gave an answer that no qa-pay service gives. */
class StrangeAnswer extends WordedError {
  override readonly name = "StrangeAnswer";
}

/** A payment with the instant of its creation and its possible names of the order, the best first. */
export interface ListedPayment extends Payment {
  readonly createdAt: string;
  readonly orders: readonly string[];
}

/** The fields that may name the order of a payment, unless an option names another field. */
const ORDER_FIELDS = ["metadata.order", "metadata.order_id", "metadata.description", "description"];

/** Returns a payment of a list with the orders that it may name. Throws StrangeAnswer when members of a payment are missing. */
export function paymentOf(answer: unknown, orderField: string | undefined): ListedPayment {
  const { id, amount, currency, createdAt, paymentMethods } = isJsonObject(answer) ? answer : {};
  const status = publicStatus(pick(answer, "status"));
  if (typeof id !== "string" || typeof amount !== "number" || typeof createdAt !== "string" || status === undefined) {
    throw new StrangeAnswer(
      t`The host answered with a payment in an unknown form: ${JSON.stringify(answer).slice(0, 100)}.`,
    );
  }
  const isCharge = Array.isArray(paymentMethods) && paymentMethods.includes("PIX");
  const fields = orderField === undefined ? ORDER_FIELDS : [orderField];
  const values = fields
    .map((field) => pick(answer, field))
    .filter((value) => ["string", "number"].includes(typeof value));
  const orders = values.map((value) => cellText(String(value))).filter((text) => text !== "");
  return {
    id: (isCharge ? ID_PREFIX.charge : ID_PREFIX.transaction) + toPlainId(id),
    status,
    amount,
    currency: typeof currency === "string" ? currency : "BRL",
    order: orders[0] ?? null,
    createdAt,
    orders,
  };
}

const LIMIT = 100;
/** After so many pages the list is requested anew from the last instant on, because services skip earlier pages one by one. */
const PAGES_IN_A_ROW = 100;

/** Lists the payments that were created within a span, the oldest first. */
export async function* listPayments(
  { list }: PaymentReader,
  span: Span,
  onPage: (total: number) => void,
): AsyncGenerator<unknown> {
  let start = span.startDate;
  /** The ids of the last instant. The next list contains them once more. */
  let known = new Set<unknown>();
  let total: number | null = null;
  for (;;) {
    let last = start;
    for (let page = 1; page <= PAGES_IN_A_ROW || last === start; page++) {
      const dates = { ...span, ...(start === undefined ? {} : { startDate: start }) };
      const answer = await list({ page, limit: LIMIT, sortBy: "createdAt", sortOrder: "asc", ...dates });
      const { data, total: left } = isJsonObject(answer) ? answer : {};
      if (!Array.isArray(data) || typeof left !== "number")
        throw new StrangeAnswer(t`The host answered without a list.`);
      total ??= left;
      onPage(total);
      for (const item of data) {
        const id = pick(item, "id");
        const at = pick(item, "createdAt");
        if (known.has(id)) continue;
        if (typeof at === "string" && at !== last) {
          last = at;
          known = new Set();
        }
        known.add(id);
        yield item;
      }
      if (data.length === 0 || page * LIMIT >= left) return;
    }
    start = last;
  }
}
