import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { balance } from "../support/charges.js";
import { type TestCli, testCli } from "../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { paidPayment } from "../support/refunds.js";

/** `sandbox payouts create` pays out at most the available balance, unless a flag allows more. */

let emulator: TestEmulator;
let cli: TestCli;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await paidPayment(emulator, { amount: 2_000 });
});

const create = (...more: string[]) => cli.run(["sandbox", "payouts", "create", ...more]);
const available = async () => (await balance(emulator)).available;
const payouts = async (): Promise<Loose[]> => (await emulator.sandbox("/events?type=payout.created")).data;

describe("sandbox payouts create", () => {
  it("can pay out the whole available balance", async () => {
    expect((await create("--amount", "2000")).code).toBe(0);
    expect(await available()).toBe(0);
  });

  it("is refused one centavo beyond it, and names the flag that allows it", async () => {
    const { code, out, err } = await create("--amount", "2001");
    expect([code, out]).toEqual([5, ""]);
    expect(err).toMatch(
      /^Error: .*R\$\s20,01: R\$\s20,00 available \(unprocessable_entity\)\nAdd --overdraw: lets the/,
    );
    expect([await available(), await payouts()]).toEqual([2_000, []]);
  });

  it("is refused with the envelope of the service for a program", async () => {
    const { code, out, err } = await create("--amount", "2001", "--json");
    expect([code, out]).toEqual([5, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: "unprocessable_entity", param: "overdraw" } });
  });

  it.each([[["--overdraw"]], [["--overdraw", "true"]]])("overdraws the wallet with %j", async (flags) => {
    const { code, out } = await create("--amount", "2001", "--json", ...flags);
    expect([code, JSON.parse(out).amount]).toEqual([0, 2_001]);
    expect(await available()).toBe(-1);
  });

  it("does not overdraw with --overdraw false or with another value of --overdraw=", async () => {
    expect((await create("--amount", "2001", "--overdraw", "false")).code).toBe(5);
    expect((await create("--amount", "2001", "--overdraw=maybe")).code).toBe(2);
    expect(await available()).toBe(2_000);
  });

  it("in a script can overdraw the wallet without the flag", async () => {
    expect((await cli.run(["trigger", "payout.created", "--set", "payout.amount=999999"])).code).toBe(0);
    expect(await available()).toBeLessThan(0);
  });
});
