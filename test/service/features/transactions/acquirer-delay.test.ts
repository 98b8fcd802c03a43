import { beforeEach, describe, expect, it } from "vitest";
import { eventsOf, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, ownFolder, sharedEmulator } from "../../../support/shared.js";

/** An acquirer that takes its time to issue codes and references (`--acquirer-delay`). */

const DELAY = 2.5;

const emulator = sharedEmulator({ frozen: true, acquirerDelayMs: DELAY * 1_000 });
const prompt = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const FIELD = /^(pix|card|mb|boleto|crypto)[A-Z]/;
const filled = (read: Loose) => Object.keys(read).filter((name) => FIELD.test(name) && read[name] !== null);
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const pay = (id: string, body: object = {}) => emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body });
const METHODS = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];

describe("before the acquirer has issued the codes", () => {
  it.each(METHODS)(
    "a payment by %s has no codes yet, and then those that it would have had at once",
    async (method) => {
      const created = await payment(emulator, REQUESTS[method]);
      expect(created.status).toBe("WAITING_PAYMENT");
      await advance(DELAY - 0.001);
      const before = await readPayment(emulator, created.id);
      expect([filled(before), before.status]).toEqual([[], "WAITING_PAYMENT"]);
      await advance(0.001);
      const after = await readPayment(emulator, created.id);
      expect(filled(after)).toEqual(filled(await readPayment(prompt, (await payment(prompt, REQUESTS[method])).id)));
      expect(after).toMatchObject({ status: "WAITING_PAYMENT", createdAt: created.createdAt });
      expect((await emulator.call("GET", "/v1/payments")).body.data).toEqual([{ ...after, id: `tx_${created.id}` }]);
    },
  );

  it("no event reports the codes", async () => {
    const { id } = await payment(emulator);
    await advance(DELAY);
    expect(await eventsOf(emulator, id)).toEqual(["charge.created", "payment.created"]);
  });

  it("the expiry counts from the creation", async () => {
    const { id, createdAt } = await payment(emulator);
    await advance(DELAY);
    const { pixExpiresAt } = await readPayment(emulator, id);
    expect(Date.parse(pixExpiresAt) - Date.parse(createdAt)).toBe(3_600_000);
  });

  it.each(METHODS)("a payment by %s cannot be paid before", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    expectRefused(await pay(id), "invalid_request");
    await advance(DELAY - 0.001);
    expectRefused(await pay(id, { method }), "invalid_request");
    expect((await readPayment(emulator, id)).status).toBe("WAITING_PAYMENT");
    await advance(0.001);
    expect((await pay(id)).body.outcome).toBe("paid");
  });

  it("its provider has no reference of it", async () => {
    const { id } = await payment(emulator);
    const ask = async () => (await emulator.call("GET", `/v1/payments/${id}/provider-status`)).body;
    expect(await ask()).toMatchObject({
      localStatus: "WAITING_PAYMENT",
      providerTransactionId: null,
      error: "TRANSACTION_HAS_NO_PROVIDER_REFERENCE",
    });
    await advance(DELAY);
    expect(await ask()).toMatchObject({ providerTransactionId: expect.any(String) });
    expect(await ask()).not.toHaveProperty("error");
  });

  it("a scenario waits for the codes", async () => {
    const early = await payment(emulator, { metadata: { _sandbox: { pay_after: 0 } } });
    const late = await payment(emulator, { metadata: { _sandbox: { pay_after: 10 } } });
    const { now } = await advance(DELAY);
    expect(await readPayment(emulator, early.id)).toMatchObject({ status: "PAID", paidAt: now });
    expect((await readPayment(emulator, late.id)).status).toBe("WAITING_PAYMENT");
    await advance(10 - DELAY);
    expect((await readPayment(emulator, late.id)).status).toBe("PAID");
  });

  it.each(["cancel", "fail", "expire"])("%s ends it, and no codes come later", async (what) => {
    const { id } = await payment(emulator);
    if (what === "cancel") expect((await emulator.call("POST", `/v1/payments/${id}/cancel`)).status).toBe(200);
    else await emulator.sandbox(`/charges/${id}/${what}`);
    const before = await readPayment(emulator, id);
    await advance(60);
    expect(await readPayment(emulator, id)).toStrictEqual(before);
    expect(filled(before)).toEqual([]);
  });

  it("its charge has no code either", async () => {
    const { id } = await payment(emulator);
    const read = async () => expectCharge((await emulator.call("GET", `/v1/charges/${id}`)).body).pix;
    expect(await read()).not.toHaveProperty("br_code");
    await advance(DELAY);
    expect(await read()).toMatchObject({ br_code: (await readPayment(emulator, id)).pixCopyPaste });
  });

  it("a charge has its code at once", async () => {
    const charge = expectCharge(await emulator.charge());
    expect(charge.pix.br_code).toMatch(/^000201/);
  });

  it("a restart does not lose the codes that are still to come", async () => {
    const folder = ownFolder();
    const options = {
      frozen: true,
      db: folder.db,
      testKey: "qa_test_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      acquirerDelayMs: DELAY * 1_000,
    };
    const first = await ownEmulator(options);
    const { id } = await payment(first, REQUESTS.MULTIBANCO);
    await first.close();
    const second = await ownEmulator(options);
    expect(filled(await readPayment(second, id))).toEqual([]);
    await second.sandbox("/clock/advance", { seconds: DELAY });
    expect(filled(await readPayment(second, id))).toEqual(["mbEntity", "mbReference", "mbExpiresAt"]);
  });
});
