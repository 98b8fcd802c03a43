import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { payment } from "../../support/payments.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

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

const HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

it.each([
  ["a password in JSON inside a text", "hush-1", { note: JSON.stringify({ nested: { password: "hush-1" } }) }],
  ["64 digits in JSON inside a text", HEX, { note: JSON.stringify({ secret: HEX, nested: { password: "p" } }) }],
  [
    "JSON inside of JSON inside a text",
    "hush-2",
    { note: JSON.stringify({ body: JSON.stringify({ token: "hush-2" }) }) },
  ],
  ["the member of a nested object", "hush-3", { gateway: { api_key: "hush-3" } }],
  ["a list below the name of a secret", "hush-4", { passwords: ["hush-4"] }],
  ["a key without its prefix in the query of an address", "hush-5", { back: "https://shop.example/back?token=hush-5" }],
  ["a later value of the query of an address", "hush-6", { back: "https://shop.example/back?a=1&k=hush-6&b=2" }],
  ["the user and the password of an address", "hush-7", { back: "https://user:hush-7@shop.example/back" }],
  ["a form", "hush-8", { sent: "client=1&client_secret=hush-8" }],
  ["a header", "hush-9", { sent: "Authorization: Bearer hush-9" }],
  ["a free description", "hush-10", { description: "login with password: hush-10 please" }],
])("a saved incident has no secret in %s, in rows, events and the summary", async (_place, secret, metadata) => {
  const { id: paymentId } = await payment(emulator, { metadata: { ...metadata, order: "A-17" } });
  const ended = await emulator.sandbox(`/charges/${paymentId}/pay`, {});
  expect(ended.outcome).toBe("paid");
  for (const flags of [[], ["--keep-personal-data"]]) {
    const { code, out } = await cli.run(["incident", "save", paymentId, ...flags]);
    expect(code).toBe(0);
    expect(out).not.toContain(secret);
    expect(JSON.parse(out).rows.events.length).toBeGreaterThan(0);
    expect(out).toContain("A-17");
  }
});
