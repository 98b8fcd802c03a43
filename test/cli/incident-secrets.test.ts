import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Loose } from "../support/emulator.js";
import { payment } from "../support/payments.js";
import { sharedCli, sharedEmulator } from "../support/shared.js";
import { subscribe } from "../support/webhooks.js";

/** The secrets of webhooks in the files of `incident save`. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(emulator);

it("a saved incident has no webhook secret of the account, wherever the merchant has written it", async () => {
  await subscribe(emulator, "http://127.0.0.1:9/first", ["charge.paid"]);
  await subscribe(emulator, "http://127.0.0.1:9/second", ["charge.paid"]);
  const [first, second] = (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
  const revealed = async (endpoint: Loose) =>
    (await emulator.call("POST", `/_sandbox/webhooks/endpoints/${endpoint.id}/reveal`)).body;
  const before = (await revealed(first)).secret;
  await emulator.call("POST", `/v1/webhooks/endpoints/${first.id}/rotate-secret`);
  const secrets = [emulator.signingSecret, before, (await revealed(first)).secret, (await revealed(second)).secret];
  const told = { signed_with: secrets.join(" "), upper: before.toUpperCase() };
  const webhookUrl = `http://127.0.0.1:9/first?secret=${before}`;
  const { id: paymentId } = await payment(emulator, { metadata: told, webhookUrl });
  expect((await cli.run(["incident", "save", paymentId, "--output", "secrets.json"])).code).toBe(0);
  const text = readFileSync(join(cli.folder, "secrets.json"), "utf8").toLowerCase();
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  expect(new Set(secrets).size).toBe(4);
});
