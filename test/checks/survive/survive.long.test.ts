import { expect, onTestFinished, test } from "vitest";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { ShopProcess } from "../../../src/checks/shop/process.js";
import { ShopError } from "../../../src/checks/shop/shop-error.js";
import { FAULT_NAMES, type FaultName, type OracleName } from "../../../src/checks/survive/faults.js";
import {
  connectShop,
  runSurvive,
  type SurvivalProgress,
  type SurviveParts,
} from "../../../src/checks/survive/run-schedules.js";
import type { Disturbance, Step } from "../../../src/checks/survive/schedule.js";
import { createEmulator } from "../../../src/programs/library/create-emulator.js";
import { EVENT_NAMES, familyOf } from "../../../src/service/features/webhooks/catalogue.js";
import { shared } from "../../support/shared.js";
import { type Mistake, startShop } from "./shop.js";

const emulator = shared(() => createEmulator());

/** The webhooks of one family: half of those of a run without `events`. */
const EVENTS = EVENT_NAMES.filter((name) => familyOf(name) === "canonical" || name === "payment.refunded");

/** A shop, and what a run needs besides. */
async function shopWith(mistake: Mistake = "none") {
  const { url, testKey: key, signingSecret: secret } = emulator;
  const made = await startShop({ url, key, secret }, mistake);
  onTestFinished(made.close);
  const parts: Omit<SurviveParts, "faults"> = {
    ...{ shop: made.shop, process: null, emulator, seed: "winter", runtime: createRuntime(undefined, "winter") },
    ...{ events: EVENTS, schedules: 1, settleMs: 20, stopped: new AbortController().signal },
    command: (schedule) => `survive --only ${schedule}`,
  };
  return { ...made, parts };
}

const BUY: Step = { id: 0, order: 0, disturbed: [], do: "buy", amount: 1_000, document: "12345678909", letters: false };
const pay = (...disturbed: Disturbance[]): Step => ({ id: 1, order: 0, disturbed, do: "pay", how: "right" });
const REFUND: Step = { id: 2, order: 0, disturbed: [], do: "refund", part: false };

async function heardIn(steps: readonly Step[]) {
  const { parts, heard } = await shopWith();
  const { run, close } = await connectShop({ ...parts, events: undefined });
  const { findings } = await run(steps);
  await close();
  expect(findings).toEqual([]);
  return heard;
}

const PAID = ["charge.paid", "payment.completed", "payment.status_changed"];
const CREATED = ["charge.created", "payment.created"];

test.each<[string, readonly Step[], readonly string[]]>([
  ["as they were sent", [BUY, pay()], [...CREATED, ...PAID]],
  [
    "each twice",
    [BUY, pay({ fault: "duplicate", copies: 1, manner: "again" })],
    [...CREATED, ...PAID.flatMap((name) => [name, name])],
  ],
  ["twice, in rounds", [BUY, pay({ fault: "duplicate", copies: 1, manner: "resent" })], [...CREATED, ...PAID, ...PAID]],
  ["the other way round", [BUY, pay({ fault: "reordered", behind: null })], [...CREATED, ...PAID.toReversed()]],
  [
    "after those of a later step",
    [BUY, pay({ fault: "late", behind: 2 }), REFUND],
    [...CREATED, "payment.refunded", "payment.refunded", "payment.status_changed", ...PAID],
  ],
  [
    "once more when the answer was lost",
    [BUY, pay({ fault: "cut_answer", attempts: 1 })],
    [...CREATED, ...PAID, ...PAID],
  ],
  ["when they were lost three times", [BUY, pay({ fault: "lost_until_retry", attempts: 3 })], [...CREATED, ...PAID]],
])("webhooks come %s", async (_how, steps, names) => {
  expect(await heardIn(steps)).toEqual(names);
});

test("a right shop survives schedules of all faults", async () => {
  const { parts } = await shopWith();
  const faults = FAULT_NAMES.filter((name) => name !== "restart" && name !== "api_slow");
  const told = await runSurvive({ ...parts, events: undefined, faults, schedules: 8 });
  expect(told.failures).toEqual([]);
  expect(told).toMatchObject({ seed: "winter", schedules: 8, survived: 8, failed: 0, unseen: [], isStopped: false });
  expect(Object.values(told.faults).filter((one) => one.schedules > 0).length).toBeGreaterThan(8);
});

