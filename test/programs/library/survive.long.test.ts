import { describe, expect, it } from "vitest";
import { survive } from "../../../src/index.js";
import type { ShopEnvironment, SurviveOptions } from "../../../src/programs/library/survive-kit.js";
import { survive as survivesInVitest } from "../../../src/vitest.js";
import { testShop } from "../../support/test-shop.js";

/** `survive` of the kit: the run of the command with a shop inside the process of the test. */

it("lets a right shop survive, and stops it", async () => {
  const { options, seen } = testShop();
  const result = await survive(options);
  expect(result).toMatchObject({ seed: "kit", schedules: 2, survived: 2, failed: 0, failures: [] });
  expect(Object.keys(result.faults)).toEqual(options.faults);
  expect(seen).toEqual(["started", "stopped"]);
});

it("finds what is wrong, and the schedule alone finds the same", async () => {
  const careless = () => ({ ...testShop(true).options, faults: ["duplicate" as const], schedules: 1 });
  const { failed, failures, seed } = await survive(careless());
  const [first] = failures;
  const command = 'survive({ …, seed: "kit", only: 1 })';
  expect([failed, failures.length]).toEqual([1, 1]);
  expect(first).toMatchObject({ schedule: 1, oracle: "fulfilled_twice", command });
  expect(first?.steps.length).toBeGreaterThan(0);
  const alone = await survivesInVitest({ ...careless(), seed, only: 1 });
  expect([alone.schedules, alone.failures]).toEqual([1, [{ ...first, text: expect.any(String) }]]);
});

it("reports a purchase that fails, with the message of its error", async () => {
  const buy = () => Promise.reject(new Error("out of stock"));
  const { failures } = await survive({ ...testShop().options, buy, schedules: 1 });
  expect(failures).toMatchObject([{ oracle: "buy_refused", text: "Nobody can buy: buy failed: out of stock." }]);
});

it("throws what orders threw, also when the shop cannot be stopped then", async () => {
  const { options } = testShop();
  const shop = async (env: ShopEnvironment) => {
    const stop = await options.shop(env);
    return async () => {
      await stop();
      throw new Error("the shop cannot be stopped");
    };
  };
  const orders = () => Promise.reject(new Error("no database"));
  await expect(survive({ ...options, shop, orders })).rejects.toThrow("no database");
  await expect(survive({ ...options, shop, schedules: 1 })).rejects.toThrow("the shop cannot be stopped");
});

describe("misuse", () => {
  it.each<[Record<string, unknown>, string]>([
    [{ shop: undefined }, "survive needs shop, a function that starts your shop."],
    [{ webhooks: undefined }, "survive needs webhooks, the address of your receiver"],
    [{ buy: undefined }, "survive needs buy, a function that places an order."],
    [{ orders: [] }, "orders takes a function, not a list."],
    [
      { webhooks: "/webhooks" },
      "webhooks takes the address of your receiver such as http://127.0.0.1:3000/webhooks, or",
    ],
    [{ seeds: "x" }, "survive has no option seeds: did you mean seed?"],
    [{ schedules: 0 }, "schedules takes a whole number from 1 to 1000000, not 0."],
    [{ faults: ["duplicat"] }, "faults takes a list of duplicate, late, "],
    [{ faults: [] }, "not a list."],
    [{ faults: ["restart"] }, "faults cannot have restart, because the shop is in this process."],
    [{ settle: "soon" }, 'settle takes a duration such as 500ms, 10s, 5m, 1h or 1d, not "soon".'],
    [{ signal: true }, "signal takes an AbortSignal, not true."],
    [{ map: { ids: "a" } }, "map takes names of id, order, status, amount, fulfilled, not an object."],
  ])("is refused before the shop is started: %j, %s", async (wrong, message) => {
    const { options, seen } = testShop();
    await expect(survive({ ...options, ...wrong } as SurviveOptions)).rejects.toThrow(message);
    expect(seen).toEqual([]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ webhooks: () => 3000 }, "webhooks must return the address of your receiver"],
    [{ orders: () => "none" }, 'orders must return a list of rows, not "none".'],
    [
      { orders: () => [{ order: "1", status: "bezahlt" }] },
      "orders: row 1: The status bezahlt is not known. See the option status.",
    ],
    [{ orders: () => Promise.reject(new Error("no database")) }, "no database"],
  ])("stops the shop when it answers what cannot be read: %j, %s", async (wrong, message) => {
    const { options, seen } = testShop();
    await expect(survive({ ...options, ...wrong } as SurviveOptions)).rejects.toThrow(message);
    expect(seen).toEqual(["started", "stopped"]);
  });

  it("refuses a shop that does not return how to stop it", async () => {
    const shop = async () => undefined;
    const run = survive({ ...testShop().options, shop } as unknown as SurviveOptions);
    await expect(run).rejects.toThrow("shop must return the function that stops it, not undefined.");
  });
});

it("ends at the signal, and reports what was found until then", async () => {
  const { options, seen } = testShop();
  const { schedules } = await survive({ ...options, signal: AbortSignal.abort() });
  expect([schedules, seen]).toEqual([0, ["started", "stopped"]]);
});
