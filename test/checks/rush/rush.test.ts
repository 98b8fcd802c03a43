import { setMaxListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/api/client/service-error.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { Difference } from "../../../src/checks/reconcile/judge.js";
import { limitsOf, percentilesOf } from "../../../src/checks/rush/limits.js";
import { type Behaviour, customerOf } from "../../../src/checks/rush/plan.js";
import { type Rushed, type RushParts, runRush } from "../../../src/checks/rush/rush.js";
import type { Purchase, PurchaseResult } from "../../../src/checks/shop/shop.js";
import type { Loose } from "../../support/emulator.js";

/** Rushes on a clock that leaps from one thing that is waited for to the next. */

/** Time goes on when nothing else is to do. */
function leapingClock() {
  let now = 0;
  const waits: { at: number; end: () => void }[] = [];
  const leap = () => {
    waits.sort((one, other) => one.at - other.at);
    const next = waits.shift();
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.end();
  };
  const pause = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      waits.push({ at: now + ms, end: resolve });
      signal?.addEventListener("abort", () => resolve());
      setImmediate(leap);
    });
  return { epoch: () => now, monotonic: () => now, fraction: () => 0, pause };
}

const IDLE = { lateMs: 0, own: 0.1, machine: 0.2 };
const difference = { code: "missed_payment" } as Difference;
function stopper() {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  return stop;
}
const never = () => stopper().signal;

interface Given extends Partial<RushParts["plan"]> {
  readonly buy?: (purchase: Purchase, now: number) => Promise<PurchaseResult> | PurchaseResult;
  readonly parts?: (waiting: ReturnType<typeof leapingClock>) => Partial<RushParts>;
}

/** A rush in a shop that sells everything, with the requests to the service. */
async function rush({ buy, parts, ...plan }: Given): Promise<{ result: Rushed; asked: string[]; bought: Purchase[] }> {
  const waiting = leapingClock();
  const [asked, bought]: [string[], Purchase[]] = [[], []];
  const answers: Record<string, unknown> = {
    "webhooks.stats": { PENDING: 0, PROCESSING: 0 },
    "sandbox.charges.pay": { outcome: "paid" },
  };
  const client = new Proxy(
    {},
    {
      get: (_target, name: string) => (input: Loose) => {
        if (name !== "webhooks.stats") asked.push(`${name} ${input.params?.id ?? JSON.stringify(input.body)}`);
        return Promise.resolve(answers[name] ?? {});
      },
    },
  );
  const sell = buy ?? (({ order }: Purchase) => ({ kind: "bought", charge: order }));
  const result = await runRush({
    shop: {
      webhooks: "",
      buy: async (purchase) => {
        bought.push(purchase);
        return sell(purchase, waiting.monotonic());
      },
      orders: async () => [],
    },
    process: { ended: null, output: () => "its last words" } as RushParts["process"],
    client: client as RushParts["client"],
    onAttempt: () => () => undefined,
    compare: async () => [],
    plan: { rate: 10, forMs: 10_000, mix: { pay: 1 }, thinkMs: 1_000, settleMs: 5_000, ...plan },
    draw: (name) => createRuntime(undefined, "a seed").seeded?.(name) as Loose,
    name: "r",
    waiting,
    watchLoad: () => () => IDLE,
    stopped: never(),
    abandoned: never(),
    ...parts?.(waiting),
  });
  return { result, asked, bought };
}

