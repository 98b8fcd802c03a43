import { mock } from "node:test";
import timers from "node:timers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, createEmulator, survive } from "../../../src/index.js";
import { verifyWebhook } from "../../../src/service/webhooks/index.js";
import { freshKey } from "../../support/emulator.js";
import { closeAfterwards } from "../../support/shared.js";
import { testShop } from "../../support/test-shop.js";

/** The kit in a test whose functions of time are fake ones: those of Vitest, of node:test, and as Jest replaces them. */

const start = closeAfterwards(createEmulator);

const TIMERS = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
] as const;

/** Jest fakes each of these in the globals and in node:timers, and stops `Date`. Here nothing that is started ever happens. */
function asJest() {
  const never = () => ({ unref: () => undefined });
  for (const name of TIMERS) {
    vi.spyOn(timers, name).mockImplementation(never as never);
    vi.stubGlobal(name, never);
  }
  vi.stubGlobal("queueMicrotask", never);
  vi.stubGlobal("performance", { now: () => 0, timeOrigin: 0 });
  const RealDate = Date;
  vi.stubGlobal(
    "Date",
    class extends RealDate {
      static override now = () => RealDate.UTC(2031, 0, 1);
    },
  );
}

/** All that Vitest can fake, but for `nextTick`, without which Node itself stands still. */
const inAnotherYear = () =>
  vi.useFakeTimers({
    now: Date.UTC(2030, 0, 1),
    toFake: [...TIMERS, "Date", "performance", "hrtime", "queueMicrotask"],
  });

/** `mock.timers` begins at the Unix epoch. */
const FRAMEWORKS = [
  { name: "Vitest", fake: () => vi.useFakeTimers() },
  { name: "Vitest, everything, in another year", fake: inAnotherYear },
  { name: "node:test", fake: () => mock.timers.enable() },
  { name: "Jest", fake: asJest },
];

function real() {
  vi.useRealTimers();
  mock.timers.reset();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}
afterEach(real);

describe.each(FRAMEWORKS)("fake timers of $name", ({ fake }) => {
  it.each([
    ["before it, with a clock that runs", true, {}],
    ["after it, with a clock that stands still", false, { frozen: true }],
  ])("switched on %s: everything of the kit goes on", async (_when, isBefore, options) => {
    if (isBefore) fake();
    const emulator = await start(options);
    if (!isBefore) fake();
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey });
    const collector = await emulator.collect();
    const body = { amount: 1990, payment_method: "pix", expires_in: 600 } as const;
    const { id } = await client["charges.create"]({ body, idempotencyKey: freshKey() });
    const { now } = await emulator.advance("10m");
    const shown = emulator.now().getTime() - Date.parse(now);
    if ("frozen" in options) expect(shown).toBe(0);
    else expect(shown).toBeGreaterThanOrEqual(0);
    expect((await emulator.waitFor("charge.expired", { subject: id })).data.object.status).toBe("expired");
    const expired = await collector.next("charge.expired");
    expect(verifyWebhook({ ...expired, secret: collector.secret }).type).toBe("charge.expired");
    await expect(collector.next("charge.paid", { timeout: 20 })).rejects.toThrow("No event charge.paid");
    await expect(emulator.waitFor("charge.paid", { timeout: 20 })).rejects.toThrow("No event charge.paid");
    await emulator.settled();
    await collector.close();
    await emulator.reset();
    expect(await emulator.deliveries()).toEqual([]);
    await emulator.close();
  });

  it("what falls due on a running clock comes by itself, and a client waits and tries again", async () => {
    await using emulator = await createEmulator();
    fake();
    await emulator.client["sandbox.faults.add"]({ body: { effect: { status: 503 }, times: 1 } });
    const body = { amount: 1990, payment_method: "pix", metadata: { _sandbox: { pay_after: 1 } } } as const;
    await emulator.client["sandbox.clock.speed"]({ body: { factor: 100 } });
    const { id } = await emulator.client["charges.create"]({ body, idempotencyKey: freshKey() });
    expect((await emulator.waitFor("charge.paid", { subject: id })).data.object.status).toBe("paid");
  });

  it("survive judges a shop as without them", async () => {
    fake();
    const faults = ["duplicate", "lost_until_retry", "forged", "stale"] as const;
    expect(await survive({ ...testShop().options, faults, schedules: 1 })).toMatchObject({ survived: 1, failures: [] });
  });
});

it.each([...FRAMEWORKS, { name: "nobody", fake: () => undefined }])(
  "loaded behind fake timers of $name, the functions of time are real ones",
  async ({ fake }) => {
    const before = Date.now();
    fake();
    vi.resetModules();
    const { realTime } = await import("../../../src/base/platform/real-runtime.js");
    const [began, epoch] = [realTime.monotonic(), realTime.epoch()];
    await new Promise<void>((resolve) => void realTime.after(20, resolve));
    await new Promise<void>((resolve) => realTime.callSoon(resolve));
    realTime.after(1, () => expect.unreachable("it was cancelled")).cancel();
    await new Promise<void>((resolve) => void realTime.after(5, resolve));
    real();
    expect(realTime.monotonic() - began).toBeGreaterThan(15);
    expect(Number.isInteger(epoch)).toBe(true);
    expect(Math.abs(epoch - before)).toBeLessThan(60_000);
  },
);
