import { expect, onTestFinished, test } from "vitest";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { progressReporter } from "../../../src/checks/survive/report-progress.js";
import { runSurvive } from "../../../src/checks/survive/run-schedules.js";
import { createClient } from "../../../src/programs/library/create-client.js";
import { sharedEmulator } from "../../support/shared.js";
import { startShop } from "./shop.js";

/** The emulator reports the progress of a run. */

const emulator = sharedEmulator();

const told = async () => (await emulator.call("GET", "/_sandbox/survive")).body;

test("the emulator reports how far a run is, what failed, and that it is over", async () => {
  expect(await told()).toMatchObject({ state: "none", seed: null, schedules: 0, faults: {}, failures: [] });
  const { url, key, signingSecret } = emulator;
  await emulator.call("GET", "/_sandbox/stream", { headers: { accept: "application/json" } });
  const shop = await startShop({ url, key, secret: signingSecret }, "never ships");
  onTestFinished(shop.close);
  const watched = progressReporter(emulator.reportSurvival, 2);
  const seen: unknown[] = [];
  await runSurvive({
    ...{ shop: shop.shop, process: null, runtime: createRuntime(undefined, "winter"), seed: "winter", settleMs: 20 },
    ...{ faults: ["duplicate"], schedules: 2, stopped: new AbortController().signal },
    emulator: { client: createClient({ baseUrl: url, apiKey: key }), signingSecret },
    command: (schedule) => `survive --only ${schedule}`,
    onSoFar: watched.onSoFar,
    async onShortening(schedule, oracle) {
      watched.onShortening(schedule, oracle);
      seen.push((await told()).shortening);
    },
  });
  expect(seen).toEqual([{ schedule: 1, oracle: "paid_not_fulfilled" }]);
  const { state, planned, schedules, failed, faults, shortening, failures } = await told();
  expect({ state, planned, schedules, failed, shortening }).toEqual({
    ...{ state: "running", planned: 2, schedules: 2, failed: 2, shortening: null },
  });
  expect(faults).toEqual({ duplicate: { schedules: 2, could_show: 2, failed: 2 } });
  expect(failures).toEqual([
    expect.objectContaining({ schedule: 1, oracle: "paid_not_fulfilled", command: "survive --only 1" }),
  ]);
  const [{ steps, charge }] = failures;
  expect(steps[1]).toEqual({ text: "the customer pays", parts: [{ code: "pay_right", params: { order: 0 } }] });
  expect((await emulator.call("GET", `/v1/charges/${charge}`)).status).toBe(200);
  watched.end();
  expect(await told()).toMatchObject({ state: "over", schedules: 2, failed: 2 });
  const stream = await emulator.call("GET", "/_sandbox/stream", { headers: { accept: "application/json" } });
  expect(stream.body.data[0]).toMatchObject({ event: "survive", data: { state: "over", schedules: 2, failed: 2 } });
});