describe("a rush", () => {
  it("places orders at the rate for the time, and each customer pays", async () => {
    const { result, asked, bought } = await rush({ rate: 20, forMs: 30_000 });
    expect(result).toMatchObject({
      orders: 600,
      paid: 600,
      refused: 0,
      first_refusal: null,
      limits: [],
      differences: [],
    });
    expect(result.rate).toEqual({ asked: 20, reached: 20 });
    expect(new Set(bought.map(({ order }) => order)).size).toBe(600);
    expect(asked.filter((one) => one.startsWith("sandbox.charges.pay")).length).toBe(600);
  });

  it("has the same customers with the same seed", async () => {
    const mix = { pay: 5, expire: 3, refund: 2 };
    const [one, other] = [await rush({ mix }), await rush({ mix })];
    expect(one.bought).toEqual(other.bought);
    expect(one.asked).toEqual(other.asked);
    for (const what of ["pay", "expire"]) expect(one.asked.join()).toContain(`sandbox.charges.${what}`);
    expect(one.asked.join()).toContain("payments.refund");
  });

  it("sends the share of duplicates twice, whose customers pay", async () => {
    const { result, asked } = await rush({ mix: { duplicate: 1, abandon: 3 } });
    expect(asked[0]).toBe('sandbox.chaos {"duplicate":0.25}');
    expect(result.paid).toBeGreaterThan(10);
    expect(result.paid).toBeLessThan(50);
  });

  it("reports the moment of the first refusal", async () => {
    const { result } = await rush({
      buy: ({ order }, now) => (now < 5_000 ? { kind: "bought", charge: order } : { kind: "refused", text: "full" }),
    });
    expect(result).toMatchObject({
      orders: 50,
      refused: 50,
      first_refusal: { at_ms: 5_000, order: "r-51", text: "full" },
    });
  });

  it("counts a charge that the service does not know as a refusal", async () => {
    const refusal = new ServiceError({ status: 404, text: "" } as Loose);
    const client = new Proxy(
      {},
      {
        get: (_target, name) => () =>
          name === "webhooks.stats" ? { PENDING: 0, PROCESSING: 0 } : Promise.reject(refusal),
      },
    );
    const { result } = await rush({ forMs: 1_000, parts: () => ({ client: client as RushParts["client"] }) });
    expect(result).toMatchObject({ orders: 10, paid: 0, refused: 10 });
    expect(result.first_refusal?.text).toContain("its charge could not be continued: ");
  });

  it("leaves no more than 500 purchases open, and says that the shop is slower than the rate", async () => {
    const { result } = await rush({
      rate: 1_000,
      forMs: 2_000,
      parts: ({ pause }) => ({
        shop: {
          webhooks: "",
          buy: async ({ order }) => pause(10_000).then(() => ({ kind: "bought", charge: order })),
          orders: async () => [],
        },
      }),
    });
    expect(result).toMatchObject({ orders: 500, buy_ms: { p50: 10_000 } });
    expect(result.limits).toEqual([
      expect.stringMatching(/^250\.\d of 1000 orders\/s were placed: 500 purchases waited/),
    ]);
  });

  it("ends early when it is stopped, and nobody pays any more", async () => {
    const stop = stopper();
    const { result, asked } = await rush({
      thinkMs: 60_000,
      parts: () => ({ stopped: stop.signal }),
      buy: ({ order }) => {
        if (order === "r-20") stop.abort();
        return { kind: "bought", charge: order };
      },
    });
    expect(result).toMatchObject({ orders: 20, paid: asked.length });
    expect(asked.length).toBeLessThan(5);
  });

  it("reports its figures when the shop ends early, and why it did not answer", async () => {
    const process = { ended: null as Loose, output: () => "its last words" };
    const { result } = await rush({
      parts: () => ({ process: process as Loose }),
      buy: ({ order }) => {
        if (order === "r-7") process.ended = { code: 1, signal: null };
        return { kind: "bought", charge: order };
      },
    });
    expect(result).toMatchObject({ orders: 7, differences: null, rate: { asked: 10 } });
    expect(result.trouble).toMatchObject({
      name: "ShopError",
      message: "The shop ended (code 1) after 7 orders.",
      output: "its last words",
    });
  });

  it("waits for what the shop does by itself, and no longer than --settle", async () => {
    const late = () => {
      const found = [[difference], [difference], []];
      return { compare: async () => found.shift() ?? [] };
    };
    expect((await rush({ forMs: 1_000, parts: late })).result.differences).toEqual([]);
    expect((await rush({ forMs: 1_000, settleMs: 0, parts: late })).result.differences).toEqual([difference]);
  });
});

describe("customers", () => {
  it("do what the mix says, as often as it says", () => {
    const runtime = createRuntime(undefined, "mix");
    const parts = Array.from({ length: 2_000 }, (_one, count) =>
      customerOf(runtime.seeded?.(`customer ${count}`) as Loose, { pay: 70, refund: 20, abandon: 10 }, 100),
    ).map(({ part }) => part);
    const shareOf = (part: Behaviour) => parts.filter((one) => one === part).length / parts.length;
    expect(shareOf("pay")).toBeCloseTo(0.7, 1);
    expect(shareOf("refund")).toBeCloseTo(0.2, 1);
    expect(shareOf("abandon")).toBeCloseTo(0.1, 1);
    expect(shareOf("expire")).toBe(0);
  });
});

describe("the figures", () => {
  it("are the smallest values that so many do not exceed", () => {
    const hundred = Array.from({ length: 100 }, (_one, at) => 100 - at);
    expect(percentilesOf(hundred)).toEqual({ p50: 50, p95: 95, p99: 99 });
    expect(percentilesOf([7.4])).toEqual({ p50: 7, p95: 7, p99: 7 });
    expect(percentilesOf([])).toEqual({ p50: null, p95: null, p99: null });
  });

  const pace = { asked: 10, reached: 10, wasHeld: false };

  it.each([
    [{ ...IDLE, own: 0.97 }, pace, /^qa-pay itself was busy 97 % /],
    [{ ...IDLE, machine: 0.99 }, pace, /^The processors of this machine were busy 99 % /],
    [{ ...IDLE, lateMs: 80 }, pace, /^qa-pay was up to 80 ms late/],
    [IDLE, { ...pace, reached: 8 }, /^8\.0 of 10 orders\/s were placed: rush was too late/],
    [
      IDLE,
      { ...pace, reached: 8, wasHeld: true },
      /^8\.0 of 10 orders\/s were placed: 500 purchases waited for the shop/,
    ],
  ])("come with what limited them", (load, reached, text) => {
    expect(limitsOf(load, reached)).toEqual([expect.stringMatching(text)]);
  });

  it("name no limit where there was none", () => {
    expect(limitsOf(IDLE, pace)).toEqual([]);
  });
});