/** One oracle of each kind: deliveries, forged webhooks, requests and answers. The zoo has all. */
const WRONG: readonly (readonly [OracleName, Mistake, FaultName])[] = [
  ["fulfilled_twice", "ships on each webhook", "duplicate"],
  ["forgery_believed", "takes every signature", "forged"],
  ["charged_twice", "new key on each try", "api_lost_answer"],
  ["never_settles", "refuses expiry", "expiry"],
];

test.each(WRONG)("%s: a shop that %s is found, and shortened", async (oracle, mistake, fault) => {
  const { parts } = await shopWith(mistake);
  const { failures, faults, failed, schedules } = await runSurvive({ ...parts, faults: [fault], schedules: 2 });
  expect(failures.map((one) => one.oracle)).toContain(oracle);
  const found = failures.find((one) => one.oracle === oracle);
  expect(found).toMatchObject({ again: { failed: 3, of: 3 }, command: `survive --only ${found?.schedule}` });
  expect(found?.steps.length).toBeLessThanOrEqual(3);
  expect(found?.timeline.length).toBeGreaterThan(3);
  expect(faults[fault]).toEqual({ schedules, could_show: schedules, failed });
});

test.each(["api_503", "api_429", "api_slow", "api_lost_answer"] as const)(
  "%s is counted where a request met it",
  async (fault) => {
    const { parts } = await shopWith();
    const { failures, faults, schedules } = await runSurvive({ ...parts, faults: [fault], schedules: 2 });
    expect(failures).toEqual([]);
    expect(faults[fault]).toEqual({ schedules, could_show: schedules, failed: 0 });
  },
);

test("a shop that ends by itself is found, and the run goes on", async () => {
  const { parts, shop } = await shopWith();
  let starts = 0;
  const process = {
    ended: null as ShopProcess["ended"],
    output: () => "out of memory",
    async start() {
      starts++;
      process.ended = null;
    },
    async kill() {},
  };
  const dying = {
    ...{ webhooks: shop.webhooks, orders: shop.orders },
    async buy(purchase: Parameters<typeof shop.buy>[0]) {
      process.ended = { code: 137, signal: null };
      return shop.buy(purchase);
    },
  };
  const told = await runSurvive({ ...parts, shop: dying, process, faults: ["refund"], schedules: 2 });
  expect(told.failures).toMatchObject([
    { oracle: "shop_died", text: "The shop ended by itself, with code 137.", said: "out of memory", others: 1 },
  ]);
  expect(told.schedules).toBe(2);
  expect(starts).toBeGreaterThan(2);
});

test("a shop that no longer answers has ended by itself, also where the system reports it late", async () => {
  const { parts, shop } = await shopWith();
  const ending = { code: 1, signal: null };
  let isGone = false;
  let looks = 0;
  const process: ShopProcess = {
    get ended() {
      return isGone && ++looks > 6 ? ending : null;
    },
    output: () => "",
    async start() {
      isGone = false;
      looks = 0;
    },
    async kill() {},
  };
  let asked = 0;
  const dying = {
    ...{ webhooks: shop.webhooks, buy: shop.buy },
    orders() {
      // The first schedule comes before the reported ones.
      isGone ||= ++asked === 4;
      return isGone ? Promise.reject(new ShopError("no answer")) : shop.orders();
    },
  };
  const told = await runSurvive({
    ...parts,
    events: undefined,
    shop: dying,
    process,
    faults: ["refund"],
    schedules: 2,
  });
  expect(told).toMatchObject({ trouble: null, schedules: 2, failures: [{ oracle: "shop_died" }] });
});

