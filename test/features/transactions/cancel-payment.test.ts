import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance, DOCUMENTS, eventsOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, REQUESTS, readPayment, refundInFull } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
let folder: string;
let db: Database.Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "qa-pay-cancel-"));
  emulator = await startEmulator({ frozen: true, db: join(folder, "qa.db") });
  db = new Database(join(folder, "qa.db"));
});
afterAll(async () => {
  db.close();
  await emulator.close();
  rmSync(folder, { recursive: true });
});

const cancel = (id: string, options = {}) => emulator.call("POST", `/v1/payments/${id}/cancel`, options);
const outcome = async (id: string) => (await emulator.sandbox(`/charges/${id}/pay`)).outcome;

/** A payment that is held for review: its money has arrived and has no owner yet. */
async function held(): Promise<string> {
  const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
  await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: null });
  return charge.id.slice(3);
}

/** What lies in the bucket of held money, and whether the journals about a payment balance to nothing. */
function inReview(): number {
  const row = db.prepare("SELECT COALESCE(SUM(balance), 0) AS sum FROM ledger_balances WHERE bucket = 'review'").get();
  return (row as { sum: number }).sum;
}

describe("cancel", () => {
  it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
    "answers the updated payment, which waited for %s",
    async (method) => {
      const { id } = await payment(emulator, REQUESTS[method]);
      const before = await readPayment(emulator, id);
      const { now } = await emulator.sandbox("/clock/advance", { seconds: 5 });
      const answer = await cancel(id);
      expect(answer.status).toBe(200);
      expect(answer.body).toStrictEqual({
        ...before,
        status: "CANCELLED",
        metadata: {
          ...before.metadata,
          failure: expect.objectContaining({ reason: expect.stringMatching(/\S/), at: now }),
        },
      });
      expect(await readPayment(emulator, id)).toStrictEqual(answer.body);
    },
  );

  it("is reported by charge.failed and payment.failed", async () => {
    const { id } = await payment(emulator);
    await cancel(id);
    expect((await eventsOf(emulator, id)).slice(2)).toEqual([
      "charge.failed",
      "payment.failed",
      "payment.status_changed",
    ]);
    for (const type of ["payment.failed", "payment.status_changed"]) {
      const { data } = await emulator.sandbox(`/events?subject=${id}&type=${type}`);
      expect(data[0].payload).toStrictEqual({
        event: type,
        data: {
          transactionId: `tx_${id}`,
          amount: 1990,
          status: "CANCELLED",
          previousStatus: "WAITING_PAYMENT",
          occurredAt: expect.any(String),
        },
      });
    }
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=charge.failed`);
    expect(data[0].payload.data.object).toMatchObject({ id: `ch_${id}`, status: "cancelled" });
  });

  it("cancels a charge too", async () => {
    const { id } = await emulator.charge();
    expect((await cancel(id.slice(3))).body).toMatchObject({ id: id.slice(3), status: "CANCELLED" });
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    expect([body.status, body.settlement]).toEqual(["cancelled", {}]);
    expect(body.metadata.failure).toMatchObject({ at: expect.any(String), ttlSeconds: 3_600 });
  });

  it.each<[string, object]>([
    ["none", {}],
    ["an empty one", { raw: "" }],
    ["an empty one of a type", { raw: "", headers: { "content-type": "text/plain" } }],
    ["an empty object", { body: {} }],
    ["members that it does not need", { body: { reason: "x" } }],
  ])("takes a body that is %s", async (_what, options) => {
    const { id } = await payment(emulator);
    expect((await cancel(`tx_${id}`, options)).body.status).toBe("CANCELLED");
  });

  it("sends later money back and never expires", async () => {
    const { id } = await payment(emulator);
    await cancel(id);
    const events = await eventsOf(emulator, id);
    expect(await outcome(id)).toBe("returned");
    await emulator.sandbox("/clock/advance", { seconds: 10 * 86_400 });
    expect([(await readPayment(emulator, id)).status, await eventsOf(emulator, id)]).toEqual(["CANCELLED", events]);
  });

  it("ends a script that would have paid", async () => {
    const { id } = await payment(emulator, { metadata: { _sandbox: { pay_after: 60 } } });
    await cancel(id);
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    expect(await readPayment(emulator, id)).toMatchObject({ status: "CANCELLED", paidAt: null });
  });

  it("happens once, even for several requests at the same moment", async () => {
    const { id } = await payment(emulator);
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect((await eventsOf(emulator, id)).filter((name) => name === "payment.failed")).toHaveLength(1);
  });

  it("and a payment at the same moment exclude each other", async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await payment(emulator, REQUESTS.MULTIBANCO);
      const [cancelled, paid] = await Promise.all([cancel(id), outcome(id)]);
      const expected = cancelled.status === 200 ? ["returned", "CANCELLED"] : ["paid", "PAID"];
      expect([paid, (await readPayment(emulator, id)).status]).toEqual(expected);
    }
  });
});

describe("cancel of a payment in PROCESSING", () => {
  it("gives money that was held for review back to its payer", async () => {
    const before = [await balance(emulator), inReview()];
    const id = await held();
    expect(inReview()).toBe(Number(before[1]) + 1990);
    const answer = await cancel(id);
    expect(answer.body).toMatchObject({ status: "CANCELLED", paidWith: null, paidAt: null });
    expect([await balance(emulator), inReview()]).toEqual(before);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.failed`);
    expect(data[0].payload.data).toMatchObject({ status: "CANCELLED", previousStatus: "PROCESSING" });
  });

  it("leaves nothing to review", async () => {
    const id = await held();
    await cancel(id);
    for (const decision of ["approve", "reject"]) {
      const answer = await emulator.call("POST", `/_sandbox/charges/${id}/review`, { body: { decision } });
      expectRefused(answer, "invalid_request");
    }
    expect(await readPayment(emulator, id)).toMatchObject({ status: "CANCELLED" });
  });

  it("stops a card in flight, of which no money has come", async () => {
    const { id } = await payment(emulator, REQUESTS.CREDIT_CARD);
    db.prepare("UPDATE transactions SET status = 'PROCESSING' WHERE id = ?").run(id);
    const before = inReview();
    expect((await cancel(id)).body.status).toBe("CANCELLED");
    expect([await outcome(id), inReview()]).toEqual(["returned", before]);
  });
});

