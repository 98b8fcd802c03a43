import { describe, expect, it } from "vitest";
import { payment } from "../../../support/payments.js";
import { advanceRefund, paidPayment, refund, refundsOf } from "../../../support/refunds.js";
import { sharedEmulator } from "../../../support/shared.js";
import { advance } from "../../../support/webhooks.js";

const emulator = sharedEmulator({ frozen: true });

const list = (id: string, key = emulator.key) => emulator.call("GET", `/v1/payments/${id}/refunds`, { key });

describe("the refunds of a payment", () => {
  it("are a bare array, empty at first, whatever the payment's status", async () => {
    const { id } = await payment(emulator);
    expect([(await list(id)).status, (await list(id)).body]).toEqual([200, []]);
    await emulator.sandbox(`/charges/${id}/pay`);
    expect((await list(`tx_${id}`)).body).toEqual([]);
  });

  it("are newest first, those of one instant too, each as it is now", async () => {
    const { id } = await paidPayment(emulator, { amount: 1000 });
    const first = await refund(emulator, id, { amount: 1 });
    const second = await refund(emulator, id, { amount: 2, strategy: "devolution", reason: "two" });
    await advance(emulator, 1);
    const made = await refund(emulator, id, { amount: 3 });
    const third = { ...made, strategy: "cashout", endToEndId: null, failureReason: null };
    const done = await advanceRefund(emulator, first.id, "REFUNDED");
    const failed = await advanceRefund(emulator, second.id, "FAILED");
    expect((await list(id)).body).toStrictEqual([third, failed, done]);
    expect((await list(`tx_${id}`)).body).toStrictEqual([third, failed, done]);
  });

  it("have the customer of their payment in the list of all payments' refunds", async () => {
    const { id } = await paidPayment(emulator, { customerName: "Luíza Cavalcanti" });
    const { id: own } = await refund(emulator, id);
    const { data } = (await emulator.call("GET", `/_sandbox/refunds?charge=${id}`)).body;
    expect(data).toMatchObject([{ id: own, transactionId: id, customerName: "Luíza Cavalcanti" }]);
  });

  it("include the return of a payment by somebody who was not expected", async () => {
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: "52998224725" });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: "11144477735" });
    const raw = charge.id.replace("ch_", "");
    expect(await refundsOf(emulator, raw)).toMatchObject([
      { transactionId: raw, amount: 1990, status: "REFUNDED", strategy: "devolution" },
    ]);
  });
});
