import { expect, it } from "vitest";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `pix charges create`: the command of the shortcut, which needs no payment method. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

async function asked(...words: string[]) {
  const { code, out, err } = await cli.run(["pix", "charges", "create", ...words, "--dry-run", "--json"]);
  if (code !== 0) throw new Error(err);
  const { method, url, body } = JSON.parse(out);
  return [method, url.slice(emulator.url.length), body];
}

it("sends a charge to the shortcut", async () => {
  expect(await asked("--amount", "1990")).toEqual(["POST", "/v1/pix/charges", { amount: 1990 }]);
  const named = { amount: 1990, payment_method: "pix" };
  expect(await asked("--amount", "1990", "--payment-method", "pix")).toEqual(["POST", "/v1/pix/charges", named]);
});

it("refuses another payment method", async () => {
  const words = ["pix", "charges", "create", "--amount", "1", "--payment-method", "boleto", "--json"];
  const { code, err } = await cli.run(words);
  expect([code, JSON.parse(err).error.param]).toEqual([5, "payment_method"]);
});

it("creates the charge that `charges create` with the same key answers again", async () => {
  const flags = ["--amount", "1990", "--idempotency-key", "order-0007", "--json"];
  const { code, out } = await cli.run(["pix", "charges", "create", ...flags]);
  expect([code, JSON.parse(out).status]).toEqual([0, "pending"]);
  expect((await cli.run(["charges", "create", ...flags])).out).toBe(out);
});

it("asks a person without flags, and shows the code", async () => {
  const { code, out } = await cli.run(["pix", "charges", "create"], { answers: ["19,90", "", ""] });
  expect(code).toBe(0);
  expect(out).toContain("000201");
  const { out: ids } = await cli.run(["pix", "charges", "create", "--amount", "1", "--quiet"]);
  expect(ids).toMatch(/^ch_[0-9a-f-]{36}\n$/);
});

it("is listed in the help of its group", async () => {
  expect((await cli.run(["pix", "--help"])).out).toContain("charges");
  expect((await cli.run(["pix", "charges", "create", "--help"])).out).toContain(
    "qa-pay pix charges create --amount 1990",
  );
});