describe("cancel of a payment in PENDING", () => {
  it("is possible", async () => {
    const { id } = await payment(emulator);
    db.prepare("UPDATE transactions SET status = 'PENDING' WHERE id = ?").run(id);
    expect((await cancel(id)).body.status).toBe("CANCELLED");
  });
});

describe("cancel of a payment that is over", () => {
  const control = (id: string, what: string) => emulator.sandbox(`/charges/${id}/${what}`);
  const LIVES: [string, (id: string) => Promise<unknown>, object?][] = [
    ["PAID", (id) => control(id, "pay")],
    ["APPROVED", (id) => control(id, "pay"), REQUESTS.CREDIT_CARD],
    ["REFUSED", (id) => control(id, "fail")],
    ["CANCELLED", (id) => cancel(id)],
    ["EXPIRED", (id) => control(id, "expire")],
    ["REFUNDED", (id) => control(id, "pay").then(() => refundInFull(emulator, id))],
    ["DISPUTE", (id) => control(id, "pay").then(() => emulator.sandbox("/med-cases", { charge_id: id }))],
    [
      "CHARGEBACK",
      (id) => control(id, "pay").then(() => emulator.sandbox("/med-cases", { charge_id: id, type: "chargeback" })),
      REQUESTS.CREDIT_CARD,
    ],
  ];

  it.each(LIVES)("is refused and changes nothing: %s", async (status, live, body = {}) => {
    const { id } = await payment(emulator, body);
    await live(id);
    const everything = async (): Promise<Loose> => [
      await readPayment(emulator, id),
      await eventsOf(emulator, id),
      await balance(emulator),
    ];
    const before = await everything();
    expect(before[0].status).toBe(status);
    expectRefused(await cancel(id), "invalid_request");
    expect(await everything()).toStrictEqual(before);
  });

  it("is refused at the instant at which it expires", async () => {
    const { id } = await payment(emulator);
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    expectRefused(await cancel(id), "invalid_request");
    expect((await readPayment(emulator, id)).status).toBe("EXPIRED");
  });
});
