import { beforeEach, describe, expect, it } from "vitest";
import { MED_METHODS } from "../../../../src/service/features/med/machine.js";
import { DOCUMENTS, expectCharge } from "../../../support/charges.js";
import { act, medOf, openCase, paidCharge } from "../../../support/med.js";
import { sharedEmulator } from "../../../support/shared.js";

/** What a charge says of its case, in the banks' words (docs/service/med.md#what-the-charge-says). */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const later = async () => (await emulator.sandbox("/clock/advance", { seconds: 60 })).now;

describe("metadata.med", () => {
  it("is not there before a case is", async () => {
    const { id } = await paidCharge(emulator, { metadata: { order: 42 } });
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.metadata).toEqual({ order: 42 });
  });

  it("has every field, beside the client's own metadata", async () => {
    const paying = { payer_name: "João da Silva", payer_document: DOCUMENTS.cpf };
    const { id } = await paidCharge(emulator, { metadata: { order: 42, med: "mine" } }, paying);
    const { settlement } = (await emulator.call("GET", `/v1/charges/${id}`)).body;
    const now = await later();
    await openCase(emulator, { charge_id: id, reason: "Never arrived", method: "coercion" });
    const charge = expectCharge((await emulator.call("GET", `/v1/charges/${id}`)).body);
    expect(charge.metadata).toStrictEqual({
      order: 42,
      med: {
        referenceId: settlement.end_to_end_id,
        status: "delivered",
        method: "coercion",
        reason: "Never arrived",
        payerName: "João da Silva",
        payerDocument: "***.982.247-**",
        openedAt: now,
        updatedAt: now,
        closedAt: null,
        lastEventAt: now,
        amountMismatch: false,
      },
    });
  });

  it.each([
    ["***.982.247-**", { payer_document: DOCUMENTS.cpf }],
    ["***.982.247-**", { payer_document: DOCUMENTS.cpfPunctuated }],
    [null, { payer_document: null }],
  ])("shows a person's document as %s", async (shown, paying) => {
    const { id } = await paidCharge(emulator, {}, paying);
    await openCase(emulator, { charge_id: id });
    expect((await medOf(emulator, id)).payerDocument).toBe(shown);
  });

  it("never contains the payer's full document, wherever the case is shown", async () => {
    const { id } = await paidCharge(emulator, {}, { payer_document: DOCUMENTS.otherCpf });
    const opened = await openCase(emulator, { charge_id: id, reason: "fraud" });
    await act(emulator, opened.id, "appeal");
    await act(emulator, opened.id, "decide upheld");
    const paths = [`/v1/charges/${id}`, `/v1/payments/${id.slice(3)}`, "/v1/payments", "/v1/med/cases"];
    for (const path of [...paths, "/_sandbox/events?limit=100", "/_sandbox/emails?mime=true"]) {
      const { status, body } = await emulator.call("GET", path);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/11144477735|111\.444\.777-35|\b111\.444|777-35/);
    }
  });

  it.each(MED_METHODS)("names the method alleged: %s", async (method) => {
    const { id } = await paidCharge(emulator);
    await openCase(emulator, { charge_id: id, method });
    expect((await medOf(emulator, id)).method).toBe(method);
  });
});

describe("metadata._sandbox.med_after", () => {
  it("opens a case that long after settlement, not after creation", async () => {
    const charge = await emulator.charge({ metadata: { _sandbox: { med_after: 60 } } });
    await later();
    await later();
    expect((await emulator.call("GET", "/v1/med/cases")).body.data).toEqual([]);
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    await emulator.sandbox("/clock/advance", { seconds: 59.999 });
    expect((await emulator.call("GET", "/v1/med/cases")).body.data).toEqual([]);
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 0.001 });
    const { data } = (await emulator.call("GET", "/v1/med/cases")).body;
    expect(data).toMatchObject([{ charge_id: charge.id, type: "med", status: "open", amount: 1990, opened_at: now }]);
    const { status, metadata } = (await emulator.call("GET", `/v1/charges/${charge.id}`)).body;
    expect([status, Object.keys(metadata)]).toEqual(["disputed", ["med"]]);
  });

  it("goes with pay_after", async () => {
    const { id } = await emulator.charge({ metadata: { _sandbox: { pay_after: 5, med_after: 0 } } });
    await emulator.sandbox("/clock/advance", { seconds: 5 });
    expect((await medOf(emulator, id)).status).toBe("delivered");
  });

  it("is nothing when the charge is never paid, is refunded, or contested by then", async () => {
    const scenario = { metadata: { _sandbox: { med_after: 60 } } };
    await emulator.charge(scenario);
    const refunded = await paidCharge(emulator, scenario);
    const body = { idempotencyKey: "med-after-refund" };
    await emulator.call("POST", `/v1/payments/${refunded.id.slice(3)}/refund`, { body });
    const contested = await paidCharge(emulator, scenario);
    const opened = await openCase(emulator, { charge_id: contested.id });
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const { data } = (await emulator.call("GET", "/v1/med/cases")).body;
    expect(data.map((entry: { id: string }) => entry.id)).toEqual([opened.id]);
  });

  it.each([-1, "60", true, 1e12])("is refused as %o", async (med_after) => {
    const answer = await emulator.call("POST", "/v1/charges", {
      body: { amount: 1, payment_method: "pix", metadata: { _sandbox: { med_after } } },
      headers: { "idempotency-key": `med-after-${String(med_after)}` },
    });
    expect([answer.status, answer.body.error.param]).toEqual([400, "metadata._sandbox.med_after"]);
  });
});
