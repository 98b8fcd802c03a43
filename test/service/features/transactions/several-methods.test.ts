import { beforeEach, describe, expect, it } from "vitest";
import { balance, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, readPayment } from "../../../support/payments.js";
import { sharedEmulator } from "../../../support/shared.js";
import { checkoutUrlOf, open } from "../../../web/checkout/pages.js";

/**
 * A payment by several methods is one story on every face: charge, payment, events, statistics, pages and the payload
 * that the payer's bank fetches (docs/decisions/016-codes-from-the-row.md).
 */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const MINUTE = 60_000;
const until = (instant: string, ms = 0) =>
  emulator.sandbox("/clock/advance", { to: new Date(Date.parse(instant) + ms).toISOString() });
const pay = async (id: string, method: string) => (await emulator.sandbox(`/charges/${id}/pay`, { method })) as Loose;
const cancel = (id: string) => emulator.call("POST", `/v1/payments/${id}/cancel`);
const readCharge = async (id: string): Promise<Loose> =>
  expectCharge((await emulator.call("GET", `/v1/charges/${id}`)).body);
/** The public charge in the newest event of a type. */
const told = async (id: string, type: string): Promise<Loose> =>
  (await emulator.sandbox(`/events?subject=${id}&type=${type}&limit=1`)).data[0].payload.data.object;
const statusOfPage = async (path: string) => (await open(emulator.url + path)).status;
const qrOf = (id: string) => `/qr/${id}.png`;
const payloadOf = (id: string) => `/qr/v2/${id.replaceAll("-", "")}`;

/** The charge in the signed payload; null when it is gone (410). */
async function payloadStatus(id: string): Promise<string | null> {
  const { status, text } = await open(emulator.url + payloadOf(id));
  if (status === 410) return null;
  return JSON.parse(Buffer.from(String(text.split(".")[1]), "base64url").toString()).status;
}

/** A payment by Pix and boleto, with the fields that were shown at first. */
async function pixAndBoleto() {
  const { id } = await payment(emulator, { paymentMethods: ["PIX", "BOLETO"] });
  return { id, charge: await readCharge(id), shown: await readPayment(emulator, id) };
}

const NO_PIX = { pixQrCode: null, pixCopyPaste: null };
const NO_BOLETO = { boletoBarcode: null, boletoLine: null, boletoPdfUrl: null };

describe("a payment by Pix and boleto that was paid by boleto", () => {
  it("is a paid boleto as a charge: no Pix, no end-to-end id, on every face", async () => {
    const { id, charge, shown } = await pixAndBoleto();
    expect(charge).toMatchObject({ status: "pending", payment_method: "pix", pix: { br_code: shown.pixCopyPaste } });
    const answer = await pay(id, "BOLETO");
    const { pix: _pix, ...common } = charge;
    const paid = { ...common, status: "paid", payment_method: "boleto", settlement: {} };
    expect(await readCharge(id)).toStrictEqual(paid);
    expect(answer).toStrictEqual({ outcome: "paid", charge: paid });
    expect(await told(id, "charge.paid")).toStrictEqual(paid);
  });

  it("is a paid boleto as a payment: no Pix code, in the list as it is read", async () => {
    const { id, shown } = await pixAndBoleto();
    const { now } = await emulator.sandbox("/clock");
    await pay(id, "BOLETO");
    const read = await readPayment(emulator, id);
    expect(read).toStrictEqual({ ...shown, ...NO_PIX, status: "PAID", paidWith: "BOLETO", paidAt: now });
    expect((await emulator.call("GET", "/v1/payments")).body.data).toStrictEqual([{ ...read, id: `tx_${id}` }]);
    const { methodBreakdown } = (await emulator.call("GET", "/v1/payments/stats")).body;
    expect(methodBreakdown).toEqual([{ method: "BOLETO", volume: 1990, count: 1 }]);
  });

  it("cannot be paid by Pix any more, and the payer's bank receives this status", async () => {
    const { id } = await pixAndBoleto();
    expect([await payloadStatus(id), await statusOfPage(qrOf(id))]).toEqual(["ATIVA", 200]);
    await pay(id, "BOLETO");
    expect([await payloadStatus(id), await statusOfPage(qrOf(id))]).toEqual(["REMOVIDA_PELO_PSP", 404]);
    expect((await pay(id, "PIX")).outcome).toBe("returned");
    expect((await balance(emulator)).available).toBe(1990);
    expect((await readPayment(emulator, id)).paidWith).toBe("BOLETO");
  });

  it("stays one when it is contested and won", async () => {
    const { id } = await pixAndBoleto();
    await pay(id, "BOLETO");
    const { id: caseId } = await emulator.sandbox("/med-cases", { charge_id: id });
    const facts = async () => {
      const { status, payment_method, settlement, ...rest } = await readCharge(id);
      return [status, payment_method, settlement, "pix" in rest];
    };
    expect(await facts()).toEqual(["disputed", "boleto", {}, false]);
    await emulator.sandbox(`/med-cases/${caseId}/withdraw`, {});
    expect(await facts()).toEqual(["paid", "boleto", {}, false]);
  });
});

