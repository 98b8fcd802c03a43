import { describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const read = (id: string, key = emulator.key) => emulator.call("GET", `/v1/charges/${id}`, { key });

it("reading a charge has the same answer as its creation", async () => {
  const charge = await emulator.charge({
    description: "Order 42",
    customer: { name: "Maria" },
    metadata: { a: [1] },
  });
  const answer = await read(charge.id);
  expect([answer.status, answer.body]).toStrictEqual([200, charge]);
  expect((await read(charge.id)).body).toStrictEqual(charge);
});

describe("the data that is never shown", () => {
  it("includes the payer, the fees and the provider of a paid charge", async () => {
    const charge = await emulator.charge({ customer: { name: "Maria" } });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {
      payer_document: DOCUMENTS.otherCpf,
      payer_name: "Somebody Else",
    });
    const { body } = await read(charge.id);
    expect(expectCharge(body)).toStrictEqual({
      ...charge,
      status: "paid",
      settlement: { end_to_end_id: expect.stringMatching(/^E\d{8}\d{12}[0-9A-Za-z]{11}$/) },
    });
    expect(JSON.stringify(body)).not.toContain("Somebody Else");
  });

  it("includes the real payer of a charge that expected another one", async () => {
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: DOCUMENTS.otherCpf });
    const { body } = await read(charge.id);
    expect([body.status, body.settlement]).toEqual(["refunded", {}]);
    expect(JSON.stringify(expectCharge(body))).not.toContain(DOCUMENTS.otherCpf);
  });
});

describe("a charge that failed", () => {
  it("says why in metadata.failure, in the contract's words", async () => {
    const charge = await emulator.charge({ expires_in: 600, metadata: { a: 1 } });
    const failed = await emulator.sandbox(`/charges/${charge.id}/fail`, {
      reason: "account blocked",
      provider_error_code: "AC06",
    });
    const { now } = await emulator.sandbox("/clock");
    expect(expectCharge(failed.charge)).toStrictEqual({
      ...charge,
      status: "failed",
      metadata: {
        a: 1,
        failure: { reason: "account blocked", providerErrorCode: "AC06", ttlSeconds: 600, at: now },
      },
    });
    expect((await read(charge.id)).body).toStrictEqual(failed.charge);
  });

  it("in its creation has neither code nor image, and is read the same", async () => {
    const charge = await emulator.charge({ metadata: { _sandbox: { fail: "AC06" } } });
    expect(charge.status).toBe("failed");
    expect(expectCharge(charge).pix).toStrictEqual({ expires_at: expect.any(String) });
    expect(charge.metadata.failure).toMatchObject({ providerErrorCode: "AC06", ttlSeconds: 3_600 });
    expect((await read(charge.id)).body).toStrictEqual(charge);
  });
});

it("a charge that was read before is never answered in an old state, to another account, or after a reset", async () => {
  const own = await ownEmulator({ frozen: true });
  const charge = await own.charge();
  const read = (key = own.key) => own.call("GET", `/v1/charges/${charge.id}`, { key });
  expect((await read()).body).toEqual((await read()).body);
  expect((await read(own.live)).status).toBe(404);
  await own.sandbox(`/charges/${charge.id}/pay`);
  expect((await read()).body.status).toBe("paid");
  expect((await read()).body.settlement.end_to_end_id).toMatch(/^E/);
  await own.sandbox("/reset");
  expect((await read()).status).toBe(404);
});

it("a payment by any method is read as a charge, as in its events, by its id in both forms", async () => {
  const own = await ownEmulator({ frozen: true });
  for (const [method, request] of Object.entries(REQUESTS)) {
    const { id } = await payment(own, request);
    const readNow = (form: string) => own.call("GET", `/v1/charges/${form}`);
    const told = async () =>
      (await own.sandbox(`/events?subject=tx_${id}`)).data.find((one: Loose) => /^charge/.test(one.type));
    const { status, body } = await readNow(`ch_${id}`);
    expect([method, status]).toEqual([method, 200]);
    expect(expectCharge(body)).toMatchObject({
      id: `ch_${id}`,
      payment_method: method.toLowerCase(),
      status: "pending",
    });
    expect("pix" in body).toBe(method === "PIX");
    expect((await readNow(id)).body).toStrictEqual(body);
    expect((await told()).payload.data.object).toStrictEqual(body);
    await own.sandbox(`/charges/${id}/pay`, {});
    const paid = (await readNow(`ch_${id}`)).body;
    expect([paid.status, (await told()).payload.data.object]).toStrictEqual(["paid", paid]);
    expectRefused(await own.call("GET", `/v1/charges/ch_${id}`, { key: own.live }), "not_found");
    expectRefused(await readNow(`tx_${id}`), "not_found");
  }
});
