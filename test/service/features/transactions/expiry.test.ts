import { describe, expect, it } from "vitest";
import { eventsOf, expectCharge, statusOf } from "../../../support/charges.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const until = (instant: string, ms = 0) =>
  emulator.sandbox("/clock/advance", { to: new Date(Date.parse(instant) + ms).toISOString() });

describe("a charge that nobody pays", () => {
  it.each([60, 3_600, 86_400])("expires %d seconds after its creation, to the millisecond", async (expires_in) => {
    const { id, pix } = await emulator.charge({ expires_in });
    await until(pix.expires_at, -1);
    expect([await statusOf(emulator, id), (await eventsOf(emulator, id)).length]).toEqual(["pending", 2]);
    await until(pix.expires_at);
    expect(await statusOf(emulator, id)).toBe("expired");
    expect((await eventsOf(emulator, id)).slice(2)).toEqual([
      "charge.expired",
      "payment.expired",
      "payment.failed",
      "payment.status_changed",
    ]);
  });

  it("shows the instant of its expiry, however far the clock went", async () => {
    const charge = await emulator.charge({ expires_in: 90 });
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const { body } = await emulator.call("GET", `/v1/charges/${charge.id}`);
    expect(expectCharge(body)).toStrictEqual({
      ...charge,
      status: "expired",
      metadata: {
        failure: { reason: "expired_unpaid", providerErrorCode: null, ttlSeconds: 90, at: charge.pix.expires_at },
      },
    });
    const { data } = await emulator.sandbox(`/events?subject=${charge.id}&type=charge.expired`);
    expect(data[0].created_at).toBe(charge.pix.expires_at);
    expect(data[0].payload).toMatchObject({ created_at: charge.pix.expires_at, data: { object: body } });
  });
});

it("many charges expire each at its own instant, in order of time", async () => {
  const charges = await Promise.all(
    [300, 60, 240, 120, 180].map((expires_in) => emulator.charge({ expires_in, amount: expires_in })),
  );
  await emulator.sandbox("/clock/advance", { seconds: 299.999 });
  const { data } = await emulator.sandbox("/events?type=charge.expired&limit=4");
  const amounts = data.map(
    ({ payload }: { payload: { data: { object: { amount: number } } } }) => payload.data.object.amount,
  );
  expect(amounts).toEqual([240, 180, 120, 60]);
  const [last] = charges;
  expect(await statusOf(emulator, last.id)).toBe("pending");
});