it("a payment by Pix and boleto that was paid by Pix is a paid Pix with its end-to-end id, and its boleto is gone", async () => {
  const { id, charge, shown } = await pixAndBoleto();
  const { now } = await emulator.sandbox("/clock");
  await pay(id, "PIX");
  const paid = { ...charge, status: "paid", settlement: { end_to_end_id: expect.stringMatching(/^E/) } };
  expect(await readCharge(id)).toStrictEqual(paid);
  expect(await told(id, "charge.paid")).toStrictEqual(await readCharge(id));
  expect(await readPayment(emulator, id)).toStrictEqual({
    ...shown,
    ...NO_BOLETO,
    status: "PAID",
    paidWith: "PIX",
    paidAt: now,
  });
  expect(await payloadStatus(id)).toBe("CONCLUIDA");
  expect((await open(shown.boletoPdfUrl)).status).toBe(404);
});

describe("a Pix code that runs out while the payment waits for its boleto", () => {
  it("is shown until its last millisecond, and then by nobody", async () => {
    const { id, charge, shown } = await pixAndBoleto();
    const checkout = await checkoutUrlOf(emulator, id);
    await until(shown.pixExpiresAt, -1);
    expect([await readCharge(id), await readPayment(emulator, id)]).toStrictEqual([charge, shown]);
    expect((await open(checkout)).text).toContain(shown.pixCopyPaste);
    expect([await payloadStatus(id), await statusOfPage(qrOf(id))]).toEqual(["ATIVA", 200]);
    await until(shown.pixExpiresAt);
    const { pix: _pix, ...withoutPix } = charge;
    expect(await readCharge(id)).toStrictEqual(withoutPix);
    expect(await readPayment(emulator, id)).toStrictEqual({ ...shown, ...NO_PIX });
    expect((await open(checkout)).text).not.toContain(shown.pixCopyPaste);
    expect((await open(checkout)).text).toContain(shown.boletoLine);
    expect([await payloadStatus(id), await statusOfPage(qrOf(id))]).toEqual([null, 404]);
  });

  it("cannot be paid: the money goes back, and the boleto can be paid as before", async () => {
    const { id, shown } = await pixAndBoleto();
    await until(shown.pixExpiresAt);
    const before = await readCharge(id);
    expect(await pay(id, "PIX")).toStrictEqual({ outcome: "returned", charge: before });
    expect([await readCharge(id), (await balance(emulator)).available]).toStrictEqual([before, 0]);
    expect((await pay(id, "BOLETO")).outcome).toBe("paid");
    expect(await readCharge(id)).not.toHaveProperty("pix");
    expect(await payloadStatus(id)).toBe("REMOVIDA_PELO_PSP");
  });

  it("does not come back when the payment ends", async () => {
    const [expired, cancelled] = [await pixAndBoleto(), await pixAndBoleto()];
    await until(expired.shown.pixExpiresAt);
    await cancel(cancelled.id);
    await until(expired.shown.boletoExpiresAt);
    for (const [{ id, shown, charge }, status] of [
      [expired, "EXPIRED"],
      [cancelled, "CANCELLED"],
    ] as const) {
      const { metadata } = await readPayment(emulator, id);
      expect(await readPayment(emulator, id)).toStrictEqual({ ...shown, ...NO_PIX, status, metadata });
      const { pix: _pix, ...withoutPix } = charge;
      const ended = { ...withoutPix, status: status.toLowerCase(), metadata };
      expect(await readCharge(id)).toStrictEqual(ended);
      expect(await told(id, status === "EXPIRED" ? "charge.expired" : "charge.failed")).toStrictEqual(ended);
    }
    expect([await payloadStatus(expired.id), await payloadStatus(cancelled.id)]).toEqual([null, "REMOVIDA_PELO_PSP"]);
  });
});

it("a payment by several methods that ended unpaid keeps the codes that it had at its end", async () => {
  const { id, charge, shown } = await pixAndBoleto();
  await cancel(id);
  const { metadata } = await readPayment(emulator, id);
  for (const ms of [0, 60 * MINUTE, 30 * 24 * 60 * MINUTE]) {
    await until(shown.createdAt, ms);
    expect(await readPayment(emulator, id)).toStrictEqual({ ...shown, status: "CANCELLED", metadata });
    expect(await readCharge(id)).toStrictEqual({ ...charge, status: "cancelled", metadata });
  }
});

it("methods besides Pix lose their links and references when another one pays or they run out", async () => {
  const eur = {
    currency: "EUR",
    paymentMethods: ["CREDIT_CARD", "MBWAY", "MULTIBANCO"],
    metadata: { phone: "+351912345678" },
  };
  const fields = async (id: string) => {
    const { cardRedirectUrl, mbEntity, mbReference, mbExpiresAt } = await readPayment(emulator, id);
    return [cardRedirectUrl, mbEntity, mbReference, mbExpiresAt].map((value) => value !== null);
  };
  const made = await Promise.all(["CREDIT_CARD", "MBWAY", "MULTIBANCO", null].map(() => payment(emulator, eur)));
  const [card, phone, reference, waiting] = made.map(({ id }) => id as string) as [string, string, string, string];
  await pay(card, "CREDIT_CARD");
  await pay(phone, "MBWAY");
  await pay(reference, "MULTIBANCO");
  expect(await fields(card)).toEqual([true, false, false, true]);
  expect(await fields(phone)).toEqual([false, false, false, true]);
  expect(await fields(reference)).toEqual([false, true, true, true]);
  expect(await fields(waiting)).toEqual([true, true, true, true]);
  const { createdAt } = await readPayment(emulator, waiting);
  await until(createdAt, 60 * MINUTE);
  expect(await fields(waiting)).toEqual([false, true, true, true]);
  expect((await pay(waiting, "CREDIT_CARD")).outcome).toBe("returned");
});
