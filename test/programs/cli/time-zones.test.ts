import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** One time zone a screen, which is named once. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);
const ZONE = process.env.TZ;
let charge: Loose;
let paid: Loose;

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

beforeAll(async () => {
  charge = await emulator.charge();
  paid = await paidPayment(emulator, { amount: 1990 });
  await refund(emulator, paid.id, { amount: 100 });
  await emulator.sandbox("/clock/advance", { seconds: 60 });
});

const zones = (text: string) => text.match(/UTC(?:[+-][\d:/+-]+)?|\dZ\b/g) ?? [];

describe.each([
  ["America/Sao_Paulo", "UTC-3"],
  ["Asia/Tokyo", "UTC+9"],
  ["Asia/Kolkata", "UTC+5:30"],
  ["UTC", "UTC"],
])("in %s", (zone, named) => {
  it.each<[string, () => string[]]>([
    ["charges get", () => ["charges", "get", charge.id]],
    ["payments get", () => ["payments", "get", paid.id]],
    ["payments list", () => ["payments", "list"]],
    ["sandbox timeline", () => ["sandbox", "timeline", charge.id]],
    ["why", () => ["why", charge.id]],
  ])("%s names the zone once", async (_name, words) => {
    process.env.TZ = zone;
    const { code, out } = await cli.run(words());
    expect(code).toBe(0);
    expect(zones(out)).toEqual([named]);
  });

  it("payments find names it where it found nothing, too", async () => {
    process.env.TZ = zone;
    const { err } = await cli.run(["payments", "find", "nobody"], { answers: [] });
    expect(zones(err)).toEqual([named]);
    const found = await cli.run(["payments", "find", "1990"], { answers: [], isScreen: false });
    expect(zones(found.out + found.err)).toEqual([named]);
  });

  it("times in the sentences are those of the place, too", async () => {
    process.env.TZ = zone;
    const { out } = await cli.run(["sandbox", "timeline", charge.id]);
    const [, until = ""] = /payable until (\S+ \S+?)(?: |,|\n)/.exec(out) ?? [];
    expect(new Date(until).toISOString().slice(0, 19)).toBe(charge.pix.expires_at.slice(0, 19));
  });
});

it("with --utc every time has its Z, and no other zone is named", async () => {
  process.env.TZ = "Asia/Tokyo";
  const { out } = await cli.run(["charges", "get", charge.id, "--utc"]);
  expect(out).toMatch(/Created +\S+ \S+Z\n/);
  expect(out).not.toContain("UTC+");
});
