import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { Shop } from "../../../src/checks/shop/shop.js";
import { ShopError } from "../../../src/checks/shop/shop-error.js";
import { runSurvive } from "../../../src/checks/survive/run-schedules.js";
import { createEmulator } from "../../../src/programs/library/create-emulator.js";
import { shared } from "../../support/shared.js";
import { startShop } from "./shop.js";

/** The first order of a run, which has no faults, and what a fault could show at all. */

const emulator = shared(() => createEmulator());

async function shopWith(change: (shop: Shop) => Partial<Shop> = () => ({})) {
  const { url, testKey: key, signingSecret: secret } = emulator;
  const made = await startShop({ url, key, secret });
  onTestFinished(made.close);
  const { shop } = made;
  const { webhooks, buy, orders } = { ...shop, webhooks: shop.webhooks, ...change(shop) };
  return {
    ...{ shop: { webhooks, buy, orders }, process: null, emulator, seed: "winter", schedules: 2, settleMs: 20 },
    ...{ runtime: createRuntime(undefined, "winter"), stopped: new AbortController().signal, checksFirst: true },
    command: (schedule: number) => `survive --only ${schedule}`,
  };
}

/** A receiver of its own that gives this status to everything. */
async function answering(status: number): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { location: "/" }).end("<h1>Sorry</h1>"),
  );
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${await listenOnLoopback(server)}/hook`;
}

const NOTHING = "http://127.0.0.1:9/hook";

test.each([404, 501, 308])("a receiver that answers %d is at a wrong address", async (status) => {
  const webhooks = await answering(status);
  const parts = await shopWith(() => ({ webhooks }));
  await expect(runSurvive({ ...parts, faults: ["refund"] })).rejects.toMatchObject({
    entryPoint: "webhooks",
    message: expect.stringMatching(
      new RegExp(
        `^There is no receiver of webhooks at ${webhooks}: answered ${status}: a page of HTML \\(Sorry\\)\\.$`,
      ),
    ),
  });
});

test("one that never answers is reported after its first webhook", async () => {
  const server = createServer(() => undefined);
  onTestFinished(() => void server.close().closeAllConnections());
  const webhooks = `http://127.0.0.1:${await listenOnLoopback(server)}/hook`;
  const parts = await shopWith(() => ({ webhooks }));
  // Timers of the run end at once.
  const real = { ...parts.runtime.real, after: (_ms: number, done: () => void) => parts.runtime.real.after(1, done) };
  const run = runSurvive({ ...parts, runtime: { ...parts.runtime, real }, faults: ["refund"] });
  await expect(run).rejects.toMatchObject({
    entryPoint: "webhooks",
    message: expect.stringMatching(
      /^There is no receiver of webhooks at \S+: no answer: no answer within 30 seconds\.$/,
    ),
  });
});

test("so is one where nobody listens", async () => {
  const parts = await shopWith(() => ({ webhooks: NOTHING }));
  await expect(runSurvive({ ...parts, faults: ["refund"] })).rejects.toMatchObject({ entryPoint: "webhooks" });
});

test("one that answers 500 has its own reasons, which the schedules find", async () => {
  const webhooks = await answering(500);
  const parts = await shopWith(() => ({ webhooks }));
  const stop = new AbortController();
  const run = runSurvive({ ...parts, stopped: stop.signal, faults: ["refund"], onShortening: () => stop.abort() });
  expect((await run).failures).toHaveLength(1);
});

