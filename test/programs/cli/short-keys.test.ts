import { expect, it } from "vitest";
import { freshCli, sharedEmulator } from "../../support/shared.js";

/** --idempotency-key: a length that the service refuses is met before anything is sent. */

const cli = freshCli();
const emulator = sharedEmulator();

it.each([
  [["charges", "create"], "order-7", "8 to 128", 7, " Make it longer, such as charge-for-order-42."],
  [["pix", "charges", "create"], "order-7", "8 to 128", 7, " Make it longer, such as charge-for-order-42."],
  [["charges", "create"], "x".repeat(129), "8 to 128", 129, ""],
  [
    ["payments", "refund", "tx_019a0000-0000-7000-8000-000000000000", "--yes"],
    "r-1",
    "8 to 128",
    3,
    " Make it longer, such as refund-for-order-42.",
  ],
  [["payments", "create", "--payment-methods", "PIX"], "x".repeat(256), "1 to 255", 256, ""],
])("%j refuses the key %s", async (words, key, length, own, more) => {
  const host = ["--base-url", emulator.url, "--api-key", emulator.key];
  const requests = async () => (await emulator.call("GET", "/_sandbox/requests?limit=1")).body.data[0]?.id;
  const before = await requests();
  const { code, out, err } = await cli.run([...words, "--amount", "1990", "--idempotency-key", key, ...host]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(
    `--idempotency-key must have ${length} characters, and this one has ${own}: the service refuses it.${more}`,
  );
  expect(await requests()).toBe(before);
});
