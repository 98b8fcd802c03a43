import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { Contract } from "../../src/kernel/contract.js";
import { createRandom, createRuntime } from "../../src/platform/real-runtime.js";
import { registry } from "../../src/registry.js";
import { tokenOf } from "../support/access.js";
import { addressOf, preparedCall } from "../support/calls.js";
import { type Answer, type CallOptions, startEmulator, type TestEmulator } from "../support/emulator.js";

/**
 * Whole answers as they were accepted, of each group of paths and of each kind of refusal. A change of an answer that is
 * meant: `npx vitest run --project unit test/answers -u`. Each is made on an emulator of its own, on which the clock stands
 * still, durations are zero, and random data is the same in every run, so that none depends on another.
 */

const START = Date.UTC(2026, 5, 1, 12);

const ANSWERS = [
  ...(["charges.create", "charges.get", "charges.list", "pix.charges.create", "wallets.balance"] as const),
  ...(["payments.get", "payments.list", "payments.metrics", "payments.refund", "payments.stats"] as const),
  ...(["webhooks.deliveries", "webhooks.endpoints.create", "webhooks.stats"] as const),
  ...(["med.evidence.create", "med.evidence.list", "med.get", "api-keys.list"] as const),
  ...(["sandbox.account", "sandbox.accounts.list", "sandbox.audit", "sandbox.charges.pay", "sandbox.chaos"] as const),
  ...([
    "sandbox.clock.due",
    "sandbox.collectors.webhooks",
    "sandbox.deliveries.get",
    "sandbox.emails.get",
    "sandbox.events.get",
    "sandbox.incident",
    "sandbox.why",
  ] as const),
  ...(["sandbox.faults.list", "sandbox.ledger.list", "sandbox.med.open", "sandbox.payouts.create"] as const),
  ...([
    "sandbox.refunds.get",
    "sandbox.requests.get",
    "sandbox.payments.list",
    "sandbox.search",
    "sandbox.survive",
    "sandbox.timeline",
  ] as const),
];

/** Paths whose answers depend on more: on the version, the memory of the process, sizes of files, or on other programs. */
const UNSTEADY = ["/_sandbox", "/_sandbox/console", "/_sandbox/reset", "/_sandbox/settings", "/_sandbox/snapshots"];
const LEFT_OUT = [...UNSTEADY, "/_sandbox/stream", "/v1/auth", "/_sandbox/webhooks"];

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
  const real = { ...runtime.real, monotonic: () => 0, epoch: () => START };
  const emulator = await startEmulator({
    ...{ frozen: true, startAt: START, runtime: { ...runtime, real, random: fixedRandom(name) } },
    settings: { previews: new Set(["charge-list"]) },
  });
  // A login waits until the first users are stored. What is asked after it comes after them.
  await tokenOf(emulator);
  return emulator;
}

/** Texts that differ between runs: the free port and what is signed with it, and keys that tests count through. */
function steady(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d{4,5}/g, "emulator.test")
    .replaceAll(/test-key-\d{8}/g, "test-key")
    .replaceAll(/usr_[0-9a-f-]{36}/g, "usr_…")
    .replaceAll(/(v1|sha256)=[0-9a-f]{64}/g, "$1=…")
    .replaceAll(/data:image\/png;base64,[\w+/=]+/g, "data:image/png…");
}

function shown({ status, headers, body }: Answer): string {
  const told = [...headers].filter(([name]) => !["connection", "content-length", "date", "keep-alive"].includes(name));
  const lines = [status, ...told.map((header) => header.join(": ")), "", JSON.stringify(body, null, 2), ""];
  return steady(lines.join("\n"));
}

const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

it.each(ANSWERS)("%s answers as before", async (id) => {
  const emulator = await startFixed(id);
  const { method, path } = contracts.find((one) => one.id === id) as Contract;
  const call = await preparedCall(id, emulator);
  const answer = await emulator.call(method, addressOf(path, call), call);
  await emulator.close();
  await expect(shown(answer)).toMatchFileSnapshot(`recorded/${id}.txt`);
});

it.each(Object.entries(REFUSALS))("a request with %s is refused as before", async (name, [method, path, options]) => {
  const emulator = await startFixed(name);
  await emulator.charge({}, { headers: KEYED });
  const answer = await emulator.call(method, path, options);
  await emulator.close();
  await expect(shown(answer)).toMatchFileSnapshot(`recorded/refused ${name}.txt`);
});

it("has an answer of each group of paths", () => {
  const groupOf = ({ path }: Contract) => path.split("/").slice(0, 3).join("/");
  const known = new Set<string>(ANSWERS);
  const groups = new Set(contracts.filter(({ id }) => known.has(id)).map(groupOf));
  const missing = contracts.map(groupOf).filter((group) => !groups.has(group) && !LEFT_OUT.includes(group));
  expect([...new Set(missing)]).toEqual([]);
});
