import { closeAfter } from "../../base/kernel/close-after.js";
import {
  AS_OPTIONS,
  duration,
  OptionError,
  optionsOf,
  type Reader,
  readOptions,
  text,
  whole,
} from "../../base/kernel/options.js";
import { reasonOf } from "../../base/kernel/reason.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { createRuntime } from "../../base/platform/real-runtime.js";
import { SHOP_COLUMNS, type ShopColumn } from "../../checks/reconcile/names.js";
import type { PurchaseResult, Shop, ShopReading } from "../../checks/shop/shop.js";
import { FAULT_NAMES, type FaultName } from "../../checks/survive/faults.js";
import { resultOf, type SurviveResult } from "../../checks/survive/result.js";
import { createEmulator } from "./create-emulator.js";
import { forCaller } from "./for-caller.js";
import { amounts, isText, members, rowsError, status } from "./reconcile.js";
import type { SurviveOptions } from "./survive-kit.js";

/** `survive` of the kit: the run of the command, with functions instead of commands and addresses of the shop. */

function callable<Name extends "shop" | "buy" | "orders">(): Reader<SurviveOptions[Name]> {
  return (given, refuse) =>
    typeof given === "function" ? (given as SurviveOptions[Name]) : refuse.takes("a function");
}

const ADDRESS = "the address of your receiver such as http://127.0.0.1:3000/webhooks";
const isAddress = (given: unknown): given is string =>
  isText(given) && /^https?:\/\/\S+$/i.test(given) && URL.canParse(given);
const address: Reader<SurviveOptions["webhooks"]> = (given, refuse) =>
  typeof given === "function" || isAddress(given)
    ? (given as SurviveOptions["webhooks"])
    : refuse.takes(`${ADDRESS}, or a function that returns it`);

/** A shop inside this process cannot be killed. */
const POSSIBLE = FAULT_NAMES.filter((name) => name !== "restart");

const faults: Reader<readonly FaultName[]> = (given, refuse) => {
  const names: readonly unknown[] = Array.isArray(given) ? given : [given];
  const stray = names.find((name) => !POSSIBLE.some((one) => one === name));
  if (stray === "restart") return refuse.says(" cannot have restart, because the shop is in this process.");
  if (Array.isArray(given) && given.length > 0 && stray === undefined) return given;
  return refuse.says(` takes a list of ${POSSIBLE.join(", ")}, not ${refuse.show(stray ?? given)}.`);
};

const signal: Reader<AbortSignal> = (given, refuse) =>
  given instanceof AbortSignal ? given : refuse.takes("an AbortSignal");

const MOST = 1_000_000;

const READERS = {
  shop: callable<"shop">(),
  webhooks: address,
  buy: callable<"buy">(),
  orders: callable<"orders">(),
  seed: text("a text", /./),
  schedules: whole(1, MOST),
  only: whole(1, MOST),
  for: duration,
  faults,
  settle: duration,
  signal,
  amounts,
  map: members<ShopColumn, string>(SHOP_COLUMNS, `names of ${SHOP_COLUMNS.join(", ")}`, isText),
  status,
} as const satisfies Readonly<Record<keyof SurviveOptions, Reader<unknown>>>;

const DEFAULT_SCHEDULES = 100;
const DEFAULT_SETTLE_MS = 500;
/** The maximum of real milliseconds of a function of the shop. */
const PATIENCE_MS = 30_000;

function throwMissing(option: string, what: string): never {
  throw new OptionError(option, `survive needs ${option}, ${what}.`);
}

function checkOptions(options: SurviveOptions) {
  const given = readOptions(optionsOf("survive", options, READERS), READERS, AS_OPTIONS);
  const {
    shop = throwMissing("shop", "a function that starts your shop"),
    webhooks = throwMissing("webhooks", ADDRESS),
    buy = throwMissing("buy", "a function that places an order"),
    orders = throwMissing("orders", "a function that returns the orders of your shop"),
  } = given;
  return { ...given, shop, webhooks, buy, orders };
}

type Checked = ReturnType<typeof checkOptions>;

