import { type HttpRequest, Unreachable } from "../../client/send.js";
import { isJsonObject } from "../../kernel/json.js";
import { formatMoney } from "../../kernel/money.js";
import { sendThrough } from "./door.js";

/** Reads the amount of a refund from the service, to show it in the question before the refund is sent. */

/** Shorter than the usual request timeout, because a person waits for the question. */
const READ_TIMEOUT_MS = 10_000;

/** Returns the JSON that a GET of `url` answers, or null when there is no usable answer. */
async function read(url: string, { headers }: HttpRequest, command: string | undefined): Promise<unknown> {
  const { apikey = "" } = headers;
  try {
    const request = { method: "GET", url, headers: { accept: "application/json", apikey }, body: undefined };
    const { status, text } = await sendThrough({ command }, { ...request, timeoutMs: READ_TIMEOUT_MS });
    return status === 200 ? JSON.parse(text) : null;
  } catch (error) {
    if (error instanceof Unreachable || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The sum of all earlier refunds in centavos, or null when it is unknown. A failed refund does not count. */
function refundedBefore(refunds: unknown): number | null {
  if (!Array.isArray(refunds)) return null;
  const amounts = refunds.map((refund) => (refund?.status === "FAILED" ? 0 : Number(refund?.amount)));
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return Number.isSafeInteger(sum) ? sum : null;
}

/**
 * The amount of a `POST …/refund`, as text for a person. `amount` is the field of the body, in centavos. Without it the
 * service refunds all that is not yet refunded.
 */
export async function refundedAmount(
  request: HttpRequest,
  amount: unknown,
  command: string | undefined,
): Promise<string> {
  const payment = request.url.replace(/\/refund$/, "");
  const isWhole = typeof amount !== "number";
  const [found, refunds] = await Promise.all([
    read(payment, request, command),
    isWhole ? read(`${payment}/refunds`, request, command) : [],
  ]);
  const { amount: paid, currency } = isJsonObject(found) ? found : {};
  const shown = (value: number) => formatMoney(value, typeof currency === "string" ? currency : "BRL");
  if (!isWhole) return shown(amount);
  const taken = refundedBefore(refunds);
  return typeof paid === "number" && taken !== null ? shown(paid - taken) : "all that is left";
}
