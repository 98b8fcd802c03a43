import { ServiceError } from "../../api/client/service-error.js";
import { toPlainId } from "../reconcile/orders.js";
import {
  FIRST_AMOUNT,
  FIRST_DOCUMENT,
  type FirstAnswer,
  FirstOrderError,
  firstOrderRefusal,
  ofFirstOrder,
  receiverProblem,
  strangeCharge,
  unreportedOrder,
} from "../shop/first-order.js";
import type { RushParts } from "./rush.js";

/** The first order of a rush: bought and paid before any other customer comes. */

const LOOK_MS = 50;
/** Real milliseconds that the receiver has for its first answer. The service itself waits as long. */
const ANSWER_MS = 30_000;

async function place({ shop, client, name }: RushParts): Promise<{ order: string; charge: string }> {
  const order = `${name}-first`;
  const bought = await shop.buy({ order, amount: FIRST_AMOUNT, document: FIRST_DOCUMENT });
  if (bought.kind === "refused") throw firstOrderRefusal(bought.text);
  try {
    await client["sandbox.charges.pay"]({ params: { id: bought.charge }, body: {} });
  } catch (error) {
    if (error instanceof ServiceError) throw strangeCharge(bought.charge);
    throw error;
  }
  return { order, charge: bought.charge };
}

/** Waits until the condition holds, or the time is over. Returns whether it holds. */
async function waitUntil(isSo: () => boolean | Promise<boolean>, ms: number, { waiting, stopped }: RushParts) {
  const end = waiting.monotonic() + ms;
  for (;;) {
    if (await isSo()) return true;
    if (stopped.aborted || waiting.monotonic() >= end) return false;
    await waiting.pause(LOOK_MS, stopped);
  }
}

async function checkFirstOrder(parts: RushParts, answers: readonly FirstAnswer[], isHeard: boolean): Promise<void> {
  const { shop, plan, stopped } = parts;
  const { order, charge } = await place(parts);
  if (isHeard) await waitUntil(() => answers.length > 0, ANSWER_MS, parts);
  const problem = stopped.aborted ? null : receiverProblem(shop.webhooks, answers);
  if (problem !== null) throw problem;
  const isListed = async () =>
    (await shop.orders()).some(
      (row) => row.order === order || (row.id !== null && toPlainId(row.id) === toPlainId(charge)),
    );
  if (!(await waitUntil(isListed, plan.settleMs, parts)) && !stopped.aborted) throw unreportedOrder(plan.settleMs);
}

/**
 * Places the first order, pays it, and waits until the shop has received a webhook and lists the order. Throws FirstOrderError
 * for a wrong address or a refused purchase. `isHeard`: the receiver gets events of such an order.
 */
export async function placeFirstOrder(parts: RushParts, isHeard: boolean): Promise<void> {
  const answers: FirstAnswer[] = [];
  const ignore = parts.onAttempt(({ type, statusCode, error }) => {
    answers.push({ statusCode, text: `${type}: ${error ?? `answered ${statusCode}`}` });
  });
  try {
    await checkFirstOrder(parts, answers, isHeard);
  } catch (thrown) {
    if (parts.stopped.aborted) throw thrown;
    const error = ofFirstOrder(thrown);
    if (!(error instanceof FirstOrderError)) throw error;
    throw new FirstOrderError(error.entryPoint, error.message, parts.process.output());
  } finally {
    ignore();
  }
}
