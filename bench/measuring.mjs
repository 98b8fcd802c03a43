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

/** How often a suite does it that gives each test an emulator of its own. */
const SUITE = 500;

/** All tests of a suite, one after another: each has the time that one takes among many. */
async function suite() {
  const each = [];
  for (let test = 0; test < SUITE; test++) each.push([await timed(firstTest), await timed(floor)]);
  return { name: `one of ${SUITE} tests with an emulator each`, limit: 60, pairs: each };
}

/** Measures in alternating rounds. Returns `{name, limit, pairs}` for each, with times in milliseconds. */
export async function kit(rounds) {
  const kept = await createEmulator();
  const reset = async () => {
    await charge(kept, "bench-reset");
    await kept.reset();
  };
  const measured = [
    { name: "createEmulator, in memory, until it answers", work: ready, limit: 30, pairs: [] },
    { name: "createEmulator, a first test, close", work: firstTest, limit: 60, pairs: [] },
    { name: "a charge and a reset", work: reset, limit: 20, pairs: [] },
  ];
  // The first rounds load and compile.
  for (let round = -5; round < rounds; round++) {
    for (const { work, pairs } of measured) {
      const [ours, least] = [await timed(work), await timed(floor)];
      if (round >= 0) pairs.push([ours, least]);
    }
  }
  await kept.close();
  return [...measured, await suite()];
}