test("the results of a run so far do not change while the next failure is shortened", async () => {
  const { parts } = await shopWith("ships on each webhook");
  const told: [SurvivalProgress, string][] = [];
  await runSurvive({
    ...parts,
    faults: ["duplicate"],
    schedules: 2,
    onSoFar: (soFar) => told.push([soFar, JSON.stringify(soFar)]),
    onShortening: () => {
      for (const [soFar, then] of told) expect(JSON.stringify(soFar)).toBe(then);
    },
  });
  expect(told.map(([{ failed }]) => failed)).toEqual([0, 1, 2]);
});

test("a failure that does not come back is reported as unsteady", async () => {
  const { parts, shop } = await shopWith();
  let sold = 0;
  const moody = {
    ...{ webhooks: shop.webhooks, orders: shop.orders },
    buy: (purchase: Parameters<typeof shop.buy>[0]) =>
      ++sold === 1 ? Promise.resolve({ kind: "refused" as const, text: "answered 500" }) : shop.buy(purchase),
  };
  const { failures } = await runSurvive({ ...parts, shop: moody, faults: ["refund"], schedules: 1 });
  expect(failures).toMatchObject([
    {
      oracle: "buy_refused",
      text: "Nobody can buy: answered 500. This is unsteady: it failed again in 0 of 7 runs.",
      again: { failed: 0, of: 7 },
    },
  ]);
});

test("a shop that takes canonical events alone is sent no legacy ones but refunds", async () => {
  const { parts, heard } = await shopWith("takes canonical events alone");
  const told = await runSurvive({ ...parts, events: undefined, faults: ["expiry"], schedules: 2 });
  expect(told).toMatchObject({ failed: 0, unseen: [expect.stringContaining("refuses legacy events")] });
  expect(heard.slice(-3).filter((name) => name.startsWith("payment."))).toEqual([]);
});

test("a run that is stopped reports what it found", async () => {
  const { parts } = await shopWith("never ships");
  const stop = new AbortController();
  const told = await runSurvive({
    ...{ ...parts, stopped: stop.signal, schedules: 1_000, faults: ["duplicate"] },
    onShortening: () => stop.abort(),
  });
  expect(told).toMatchObject({ schedules: 1, failed: 1, isStopped: true });
  expect(told.failures).toMatchObject([{ oracle: "paid_not_fulfilled", again: { failed: 0, of: 0 } }]);
});

/** The client of the emulator, of which one operation fails. */
const clientWithout = (name: "webhooks.endpoints.delete" | "charges.create", message: string) => ({
  ...emulator.client,
  [name]: () => Promise.reject(new Error(message)),
});

test("when the end of a run fails too, the first error is thrown", async () => {
  const { parts, shop } = await shopWith();
  const closed = { ...shop, webhooks: shop.webhooks, orders: () => Promise.reject(new Error("no orders")) };
  const broken = { ...emulator, client: clientWithout("webhooks.endpoints.delete", "no endpoint") };
  await expect(runSurvive({ ...parts, shop: closed, emulator: broken, faults: ["refund"] })).rejects.toThrow(
    "no orders",
  );
});

test("an end that fails is reported when the run has not failed", async () => {
  const { parts } = await shopWith();
  const broken = { ...emulator, client: clientWithout("webhooks.endpoints.delete", "no endpoint") };
  await expect(runSurvive({ ...parts, emulator: broken, faults: ["refund"] })).rejects.toThrow("no endpoint");
});

test.each(["webhooks.endpoints.delete", "charges.create"] as const)(
  "nothing listens any more when %s fails",
  async (name) => {
    const { parts } = await shopWith();
    const addresses: string[] = [];
    const { client } = emulator;
    const broken = {
      ...clientWithout(name, "refused"),
      "webhooks.endpoints.create": (input: Parameters<(typeof client)["webhooks.endpoints.create"]>[0]) => {
        addresses.push(input.body.url);
        return client["webhooks.endpoints.create"](input);
      },
    };
    const run = runSurvive({ ...parts, emulator: { ...emulator, client: broken }, faults: ["refund"] });
    await expect(run).rejects.toThrow("refused");
    expect(addresses).toHaveLength(1);
    await expect(fetch(addresses[0] ?? "", { method: "POST" })).rejects.toThrow("fetch failed");
  },
);
