import { statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../../src/base/platform/version.js";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { seededRuntime } from "../../support/seed.js";
import { ownEmulator } from "../../support/shared.js";

/** How a server says that it was started. */

async function settingsOf(options: EmulatorOptions = {}): Promise<Loose> {
  const emulator = await startEmulator(options);
  const body = await emulator.sandbox("/settings");
  await emulator.close();
  return { ...body, emulator };
}

const flagsOf = ({ flags }: Loose): Record<string, unknown> =>
  Object.fromEntries(flags.map(({ flag, value }: Loose) => [flag, value]));

describe("the settings of a start", () => {
  it("are the defaults when nothing was set", async () => {
    const { emulator, ...settings } = await settingsOf();
    for (const { flag, value, default: usual } of settings.flags) expect([flag, value]).toEqual([flag, usual]);
    expect(settings).toMatchObject({
      version: VERSION,
      url: emulator.url,
      previews: [],
      rate_limit: null,
      database: { file: ":memory:", bytes: expect.any(Number), driver: expect.stringMatching(/sqlite/) },
      node_version: process.versions.node,
      pid: process.pid,
    });
    expect(settings.memory.rss_bytes).toBeGreaterThan(settings.memory.heap_bytes);
  });

  it("show each value as its flag takes it", async () => {
    const flags = flagsOf(
      await settingsOf({
        frozen: true,
        startAt: Date.UTC(2026, 0, 31, 12),
        clockSpeed: 60,
        forwardTo: "http://127.0.0.1:9/hooks?token=hidden-1",
        events: ["charge.paid", "charge.expired"],
        smtpUrl: "smtp://user:hidden-2@127.0.0.1:9",
        otlp: "https://user:hidden-4@collector.test/tenant",
        insecureWebhookTls: true,
        console: false,
        testKey: "qa_test_hidden-333",
        webhookSecret: "0123456789abcdef".repeat(4),
        retryBaseMs: 1_500,
        refundDelayMs: 0,
        acquirerDelayMs: 3_600_000,
        settlementHoldMs: 2 * 86_400_000,
        maxAttempts: 3,
        rateLimit: 60,
        customerVelocity: { count: 5, windowMs: 60_000 },
        preview: new Set(["charge-list"]),
        qr: "base64",
        allowHttp: ["shop", "*.internal"],
        allowHost: ["pay", "10.0.0.7"],
      }),
    );
    expect(flags).toEqual({
      "--host": "127.0.0.1",
      "--public-url": null,
      "--allow-host": "pay,10.0.0.7",
      "--forward-to": "http://127.0.0.1:9/hooks",
      "--events": "charge.paid,charge.expired",
      "--frozen": true,
      "--start-at": "2026-01-31T12:00:00.000Z",
      "--clock-speed": 60,
      "--random-seed": null,
      "--smtp-url": "smtp://127.0.0.1:9",
      "--otlp": "https://collector.test/tenant",
      "--insecure-webhook-tls": true,
      "--console": false,
      "--fees": null,
      "--acquirer-delay": "1h",
      "--refund-delay": "0",
      "--settlement-hold": "2d",
      "--retry-base": "1500ms",
      "--max-attempts": 3,
      "--signature-time": "machine",
      "--no-med-outcome-notices": false,
      "--strict-https": false,
      "--allow-http": "shop,*.internal",
      "--rate-limit": 60,
      "--customer-velocity": "5/1m",
      "--account-velocity": null,
      "--qr": "base64",
      "--preview": "charge-list",
    });
    expect(JSON.stringify(flags)).not.toMatch(/hidden|abcdef/);
  });

  it("name the database file with its size, and the real time of the start", async () => {
    const folder = newFolder();
    const runtime = seededRuntime({ warn: console.warn, error: console.error });
    const real = { ...runtime.real, epoch: () => Date.UTC(2030, 0, 1) };
    const db = folder.db;
    const settings = await settingsOf({ db, runtime: { ...runtime, real } });
    expect(settings.started_at).toBe("2030-01-01T00:00:00.000Z");
    expect(settings.database.file).toMatch(/qa\.db$/);
    // Closing has written all pages into the file.
    expect(statSync(db).size).toBeGreaterThanOrEqual(settings.database.bytes);
    expect(settings.database.bytes).toBeGreaterThan(100_000);
    folder.remove();
  });

  it("begin the ids of the live stream", async () => {
    const emulator = await ownEmulator();
    const headers = { accept: "application/json" };
    await emulator.call("GET", "/_sandbox/stream", { headers });
    await emulator.charge();
    const { data } = (await emulator.call("GET", "/_sandbox/stream", { headers })).body;
    expect(data[0].id.split(":")[0]).toBe((await emulator.sandbox("/settings")).boot);
  });
});
