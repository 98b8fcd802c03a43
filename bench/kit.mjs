/**
 * The library in a warm process: an emulator to its first answer, and a whole first test. The floor is a bare node:http server with
 * one answer. The targets are times, because there is no floor for a whole service.
 */
import { createServer } from "node:http";
import { createEmulator } from "../dist/index.js";
import { formatValues, median } from "./rows.mjs";
import { waitUntilListening } from "./serving.mjs";

async function floor() {
  const { url, end } = await waitUntilListening(createServer((_request, response) => response.end("{}")));
  await (await fetch(url)).text();
  return end;
}

async function ready() {
  const emulator = await createEmulator();
  return () => emulator.close();
}

const charge = (emulator, idempotencyKey) =>
  emulator.client["charges.create"]({ body: { amount: 1990, payment_method: "pix" }, idempotencyKey });

/** Start, a charge, its payment, the event, all deliveries, the end. */
async function firstTest() {
  const emulator = await createEmulator();
  const { id } = await charge(emulator, "bench-first-test");
  await emulator.client["sandbox.charges.pay"]({ params: { id } });
  await emulator.waitFor("charge.paid", { subject: id });
  await emulator.settled();
  await emulator.close();
}

/** The milliseconds of each time. What work returns is done after it. The first times load and compile. */
async function timesOf(work, count) {
  const times = [];
  for (let n = -5; n < count; n++) {
    const began = performance.now();
    const after = await work();
    if (n >= 0) times.push(performance.now() - began);
    await after?.();
  }
  return times;
}

export async function* kit({ quick }) {
  const [count, suite] = quick ? [10, 50] : [30, 500];
  const kept = await createEmulator();
  const reset = async () => {
    await charge(kept, "bench-reset");
    await kept.reset();
  };
  const least = formatValues(await timesOf(floor, count), "ms");
  for (const [name, work, rounds, limit] of [
    ["createEmulator, in memory, until it answers", ready, count, 30],
    ["createEmulator, a first test, close", firstTest, count, 60],
    ["a charge and a reset", reset, count, 20],
    [`one of ${suite} tests with an emulator each`, firstTest, suite, 60],
  ]) {
    const times = await timesOf(work, rounds);
    const isReached = median(times) <= limit;
    yield { name, ours: formatValues(times, "ms"), floor: least, target: `≤ ${limit} ms`, isReached };
  }
  await kept.close();
}
