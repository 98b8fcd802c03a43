import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../../src/programs/start/emulator.js";
import type { Loose, TestEmulator } from "../../../support/emulator.js";
import { newFolder } from "../../../support/folder.js";
import { payment } from "../../../support/payments.js";
import { fresh, freshReceiver, ownEmulator } from "../../../support/shared.js";
import { hmac, settle, subscribe } from "../../../support/webhooks.js";

/** One secret of an account signs what goes to the forward target and to the webhook URL of a payment. */

const CHOSEN = "c0ffee00".repeat(8);

const folder = fresh(newFolder);
const target = freshReceiver();
const own = freshReceiver();

function start(options: EmulatorOptions = {}): Promise<TestEmulator> {
  const forward = { forwardTo: target.url, events: ["payment.created"] as const };
  return ownEmulator({ db: folder.db, frozen: true, ...forward, ...options });
}

async function restarted(emulator: TestEmulator, options: EmulatorOptions = {}): Promise<TestEmulator> {
  await emulator.close();
  return start({ testKey: emulator.key, ...options });
}

async function accountSecret(emulator: TestEmulator, key = emulator.key): Promise<string> {
  return (await emulator.sandbox("/account", undefined, { key })).signing_secret;
}

/** True if both receivers were last sent something that this secret signed. */
async function signsBoth(emulator: TestEmulator, secret: string): Promise<boolean> {
  await payment(emulator);
  await payment(emulator, { webhookUrl: own.url });
  await settle(emulator);
  return [target, own].every(({ received }) => {
    const { raw = "", headers } = received.at(-1) ?? {};
    return headers?.["x-qa-signature"] === `sha256=${hmac(secret, raw)}`;
  });
}

describe("the signing secret of an account", () => {
  it("signs what goes to the forward target and to a webhook URL", async () => {
    const emulator = await start();
    expect(emulator.signingSecret).toMatch(/^[0-9a-f]{64}$/);
    expect(emulator.forward?.secret).toBe(emulator.signingSecret);
    expect(await accountSecret(emulator)).toBe(emulator.signingSecret);
    expect(await signsBoth(emulator, emulator.signingSecret)).toBe(true);
  });

  it("is the one that is passed at a start, for a new and for an existing database, and stays", async () => {
    const made = await start();
    expect(await signsBoth(made, made.signingSecret)).toBe(true);
    const chosen = await restarted(made, { webhookSecret: CHOSEN });
    expect([chosen.signingSecret, chosen.forward?.secret]).toEqual([CHOSEN, CHOSEN]);
    expect(await accountSecret(chosen)).toBe(CHOSEN);
    expect(await signsBoth(chosen, CHOSEN)).toBe(true);
    const later = await restarted(chosen);
    expect([later.signingSecret, later.forward?.secret]).toEqual([CHOSEN, CHOSEN]);
    const fresh = await start({ db: ":memory:", webhookSecret: CHOSEN });
    expect([fresh.signingSecret, await accountSecret(fresh)]).toEqual([CHOSEN, CHOSEN]);
    expect(await signsBoth(fresh, CHOSEN)).toBe(true);
  });

  it("is rotated with that of the forward target, and with no other endpoint", async () => {
    const emulator = await start();
    const endpoint = await subscribe(emulator, "https://example.com/", ["charge.paid"]);
    const rotate = (id: string): Promise<Loose> =>
      emulator.call("POST", `/v1/webhooks/endpoints/${id}/rotate-secret`).then(({ body }) => body.secret);
    expect(await rotate(endpoint.id)).toMatch(/^[0-9a-f]{64}$/);
    expect(await accountSecret(emulator)).toBe(emulator.signingSecret);
    const forward = emulator.forward?.endpointId ?? "";
    const rotated = await rotate(forward);
    const revealed = await emulator.call("POST", `/_sandbox/webhooks/endpoints/${forward}/reveal`);
    expect(revealed.body).toEqual({ id: forward, secret: rotated, previous_secret: emulator.signingSecret });
    expect(rotated).not.toBe(emulator.signingSecret);
    expect(await accountSecret(emulator)).toBe(rotated);
    expect(await signsBoth(emulator, rotated)).toBe(true);
    expect((await restarted(emulator)).signingSecret).toBe(rotated);
  });

  it("is each account's own", async () => {
    const emulator = await start();
    const second = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    await emulator.call("POST", `/v1/webhooks/endpoints/${emulator.forward?.endpointId}/rotate-secret`);
    expect(await accountSecret(emulator, second.test_key)).toBe(second.signing_secret);
    expect(second.signing_secret).not.toBe(await accountSecret(emulator));
  });

  it("outlives a reset and a snapshot that was saved before it changed", async () => {
    const emulator = await start();
    await emulator.call("POST", "/_sandbox/snapshots", { body: { name: "before" } });
    const chosen = await restarted(emulator, { webhookSecret: CHOSEN });
    await chosen.call("POST", "/_sandbox/snapshots/before/restore");
    expect(await accountSecret(chosen)).toBe(CHOSEN);
    expect(await signsBoth(chosen, CHOSEN)).toBe(true);
    await chosen.call("POST", "/_sandbox/reset");
    expect(await accountSecret(chosen)).toBe(CHOSEN);
    expect(await signsBoth(chosen, CHOSEN)).toBe(true);
  });
});
