import { pick, put } from "../../src/base/kernel/pick.js";
import { DETAILS, type Detail, type Resource } from "../../src/service/features/transactions/details.js";
import { type Answer, bodyOf, type CallOptions, freshKey, type Loose, type TestEmulator } from "./emulator.js";

/** A request of one method alone, with what that method needs. */
export const REQUESTS = {
  PIX: { currency: "BRL", paymentMethods: ["PIX"] },
  CREDIT_CARD: { currency: "BRL", paymentMethods: ["CREDIT_CARD"] },
  BOLETO: { currency: "BRL", paymentMethods: ["BOLETO"] },
  MBWAY: { currency: "EUR", paymentMethods: ["MBWAY"], metadata: { phone: "+351912345678" } },
  MULTIBANCO: { currency: "EUR", paymentMethods: ["MULTIBANCO"] },
  CRYPTO: { currency: "USDT", paymentMethods: ["CRYPTO"] },
} as const;

/** The body with a text for each declared field (details.ts of transactions) that it lacks. */
export function withDeclaredTexts(of: Resource, body: object): Record<string, unknown> {
  const full = { ...structuredClone(body) };
  for (const { [of]: field } of Object.values<Detail>(DETAILS)) {
    if (field !== undefined && pick(full, field.name) === undefined) put(full, field.name, "text");
  }
  return full;
}

/** POST /v1/payments with a fresh key unless `body` names one; a Pix payment of 1990 unless it says otherwise. */
export function postPayment(emulator: TestEmulator, body: object = {}, options: CallOptions = {}): Promise<Answer> {
  const full = { amount: 1990, paymentMethods: ["PIX"], idempotencyKey: freshKey(), ...body };
  return emulator.call("POST", "/v1/payments", { ...options, body: full });
}

/** Creates a payment that must succeed. Returns it. */
export async function payment(emulator: TestEmulator, body: object = {}, options: CallOptions = {}): Promise<Loose> {
  return bodyOf(await postPayment(emulator, body, options));
}

export async function readPayment(emulator: TestEmulator, id: string, options: CallOptions = {}): Promise<Loose> {
  return bodyOf(await emulator.call("GET", `/v1/payments/${id}`, options));
}

/** Refunds all that is left, to the end. */
export async function refundInFull(emulator: TestEmulator, id: string): Promise<void> {
  const body = { idempotencyKey: freshKey() };
  const answer = await emulator.call("POST", `/v1/payments/${id}/refund`, { body });
  if (answer.status !== 201) throw new Error(`no refund: ${answer.status} ${JSON.stringify(answer.body)}`);
  await emulator.sandbox(`/refunds/${answer.body.id}/advance`, { to: "REFUNDED" });
}
