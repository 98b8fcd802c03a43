/**
 * The library in a warm process: an emulator to its first answer, and a whole first test. This is the part `kit` of
 * bench/run.mjs. The floor is a bare node:http server with one answer.
 */
import { createServer } from "node:http";
import { createEmulator } from "../dist/index.js";

async function timed(work) {
  const began = performance.now();
  const after = await work();
  const took = performance.now() - began;
  await after?.();
  return took;
}

async function floor() {
  const server = createServer((_request, response) => response.end("{}"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await (await fetch(`http://127.0.0.1:${server.address().port}/`)).text();
  return () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
}

async function ready() {
  const emulator = await createEmulator();
  return () => emulator.close();
}

/** Start, a charge, its payment, the event, all deliveries, the end. */
async function firstTest() {
  const emulator = await createEmulator();
  const { id } = await emulator.client["charges.create"]({
    body: { amount: 1990, payment_method: "pix" },
    idempotencyKey: "bench-first-test",
  });
  await emulator.client["sandbox.charges.pay"]({ params: { id } });
  await emulator.waitFor("charge.paid", { subject: id });
  await emulator.settled();
  await emulator.close();
}

/** Measures in alternating rounds. Returns `{name, limit, pairs}` for each, with times in milliseconds. */
export async function kit(rounds) {
  const measured = [
    { name: "createEmulator, in memory, until it answers", work: ready, limit: 30, pairs: [] },
    { name: "createEmulator, a first test, close", work: firstTest, limit: 60, pairs: [] },
  ];
  // The first rounds load and compile.
  for (let round = -5; round < rounds; round++) {
    for (const { work, pairs } of measured) {
      const [ours, least] = [await timed(work), await timed(floor)];
      if (round >= 0) pairs.push([ours, least]);
    }
  }
  return measured;
}