/** Rejects with an error that names the function when it takes too long. */
function inTime<Value>(name: string, value: Value | Promise<Value>, real: RealTime): Promise<Value> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`${name} has not ended within ${PATIENCE_MS / 1_000} s.`));
    const timer = real.after(PATIENCE_MS, late);
    Promise.resolve(value).then(resolve, reject).finally(timer.cancel);
  });
}

async function rowsIn(rows: unknown, reading: ShopReading) {
  if (!Array.isArray(rows))
    throw new OptionError("orders", `orders must return a list of rows, not ${AS_OPTIONS.show(rows)}.`);
  const { ordersIn } = await import("../../checks/shop/shop.js");
  try {
    // A row on each line, so that an error has the number of its row.
    return await ordersIn(rows.map((row) => JSON.stringify(row)).join("\n"), reading);
  } catch (error) {
    throw rowsError(error, "orders", "orders: ");
  }
}

function shopOf({ webhooks, buy, orders, map, status, amounts }: Checked, real: RealTime): Shop {
  return {
    get webhooks() {
      const url: unknown = typeof webhooks === "function" ? webhooks() : webhooks;
      if (isAddress(url)) return url;
      throw new OptionError("webhooks", `webhooks must return ${ADDRESS}, not ${AS_OPTIONS.show(url)}.`);
    },
    async buy(purchase): Promise<PurchaseResult> {
      const { chargeIn } = await import("../../checks/shop/shop.js");
      try {
        const bought: unknown = await inTime("buy", buy(purchase), real);
        const charge = chargeIn(String(bought));
        if (charge !== null) return { kind: "bought", charge };
        return { kind: "refused", text: `buy returned ${AS_OPTIONS.show(bought)}, which is no id of a charge` };
      } catch (error) {
        return { kind: "refused", text: `buy failed: ${reasonOf(error)}` };
      }
    },
    orders: async () => rowsIn(await inTime("orders", orders(), real), { map, status, amounts }),
  };
}

async function run(given: Checked): Promise<SurviveResult> {
  const { seed = createRuntime().random.alphanumeric(8), only, schedules = DEFAULT_SCHEDULES } = given;
  const runtime = createRuntime(undefined, seed);
  const emulator = await createEmulator();
  try {
    const { url, testKey, signingSecret } = emulator;
    const env = { QA_PAY_BASE_URL: url, QA_PAY_API_KEY: testKey, QA_PAY_WEBHOOK_SECRET: signingSecret };
    const stop: unknown = await given.shop(env);
    if (typeof stop !== "function")
      throw new OptionError("shop", `shop must return the function that stops it, not ${AS_OPTIONS.show(stop)}.`);
    return await closeAfter(
      async () => {
        const { runSurvive } = await import("../../checks/survive/run-schedules.js");
        const survival = await runSurvive({
          emulator,
          runtime,
          seed,
          schedules,
          only,
          shop: shopOf(given, runtime.real),
          process: null,
          forMs: given.for,
          faults: given.faults ?? POSSIBLE,
          settleMs: given.settle ?? DEFAULT_SETTLE_MS,
          stopped: given.signal ?? new AbortController().signal,
          command: (schedule) => `survive({ …, seed: ${JSON.stringify(seed)}, only: ${schedule} })`,
        });
        if (survival.trouble !== null) throw survival.trouble;
        return resultOf(survival);
      },
      () => stop(),
    );
  } finally {
    await emulator.close();
  }
}

/**
 * Runs your shop through seeded schedules of faults, against an emulator of its own, and checks after each that the
 * shop is right: like `qa-pay survive`, for a shop in this process. Resolves also when the shop has failed. A hundred
 * schedules take some ten seconds of real time, so the test needs a longer time limit.
 *
 * @throws OptionError for an option that is missing, unknown or has a wrong value, before anything is started; and for a shop that
 *   returns what cannot be read. Whatever `shop` and `orders` throw is thrown as it is. The shop is stopped in any case.
 */
export async function survive(options: SurviveOptions): Promise<SurviveResult> {
  try {
    return await run(checkOptions(options));
  } catch (error) {
    throw forCaller(error, survive);
  }
}
