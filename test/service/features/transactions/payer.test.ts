import { beforeEach, describe, expect, it } from "vitest";
import { balance, DOCUMENTS, eventsOf, expectCharge, statusOf } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const pay = (id: string, body: object = {}) => emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body });
const review = (id: string, decision: unknown) =>
  emulator.call("POST", `/_sandbox/charges/${id}/review`, { body: { decision } });
const available = async () => (await balance(emulator)).available;
const expecting = (document: string = DOCUMENTS.cpf) =>
  emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: document });

describe("a payment of the exact amount", () => {
  it("gets an end-to-end id of its instant", async () => {
    const { now } = await emulator.sandbox("/clock/advance", { to: "2031-02-03T04:05:06Z" });
    const { id } = await emulator.charge();
    const { body } = await pay(id);
    const minute = now.replace(/[-T:]/g, "").slice(0, 12);
    expect(body.charge.settlement.end_to_end_id).toMatch(new RegExp(`^E\\d{8}${minute}[0-9A-Za-z]{11}$`));
  });

  it("may say the amount, the method, the payer's name and document", async () => {
    const { id } = await emulator.charge();
    const body = { amount: 1990, method: "PIX", payer_name: "João", payer_document: DOCUMENTS.alphanumericCnpj };
    expect((await pay(id, body)).body.outcome).toBe("paid");
  });

  it("may be a company whose CNPJ has letters", async () => {
    const { id } = await expecting(DOCUMENTS.alphanumericCnpj);
    expect((await pay(id, { letters_in_cnpj: true })).body.outcome).toBe("paid");
    const other = await expecting();
    expect((await pay(other.id, { letters_in_cnpj: true })).body.outcome).toBe("refunded");
  });

  it.each([[DOCUMENTS.cpf], [null]])(
    "is one or the other: letters_in_cnpj beside payer_document %s is refused",
    async (given) => {
      const { id } = await emulator.charge();
      const refused = await pay(id, { letters_in_cnpj: true, payer_document: given });
      expectRefused(refused, "invalid_request", "letters_in_cnpj");
      expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("pending");
    },
  );

  it("needs no known payer where none is expected", async () => {
    const { id } = await emulator.charge({ customer: { name: "Maria", document: DOCUMENTS.cpf } });
    expect((await pay(id, { payer_document: null })).body.outcome).toBe("paid");
  });
});

describe("the expected payer", () => {
  it.each([
    [DOCUMENTS.cpf, DOCUMENTS.cpfPunctuated],
    [DOCUMENTS.cnpj, DOCUMENTS.cnpjPunctuated],
    [DOCUMENTS.alphanumericCnpj, DOCUMENTS.alphanumericCnpjPunctuated],
  ])("of the document %s may pay as %s", async (expected, document) => {
    const { id } = await expecting(expected);
    expect((await pay(id, { payer_document: document })).body.outcome).toBe("paid");
    expect(await available()).toBe(1990);
  });

  it("is not another person: the money goes back and nothing is credited", async () => {
    const { id } = await expecting();
    const { body } = await pay(id, { payer_document: DOCUMENTS.otherCpf });
    expect([body.outcome, expectCharge(body.charge).status, body.charge.settlement]).toEqual([
      "refunded",
      "refunded",
      {},
    ]);
    expect(await available()).toBe(0);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.refunded`);
    expect(data).toHaveLength(1);
    expect(data[0].payload.data).toMatchObject({
      status: "REFUNDED",
      previousStatus: "WAITING_PAYMENT",
      amount: 1990,
      refund: {
        id: expect.stringMatching(/^rf_/),
        amount: 1990,
        status: "REFUNDED",
        reason: "payer_document_mismatch",
      },
    });
  });
});

describe("a payer whom the bank does not report", () => {
  it("leaves the charge held for review, credited to nobody", async () => {
    const { id } = await expecting();
    const { body } = await pay(id, { payer_document: null });
    expect([body.outcome, expectCharge(body.charge).status]).toEqual(["processing", "processing"]);
    expect(await balance(emulator)).toMatchObject({ available: 0, pending: 0, retained: 0 });
  });

  it("is paid once approved", async () => {
    const { id } = await expecting();
    await pay(id, { payer_document: null });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const { status, body } = await review(id, "approve");
    expect([status, Object.keys(body), body.charge.status]).toEqual([200, ["charge"], "paid"]);
    expect(body.charge.settlement.end_to_end_id).toMatch(/^E/);
    expect(await available()).toBe(1990);
  });

  it("gets the money back once rejected", async () => {
    const { id } = await expecting();
    await pay(id, { payer_document: null });
    const { body } = await review(id, "reject");
    expect([body.charge.status, body.charge.settlement, await available()]).toEqual(["refunded", {}, 0]);
  });
});

describe("money that is not wanted goes back", () => {
  async function expectReturned(id: string, body: object = {}): Promise<void> {
    const before = [
      (await emulator.call("GET", `/v1/charges/${id}`)).body,
      await eventsOf(emulator, id),
      await available(),
    ];
    const answer = await pay(id, body);
    expect([answer.status, answer.body.outcome]).toEqual([200, "returned"]);
    expect(answer.body.charge).toStrictEqual(before[0]);
    const after = [
      (await emulator.call("GET", `/v1/charges/${id}`)).body,
      await eventsOf(emulator, id),
      await available(),
    ];
    expect(after).toStrictEqual(before);
  }

  it.each([1, 1989, 1991, 999_999_999_999])("%d of 1990: the charge stays pending and can be paid", async (amount) => {
    const { id } = await emulator.charge();
    await expectReturned(id, { amount });
    expect(await statusOf(emulator, id)).toBe("pending");
    expect((await pay(id)).body.outcome).toBe("paid");
  });

  it("even of a payer who is not expected or not known", async () => {
    const { id } = await expecting();
    await expectReturned(id, { amount: 1, payer_document: DOCUMENTS.otherCpf });
    await expectReturned(id, { amount: 1, payer_document: null });
  });

  it("for a charge that was paid twice at the same moment", async () => {
    const { id } = await emulator.charge();
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(id)));
    expect(answers.map(({ body }) => body.outcome).sort()).toEqual(["paid", ...Array(9).fill("returned")]);
    expect(await available()).toBe(1990);
  });
});

it.each<[string, Loose, string, string?]>([
  ["by a document that is none", { payer_document: "123" }, "payer_document"],
  ["by an empty document", { payer_document: "" }, "payer_document"],
  ["by a CNPJ in small letters", { payer_document: "12abc34501de35" }, "payer_document"],
  ["by card", { method: "CREDIT_CARD" }, "method"],
])("a payment that cannot be is refused: %s", async (_what, body, param, code = "invalid_request") => {
  const { id } = await emulator.charge();
  expectRefused(await pay(id, body), code, param);
  expect(await statusOf(emulator, id)).toBe("pending");
});
