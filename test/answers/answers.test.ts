import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createRandom, createRuntime } from "../../src/base/platform/real-runtime.js";
import { tokenOf } from "../support/access.js";
import { type Answer, type CallOptions, startEmulator, type TestEmulator } from "../support/emulator.js";

/**
 * Whole refusals as they were accepted, one of each kind. A change of a refusal that is meant:
 * `npx vitest run --project unit test/answers -u`. Each is made on an emulator of its own, on which the clock stands
 * still, durations are zero, and random data is the same in every run, so that none depends on another. The answers of all
 * operations are kept as examples of the OpenAPI document (`test/docs/openapi-examples.long.test.ts`).
 */

const START = Date.UTC(2026, 5, 1, 12);

const CHARGE = { amount: 100, payment_method: "pix" };
const KEYED = { "idempotency-key": "recorded-key" };
const PATH = "/v1/charges";

const REFUSALS: Readonly<Record<string, readonly [method: string, path: string, options: CallOptions]>> = {
  "no key": ["GET", "/v1/wallets", { key: null }],
  "a wrong key": ["GET", "/v1/wallets", { key: "qa_test_wrong" }],
  "another origin": ["GET", "/v1/wallets", { headers: { origin: "https://elsewhere.test" } }],
  "an unknown path": ["GET", "/v1/nothing", {}],
  "an unknown object": ["GET", "/v1/payments/tx_unknown", {}],
  "an unknown query": ["GET", "/v1/med/cases?colour=red", {}],
  "a limit that is none": ["GET", "/v1/payments?limit=0&page=x", {}],
  "wrong fields": ["POST", PATH, { headers: KEYED, body: { amount: -1, customer: { document: "1" } } }],
  "no JSON": ["POST", PATH, { headers: KEYED, raw: '{"amount":' }],
  "another type": ["POST", PATH, { headers: { ...KEYED, "content-type": "text/plain" }, raw: "x" }],
  "no idempotency key": ["POST", PATH, { body: CHARGE }],
  "another request under a used key": ["POST", PATH, { headers: KEYED, body: { ...CHARGE, amount: 101 } }],
};

/** The same random data in every run, whatever the seed of the run is. */
function fixedRandom(name: string) {
  let fills = 0;
  return createRandom((pool) => {
    fills += 1;
    pool.set(createHash("shake256", { outputLength: pool.length }).update(`${name} ${fills}`).digest());
  });
}

async function startFixed(name: string): Promise<TestEmulator> {
  const runtime = createRuntime({ warn: () => undefined, error: () => undefined });
  const real = { ...runtime.real, monotonic: () => 0, epoch: () => START, shown: () => START };
  const emulator = await startEmulator({
    ...{ frozen: true, startAt: START, runtime: { ...runtime, real, random: fixedRandom(name) } },
    preview: new Set(["charge-list"]),
  });
  // A login waits until the first users are stored. Requests after it come after them.
  await tokenOf(emulator);
  return emulator;
}

function shown({ status, headers, body }: Answer): string {
  const told = [...headers].filter(([name]) => !["connection", "content-length", "date", "keep-alive"].includes(name));
  return [status, ...told.map((header) => header.join(": ")), "", JSON.stringify(body, null, 2), ""].join("\n");
}

it.each(Object.entries(REFUSALS))("a request with %s is refused as before", async (name, [method, path, options]) => {
  const emulator = await startFixed(name);
  await emulator.charge({}, { headers: KEYED });
  const answer = await emulator.call(method, path, options);
  await emulator.close();
  await expect(shown(answer)).toMatchFileSnapshot(`recorded/refused ${name}.txt`);
});
