import { type HttpRequest, send, Unreachable } from "../../client/send.js";
import { isJsonObject } from "../../kernel/json.js";
import { formatMoney } from "../../kernel/money.js";

/** How much a refund returns, read from the service before the person is asked whether it is meant. */

/** The person waits for the question meanwhile. */
const READ_TIMEOUT_MS = 10_000;

/** What a GET answers; null when it cannot be read. */
async function read(url: string, { headers }: HttpRequest): Promise<unknown> {
  const { apikey = "" } = headers;
  try {
    const request = { method: "GET", url, headers: { accept: "application/json", apikey }, body: undefined };
    const { status, text } = await send({ ...request, timeoutMs: READ_TIMEOUT_MS });
    return status === 200 ? JSON.parse(text) : null;
  } catch (error) {
    if (error instanceof Unreachable || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What refunds have taken already; null when that cannot be said. One that failed has given its amount back. */
function takenBy(refunds: unknown): number | null {
  if (!Array.isArray(refunds)) return null;
  const amounts = refunds.map((refund) => (refund?.status === "FAILED" ? 0 : Number(refund?.amount)));
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return Number.isSafeInteger(sum) ? sum : null;
}

/** In words: the amount that `POST …/refund` names, or else what is left of the payment. */
export async function refundedAmount(request: HttpRequest, amount: unknown): Promise<string> {
  const payment = request.url.replace(/\/refund$/, "");
  const isWhole = typeof amount !== "number";
  const [found, refunds] = await Promise.all([
    read(payment, request),
    isWhole ? read(`${payment}/refunds`, request) : [],
  ]);
  const { amount: paid, currency } = isJsonObject(found) ? found : {};
  const shown = (value: number) => formatMoney(value, typeof currency === "string" ? currency : "BRL");
  if (!isWhole) return shown(amount);
  const taken = takenBy(refunds);
  return typeof paid === "number" && taken !== null ? shown(paid - taken) : "the whole rest";
}
