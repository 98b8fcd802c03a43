import { type Answer, bodyOf, type CallOptions, freshKey, type Loose, type TestEmulator } from "./emulator.js";
import { payment } from "./payments.js";

/** Helpers for tests of refunds. */

/** A paid payment. `paying` is the body for the simulated payer. */
export async function paidPayment(
  emulator: TestEmulator,
  body: object = {},
  paying: object = {},
  options: CallOptions = {},
): Promise<Loose> {
  const made = await payment(emulator, body, options);
  const { outcome } = await emulator.sandbox(`/charges/${made.id}/pay`, paying, options);
  if (outcome !== "paid") throw new Error(`payment ${made.id} was not paid: ${outcome}`);
  return made;
}

/** Asks for a refund, with a fresh key unless `body` names one. */
export function postRefund(
  emulator: TestEmulator,
  paymentId: string,
  body: object = {},
  options: CallOptions = {},
): Promise<Answer> {
  const full = { idempotencyKey: freshKey(), ...body };
  return emulator.call("POST", `/v1/payments/${paymentId}/refund`, { ...options, body: full });
}

/** Asks for a refund that must be accepted. Returns it. */
export async function refund(
  emulator: TestEmulator,
  paymentId: string,
  body: object = {},
  options: CallOptions = {},
): Promise<Loose> {
  return bodyOf(await postRefund(emulator, paymentId, body, options));
}

/** Every refund of a payment, newest first. */
export async function refundsOf(emulator: TestEmulator, paymentId: string): Promise<Loose[]> {
  return bodyOf(await emulator.call("GET", `/v1/payments/${paymentId}/refunds`));
}

/** Lets the acquirer take a refund further; the answer may be a refusal. */
export function postAdvance(
  emulator: TestEmulator,
  refundId: string,
  to: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  return emulator.call("POST", `/_sandbox/refunds/${refundId}/advance`, { ...options, body: { to } });
}

/** Takes a refund further, which must succeed. Returns the refund. */
export async function advanceRefund(
  emulator: TestEmulator,
  refundId: string,
  to: "IN_PROGRESS" | "REFUNDED" | "FAILED",
): Promise<Loose> {
  return bodyOf(await postAdvance(emulator, refundId, to));
}
