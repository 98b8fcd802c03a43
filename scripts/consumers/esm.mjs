// A program with ES modules: it pays a charge, and waits for the event.
import assert from "node:assert/strict";
import { createClient, createEmulator, OptionError, ServiceError } from "qa-pay";

const emulator = await createEmulator();
const client = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey });
const { id } = await client["charges.create"]({
  body: { amount: 1990, payment_method: "pix" },
  idempotencyKey: "consumer-esm-1",
});
await client["sandbox.charges.pay"]({ params: { id } });
const event = await emulator.waitFor("charge.paid", { subject: id });
assert.equal(event.data.object.status, "paid");
await assert.rejects(client["charges.get"]({ params: { id: "ch_none" } }), ServiceError);
await assert.rejects(createEmulator({ froozen: true }), OptionError);
await emulator.close();