test.each<[string, string, RegExp, (shop: Shop) => Partial<Shop>]>([
  [
    "a purchase that is refused",
    "buy",
    /was refused: answered 404\.$/,
    () => ({ buy: async () => ({ kind: "refused", text: "answered 404" }) }),
  ],
  [
    "a charge that the service does not have",
    "buy",
    /^The shop answered the first order with ch_\S+, which this service does not have/,
    () => ({ buy: async () => ({ kind: "bought", charge: "ch_01980000-0000-7000-8000-000000000000" }) }),
  ],
  [
    "orders that cannot be read",
    "orders",
    /^nothing there$/,
    () => ({ orders: () => Promise.reject(new ShopError("nothing there")) }),
  ],
  [
    "orders without the first one",
    "orders",
    /do not have the first order within 0\.02 s/,
    () => ({ orders: async () => [] }),
  ],
])("%s ends the run before any schedule", async (_what, entryPoint, message, change) => {
  const parts = await shopWith(change);
  let ran = 0;
  const run = runSurvive({ ...parts, faults: ["refund"], onSchedule: () => ran++ });
  await expect(run).rejects.toMatchObject({ entryPoint, message: expect.stringMatching(message) });
  expect(ran).toBe(0);
});

test("without the check of the first order, a refused purchase is a failure of the run", async () => {
  const parts = await shopWith(() => ({ buy: async () => ({ kind: "refused", text: "sold out" }) }));
  const { failures } = await runSurvive({ ...parts, checksFirst: false, faults: ["refund"], schedules: 1 });
  expect(failures).toMatchObject([{ oracle: "buy_refused" }]);
});

test("a purchase without an answer ends the run, and is reported once", async () => {
  let bought = 0;
  const parts = await shopWith((shop) => ({
    buy: async (purchase) => (++bought < 3 ? shop.buy(purchase) : { kind: "refused", text: "no answer", isLate: true }),
  }));
  const told = await runSurvive({ ...parts, faults: ["refund"], schedules: 50 });
  expect(told).toMatchObject({ failed: 1, isGone: true, trouble: null });
  expect(told.failures).toMatchObject([
    { oracle: "buy_refused", text: "Nobody can buy: no answer.", again: { of: 0 } },
  ]);
  expect(told.schedules).toBe(2);
  expect(bought).toBe(3);
});

test("what a fault could show is counted: another payer never matters to a shop that expects nobody", async () => {
  const { client } = emulator;
  const bought = new Map<string, string>();
  const parts = await shopWith(() => ({
    buy: async ({ order, amount }) => {
      const body = { amount, payment_method: "pix", metadata: { order } } as const;
      const { id } = await client["charges.create"]({ body, idempotencyKey: `own-${order}` });
      bought.set(order, id);
      return { kind: "bought", charge: id };
    },
    orders: () =>
      Promise.all(
        [...bought].map(async ([order, id], index) => {
          const { status, amount } = await client["charges.get"]({ params: { id } });
          const known = status === "paid" || status === "refunded" ? status : "open";
          return { line: index + 1, id, order, status: known, amount, fulfilled: null } as const;
        }),
      ),
  }));
  const faults = ["other_payer", "letters_in_cnpj", "refund"] as const;
  const told = await runSurvive({ ...parts, faults, schedules: 6 });
  expect(told.failures).toEqual([]);
  expect(told.faults.other_payer).toMatchObject({ could_show: 0, failed: 0 });
  expect(told.faults.letters_in_cnpj).toMatchObject({ could_show: 0, failed: 0 });
  expect(told.faults.refund?.could_show).toBe(told.faults.refund?.schedules);
  for (const fault of faults) expect(told.faults[fault]?.schedules).toBeGreaterThan(0);
});

test("a shop that says refunded is shown the status at the service", async () => {
  const parts = await shopWith((shop) => ({
    orders: async () =>
      (await shop.orders()).map((row) => (row.status === "paid" ? { ...row, status: "refunded" as const } : row)),
  }));
  const stop = new AbortController();
  const run = runSurvive({ ...parts, stopped: stop.signal, faults: ["duplicate"], onShortening: () => stop.abort() });
  const { failures } = await run;
  expect(failures.find(({ oracle }) => oracle === "refund_unknown")?.text).toMatch(
    /^Order \S+ is refunded in the shop, but not all of its money was refunded: it is paid at the service\./,
  );
});
