import { isSuccess } from "../../base/kernel/http-status.js";
import { SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import { ShopError } from "./shop-error.js";

/**
 * The first order of a run, which nothing disturbs. It fails for the same reasons as all later ones, so a wrong address is
 * reported before minutes of work, with its entry point.
 */

export type EntryPointName = "buy" | "orders" | "webhooks";

export class FirstOrderError extends Error {
  override readonly name = "FirstOrderError";

  constructor(
    readonly entryPoint: EntryPointName,
    message: string,
    /** The newest output of the shop; empty where it is unknown. */
    readonly output = "",
  ) {
    super(message);
  }
}

/** Centavos. */
export const FIRST_AMOUNT = 1_000;
export const FIRST_DOCUMENT = SAMPLE_PAYER_CPF;

/** How the receiver answered a webhook of the first order. `text` is for a person. */
export interface FirstAnswer {
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  readonly text: string;
}

/** The statuses of servers that have nothing at an address, or nothing for POST. */
const NOTHING_THERE = [404, 405, 410, 501];

const isElsewhere = ({ statusCode: status }: FirstAnswer) =>
  status === null || (status >= 300 && status < 400) || NOTHING_THERE.includes(status);

/**
 * Returns the error when these answers can only come from a wrong address; null when one of them was a success, or the receiver
 * may have refused for its own reasons.
 */
export function receiverProblem(url: string, answers: readonly FirstAnswer[]): FirstOrderError | null {
  const wrong = answers.find(isElsewhere);
  if (wrong === undefined || answers.some(({ statusCode }) => isSuccess(statusCode))) return null;
  return new FirstOrderError("webhooks", `There is no receiver of webhooks at ${url}: ${wrong.text}.`);
}

export const firstOrderRefusal = (why: string) =>
  new FirstOrderError("buy", `The first order, which has no faults, was refused: ${why}.`);

export const strangeCharge = (charge: string) =>
  new FirstOrderError(
    "buy",
    `The shop answered the first order with ${charge}, which this service does not have. ` +
      "Does the shop use QA_PAY_BASE_URL and QA_PAY_API_KEY?",
  );

export const unreportedOrder = (settleMs: number) =>
  new FirstOrderError(
    "orders",
    `The orders of the shop do not have the first order within ${settleMs / 1_000} s, neither by its name nor by its charge.`,
  );

/** Returns the error for a failure of the first order. An error that already contains its remedy stays as it is. */
export function ofFirstOrder(error: unknown): unknown {
  const isOfOrders = error instanceof ShopError && error.cause === undefined;
  return isOfOrders ? new FirstOrderError("orders", error.message) : error;
}
