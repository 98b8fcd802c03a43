import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { balance, DOCUMENTS, eventsOf } from "../../support/charges.js";
import { newFolder } from "../../support/folder.js";
import { payment, REQUESTS, readPayment } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";
import { shared, sharedEmulator } from "../../support/shared.js";

const folder = shared(newFolder);
const emulator = sharedEmulator(() => ({ frozen: true, db: folder.db }));
const db = shared(() => new Database(folder.db));

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

  it("cancels a charge too", async () => {
    const { id } = await emulator.charge();
    expect((await cancel(id.slice(3))).body).toMatchObject({ id: id.slice(3), status: "CANCELLED" });
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    expect([body.status, body.settlement]).toEqual(["cancelled", {}]);
    expect(body.metadata.failure).toMatchObject({ at: expect.any(String), ttlSeconds: 3_600 });
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=charge.failed`);
    expect(data[0].payload.data.object).toStrictEqual(body);
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

  it("stops a card in flight, of which no money has come", async () => {
    const { id } = await payment(emulator, REQUESTS.CREDIT_CARD);
    db.prepare("UPDATE transactions SET status = 'PROCESSING' WHERE id = ?").run(id);
    const before = inReview();
    expect((await cancel(id)).body.status).toBe("CANCELLED");
    expect([await outcome(id), inReview()]).toEqual(["returned", before]);
  });
});

it("cancel of a payment that is over is refused at the instant at which it expires", async () => {
  const { id } = await payment(emulator);
  await emulator.sandbox("/clock/advance", { seconds: 3_600 });
  expectRefused(await cancel(id), "invalid_request");
  expect((await readPayment(emulator, id)).status).toBe("EXPIRED");
});
