import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { patientRuntime } from "../../support/impatient.js";
import {
  MISBEHAVIOURS,
  type MisbehavingServer,
  startMisbehaving,
  TIME,
  TLS_MISBEHAVIOURS,
} from "../../support/misbehaving.js";
import { PATIENCE } from "../../support/patience.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { deliveries, settle, subscribe } from "../../support/webhooks.js";

/** Every receiver that misbehaves is an endpoint of one emulator, beside one that does as it should. */

const ALL = [...MISBEHAVIOURS, ...TLS_MISBEHAVIOURS];

/** No result depends on how fast this machine is: time limits end when all other attempts have their outcome. */
const runtime = patientRuntime();
const SILENT = ALL.filter(({ ends }) => ends === TIME).length;

const emulator = sharedEmulator({ frozen: true, runtime, maxAttempts: 2 });
const healthy = sharedReceiver();
let servers: MisbehavingServer[];
const endpoints: string[] = [];
let recorded: Loose[];

beforeAll(async () => {
  servers = await Promise.all([
    ...MISBEHAVIOURS.map((one) => startMisbehaving(one)),
    ...TLS_MISBEHAVIOURS.map((one) => startMisbehaving(one, "https")),
  ]);
  for (const { url } of servers) endpoints.push((await subscribe(emulator, url, ["charge.created"])).id);
  await subscribe(emulator, healthy.url, ["charge.created"]);
  await emulator.charge();
  await healthy.waitFor(1);
  await vi.waitFor(async () => {
    const { PROCESSING } = (await emulator.call("GET", "/v1/webhooks/stats")).body;
    expect(PROCESSING).toBe(SILENT);
  }, PATIENCE);
  runtime.letTimePass();
  await settle(emulator);
  recorded = await deliveries(emulator, "?limit=100");
});

afterAll(async () => {
  runtime.letTimePass();
  for (const server of servers) await server.close();
});

const of = (index: number) => recorded.find(({ endpointId }) => endpointId === endpoints[index]);

describe.each(ALL.map((one, index) => [one.name, index, one.ends] as const))(
  "a receiver that %s",
  (_name, index, ends) => {
    it("has its attempt recorded in words", () => {
      if (ends === 200) {
        expect(of(index)).toMatchObject({ status: "DELIVERED", attempts: 1, lastStatusCode: 200, lastError: null });
        return;
      }
      expect(of(index)).toMatchObject({ status: "PENDING", attempts: 1, nextRetryAt: expect.any(String) });
      const { lastStatusCode, lastError } = of(index);
      if (typeof ends === "number")
        expect([lastStatusCode, lastError]).toEqual([ends, `the endpoint answered ${ends}`]);
      else {
        expect(lastStatusCode).toBeNull();
        expect(lastError).toMatch(ends);
      }
    });
  },
);

describe("all of them together", () => {
  it("leave no delivery without an outcome and do not touch the one that is healthy", async () => {
    expect(recorded).toHaveLength(ALL.length + 1);
    expect(recorded.filter(({ status }) => status === "PROCESSING")).toEqual([]);
    expect(healthy.received).toHaveLength(1);
  });

  it("are tried again and given up, while others flow on", async () => {
    await emulator.sandbox("/clock/advance", { seconds: 10 });
    const after = await deliveries(emulator, "?limit=100");
    const statuses = new Set(after.map(({ status }: Loose) => status));
    expect([...statuses].sort()).toEqual(["DELIVERED", "FAILED"]);
    runtime.holdTime();
    await emulator.charge();
    await healthy.waitFor(2);
  });

  it("do not keep a reset waiting", async () => {
    await emulator.charge();
    await emulator.sandbox("/reset");
    expect(await deliveries(emulator)).toEqual([]);
  });
});
