import { expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { REQUESTS } from "../../support/payments.js";
import type { Received } from "../../support/receiver.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, hmac, signatureParts, subscribe } from "../../support/webhooks.js";

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();

/** Whether a request is signed as docs/service/webhooks.md#signatures says, for its family. */
function isSigned({ headers, raw, body }: Received, secret: string): boolean {
  const header = String(headers["x-qa-signature"]);
  if (body.event !== undefined) return header === `sha256=${hmac(secret, raw)}`;
  const { t, v1 } = signatureParts(header);
  return v1 === hmac(secret, `${t}.${raw}`);
}

it("a receiver gets every event of the log, signed in the form of its family", async () => {
  const catalogue = (await emulator.call("GET", "/v1/webhooks/event-catalog", { key: null })).body;
  const names = catalogue.map(({ event }: Loose) => event);
  const { secret } = await subscribe(emulator, receiver.url, names);
  for (const method of ["PIX", "BOLETO"] as const) await paidPayment(emulator, REQUESTS[method]);
  const { id: card } = await paidPayment(emulator, REQUESTS.CREDIT_CARD);
  await refund(emulator, card, { amount: 990 });
  await refund(emulator, card);
  await advance(emulator, 4);
  const { id: contested } = await paidPayment(emulator);
  await emulator.sandbox("/med-cases", { charge_id: contested });
  for (const step of ["pay", "fail"]) {
    const { id } = await emulator.sandbox("/payouts", { amount: 5 });
    await emulator.sandbox(`/payouts/${id}/${step}`, {});
  }
  await advance(emulator, 0);
  const { data, has_more } = await emulator.sandbox("/events?limit=100");
  expect(has_more).toBe(false);
  const sorted = (payloads: Loose[]) => payloads.map((payload) => JSON.stringify(payload)).sort();
  expect(sorted(receiver.received.map(({ body }) => body))).toEqual(sorted(data.map(({ payload }: Loose) => payload)));
  const types = new Set(receiver.received.map(({ type }) => type));
  for (const name of ["charge.paid", "payout.failed", "withdrawal.status_changed", "payment.refunded"]) {
    expect(types).toContain(name);
  }
  for (const request of receiver.received) {
    expect([request.type, isSigned(request, secret)]).toEqual([request.body.event ?? request.body.type, true]);
  }
});
