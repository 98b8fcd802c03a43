import { describe, expect, it } from "vitest";
import { eventsOf } from "../../../support/charges.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const cancel = (id: string, options = {}) => emulator.call("POST", `/v1/payments/${id}/cancel`, options);
const outcome = async (id: string) => (await emulator.sandbox(`/charges/${id}/pay`)).outcome;

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

  it("ends a scenario that would have paid", async () => {
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
