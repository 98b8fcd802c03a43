import type { Loose, TestEmulator } from "../../support/emulator.js";
import { payment, readPayment } from "../../support/payments.js";

/** One page as a browser without a session gets it; redirects are not followed. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function shown(answer: Promise<Response>): Promise<Shown> {
  const response = await answer;
  return { status: response.status, headers: response.headers, text: await response.text() };
}

export function open(url: string): Promise<Shown> {
  return shown(fetch(url, { redirect: "manual" }));
}

/** Presses the button of a card page that sends `step`. */
export function press(url: string, step: string, headers: Record<string, string> = {}): Promise<Shown> {
  return shown(fetch(url, { method: "POST", redirect: "manual", headers, body: new URLSearchParams({ step }) }));
}

/** A payment by card alone, unless `body` says otherwise, with the address of its card page. */
export async function cardPayment(emulator: TestEmulator, body: object = {}): Promise<{ id: string; url: string }> {
  const { id } = await payment(emulator, { paymentMethods: ["CREDIT_CARD"], ...body });
  return { id, url: (await readPayment(emulator, id)).cardRedirectUrl };
}

/** The checkout page of a payment: only the public charge in its events has the address. */
export async function checkoutUrlOf(emulator: TestEmulator, id: string): Promise<string> {
  const { data } = await emulator.sandbox(`/events?limit=100&subject=tx_${id}`);
  const created = data.find(({ type }: Loose) => type === "charge.created" || type === "charge.failed");
  return created.payload.data.object.checkout_url;
}
