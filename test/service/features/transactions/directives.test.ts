import { describe, expect, it } from "vitest";
import { DOCUMENTS, eventsOf, expectCharge, statusOf } from "../../../support/charges.js";
import { freshKey } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** `metadata._sandbox`: a charge that is created with its outcome. */

const emulator = sharedEmulator({ frozen: true });

const chargeWith = (_sandbox: unknown, more: object = {}, key = emulator.key) =>
  emulator.charge({ ...more, metadata: { order: 1, _sandbox } }, { key });
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const expecting = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };

describe("a charge with a scenario", () => {
  it("is answered as pending and never shows its scenario", async () => {
    const charge = await chargeWith({ pay_after: 5 });
    expect([expectCharge(charge).status, charge.metadata]).toEqual(["pending", { order: 1 }]);
    await advance(5);
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).body.metadata).toEqual({ order: 1 });
  });

  it.each([0.001, 1, 5, 59.999])("is paid after %d seconds, not before", async (pay_after) => {
    const { id } = await chargeWith({ pay_after });
    await advance(pay_after - 0.001);
    expect(await statusOf(emulator, id)).toBe("pending");
    await advance(0.001);
    expect(await statusOf(emulator, id)).toBe("paid");
  });

  it("is paid at once, in a separate step, after 0 seconds", async () => {
    const { id, status } = await chargeWith({ pay_after: 0 });
    expect(status).toBe("pending");
    await advance(0);
    expect(await statusOf(emulator, id)).toBe("paid");
    expect((await eventsOf(emulator, id)).slice(0, 3)).toEqual(["charge.created", "payment.created", "charge.paid"]);
  });

  it("works with the live key and the shortcut as well", async () => {
    const { id } = await chargeWith({ pay_after: 1 }, {}, emulator.live);
    const body = { amount: 1, metadata: { _sandbox: { pay_after: 1 } } };
    const headers = { "idempotency-key": freshKey() };
    const shortcut = await emulator.call("POST", "/v1/pix/charges", { body, headers });
    await advance(1);
    expect((await emulator.call("GET", `/v1/charges/${id}`, { key: emulator.live })).body.status).toBe("paid");
    expect(await statusOf(emulator, shortcut.body.id)).toBe("paid");
  });

  it.each([
    ["who is expected by default", {}, "paid"],
    ["somebody else", { payer_document: DOCUMENTS.otherCpf, payer_name: "João" }, "refunded"],
    ["nobody known", { payer_document: null }, "processing"],
    ["with too little", { amount: 1 }, "pending"],
    ["with too much", { amount: 1991 }, "pending"],
    ["with the exact amount", { amount: 1990 }, "paid"],
  ])("is paid by %s", async (_who, scenario, status) => {
    const { id } = await chargeWith({ pay_after: 1, ...scenario }, expecting);
    await advance(1);
    expect(await statusOf(emulator, id)).toBe(status);
  });

  it("expires when its payer comes too late, or at the very instant", async () => {
    for (const pay_after of [60, 61]) {
      const { id } = await chargeWith({ pay_after }, { expires_in: 60 });
      await advance(120);
      expect([pay_after, await statusOf(emulator, id)]).toEqual([pay_after, "expired"]);
    }
  });

  it("stays as it is when it has failed in the meantime", async () => {
    const { id } = await chargeWith({ pay_after: 5 });
    await emulator.sandbox(`/charges/${id}/fail`);
    await advance(5);
    expect(await statusOf(emulator, id)).toBe("failed");
  });

  it("fails during its creation: 201, failed, no code, and the events of the failure alone", async () => {
    const charge = await chargeWith({ fail: "provider_error" });
    expect([charge.status, charge.pix.br_code]).toEqual(["failed", undefined]);
    expect(charge.metadata).toStrictEqual({
      order: 1,
      failure: {
        reason: "provider_failure",
        providerErrorCode: "provider_error",
        ttlSeconds: 3_600,
        at: charge.created_at,
      },
    });
    expect(await eventsOf(emulator, charge.id)).toEqual(["charge.failed", "payment.failed", "payment.status_changed"]);
    const [failed] = (await emulator.sandbox(`/events?subject=${charge.id}&type=payment.failed`)).data;
    expect(failed.payload.data).toMatchObject({ status: "REFUSED", previousStatus: "PENDING" });
    await advance(86_400);
    expect(await statusOf(emulator, charge.id)).toBe("failed");
  });

  it("by a provider that binds no txid has none, before and after it is paid", async () => {
    for (const scenario of [{ txid: false }, { txid: false, med_after: 60 }, { txid: false, pay_after: 0 }]) {
      const charge = await chargeWith(scenario);
      expect(charge.pix).toStrictEqual({
        br_code: expect.any(String),
        qr_code_url: expect.any(String),
        expires_at: expect.any(String),
      });
      await emulator.sandbox(`/charges/${charge.id}/pay`, {});
      const { body } = await emulator.call("GET", `/v1/charges/${charge.id}`);
      expect([body.status, "txid" in body.pix]).toEqual(["paid", false]);
      await advance(120);
      expect(await statusOf(emulator, charge.id)).toBe("med_after" in scenario ? "disputed" : "paid");
    }
    expect((await chargeWith({ txid: true })).pix.txid).toMatch(/^[0-9A-Za-z]{26,35}$/);
  });

  it.each([{}, null])("may have the empty scenario %o", async (scenario) => {
    const { id } = await chargeWith(scenario);
    await advance(10);
    expect(await statusOf(emulator, id)).toBe("pending");
  });
});

describe("a scenario that is not understood", () => {
  const create = (metadata: unknown) =>
    emulator.call("POST", "/v1/charges", {
      body: { amount: 100, payment_method: "pix", metadata },
      headers: { "idempotency-key": freshKey() },
    });

  it.each(["pay", 5, true, []])("%o is refused", async (scenario) => {
    expectRefused(await create({ _sandbox: scenario }), "invalid_request", "metadata._sandbox");
  });

  it.each<[string, object]>([
    ["pay_after", { pay_after: -1 }],
    ["pay_after", { pay_after: "5" }],
    ["pay_after", { pay_after: null }],
    ["pay_after", { pay_after: 1e12 }],
    ["payAfter", { payAfter: 5 }],
    ["pay", { pay: true }],
    ["expire", { expire: 5 }],
    ["fail", { fail: "" }],
    ["fail", { fail: true }],
    ["fail", { fail: null }],
    ["fail", { fail: "x", pay_after: 1 }],
    ["payer_document", { pay_after: 1, payer_document: "123" }],
    ["payer_document", { pay_after: 1, payer_document: 52998224725 }],
    ["payer_document", { payer_document: DOCUMENTS.cpf }],
    ["payer_document", { payer_document: null }],
    ["txid", { txid: "false" }],
    ["txid", { txid: null }],
    ["txid", { txid: 0 }],
    ["payer_name", { pay_after: 1, payer_name: 5 }],
    ["payer_name", { payer_name: "João" }],
    ["amount", { pay_after: 1, amount: 0 }],
    ["amount", { pay_after: 1, amount: 1.5 }],
    ["amount", { pay_after: 1, amount: "100" }],
    ["amount", { amount: 100 }],
  ])("%s is refused in %o", async (name, scenario) => {
    expectRefused(await create({ _sandbox: scenario }), "invalid_request", `metadata._sandbox.${name}`);
  });
});
