import { beforeEach, describe, expect, it } from "vitest";
import { balance } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { paidPayment } from "../../support/refunds.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `sandbox payouts create` pays out at most the available balance, unless a flag allows more. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await paidPayment(emulator, { amount: 2_000 });
});

const create = (...more: string[]) => cli.run(["sandbox", "payouts", "create", ...more]);
const available = async () => (await balance(emulator)).available;
const payouts = async (): Promise<Loose[]> => (await emulator.sandbox("/events?type=payout.created")).data;

describe("sandbox payouts create", () => {
  it("is refused one centavo beyond it, and names the flag that allows it", async () => {
    const { code, out, err } = await create("--amount", "2001");
    expect([code, out]).toEqual([5, ""]);
    expect(err).toMatch(
      /^Error: .*R\$\s20,01: R\$\s20,00 available \(unprocessable_entity\)\nAdd --overdraw: lets the/,
    );
    expect([await available(), await payouts()]).toEqual([2_000, []]);
  });

  it("in a script can overdraw the wallet without the flag", async () => {
    expect((await cli.run(["trigger", "payout.created", "--set", "payout.amount=999999"])).code).toBe(0);
    expect(await available()).toBeLessThan(0);
  });
});
