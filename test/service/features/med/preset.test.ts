import { beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { act, openCase, paidCharge, postCase, purse } from "../../../support/med.js";
import { refund } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** The reports of a bank that traces the money: `preset: "med2"`. */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const DAY = 86_400;
const now = async () => Date.parse((await emulator.sandbox("/clock")).now);
const cases = async (): Promise<Loose[]> => (await emulator.call("GET", "/v1/med/cases")).body.data;
const days = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });

describe("the first report", () => {
  it("claims half of the money, rounded up, and leaves five days to answer", async () => {
    const { id } = await paidCharge(emulator);
    const opened = await openCase(emulator, { charge_id: id, preset: "med2" });
    expect(opened).toMatchObject({ amount: 995, status: "open", type: "med" });
    expect(Date.parse(opened.response_deadline)).toBe((await now()) + 5 * DAY * 1_000);
    expect(await purse(emulator)).toEqual([995, 995]);
  });

  it("uses the fields of the request in place of its own values", async () => {
    const { id } = await paidCharge(emulator);
    const given = { amount: 1, reason: "Not me", response_deadline: null };
    expect(await openCase(emulator, { charge_id: id, preset: "med2", ...given })).toMatchObject(given);
  });

  it("of another preset is refused, and nothing is held", async () => {
    const { id } = await paidCharge(emulator);
    expectRefused(await postCase(emulator, { charge_id: id, preset: "med3" }), "invalid_request", "preset");
    expect(await cases()).toEqual([]);
  });
});

describe("the second report", () => {
  it("comes after eight days about the rest, when the merchant has won the first", async () => {
    const { id } = await paidCharge(emulator, { amount: 1991 });
    const first = await openCase(emulator, { charge_id: id, preset: "med2" });
    await act(emulator, first.id, "decide refunded_to_merchant");
    await days(8 * DAY - 1);
    expect(await cases()).toHaveLength(1);
    await days(1);
    const [second, ...others] = await cases();
    expect(others.map((one) => one.id)).toEqual([first.id]);
    expect([first.amount, second?.amount]).toEqual([996, 995]);
    expect(second).toMatchObject({ status: "open", charge_id: id });
    expect(Date.parse(second?.response_deadline)).toBe((await now()) + 5 * DAY * 1_000);
  });

  it("is seen before it comes", async () => {
    const { id } = await paidCharge(emulator);
    const first = await openCase(emulator, { charge_id: id, preset: "med2" });
    await act(emulator, first.id, "withdraw");
    const due = (await emulator.sandbox("/clock/due")).data;
    expect(due.filter(({ kind }: Loose) => kind === "med.open")).toHaveLength(1);
  });

  it.each([
    ["while the first is open", "request-evidence"],
    ["when the merchant has lost the first", "decide upheld"],
  ] as const)("does not come %s", async (_when, action) => {
    const { id } = await paidCharge(emulator);
    const first = await openCase(emulator, { charge_id: id, preset: "med2" });
    await act(emulator, first.id, action);
    await days(30 * DAY);
    expect(await cases()).toHaveLength(1);
  });

  it("claims no more than refunds have left", async () => {
    const { id } = await paidCharge(emulator);
    const first = await openCase(emulator, { charge_id: id, preset: "med2" });
    await act(emulator, first.id, "withdraw");
    await refund(emulator, id.slice("ch_".length), { amount: 1500 });
    await days(8 * DAY);
    expect((await cases())[0]?.amount).toBe(490);
  });

  it("does not come when the first claimed everything", async () => {
    const { id } = await paidCharge(emulator, { amount: 1 });
    const first = await openCase(emulator, { charge_id: id, preset: "med2" });
    await act(emulator, first.id, "withdraw");
    await days(30 * DAY);
    expect(await cases()).toHaveLength(1);
  });
});
