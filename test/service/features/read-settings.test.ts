import { describe, expect, it } from "vitest";
import { AS_OPTIONS } from "../../../src/base/kernel/options.js";
import { command as exec } from "../../../src/programs/cli/commands/exec/index.js";
import { command as serve } from "../../../src/programs/cli/commands/serve/index.js";
import { settingsOf } from "../../../src/programs/cli/commands/serve/settings-of-flags.js";
import type { Io } from "../../../src/programs/cli/terminal/io.js";
import { addFlags } from "../../../src/programs/cli/tree/declare-commands.js";
import { QaCommand } from "../../../src/programs/cli/tree/qa-command.js";
import { completeSettings, readSettings } from "../../../src/service/features/read-settings.js";
import { SETTINGS, type ServiceOptions } from "../../../src/service/features/service-settings.js";

/** The options of a service are declared once: flags of `serve` and options of a program have the same effect. */

type ServeFlags = Parameters<typeof settingsOf>[1];

/** Parses command-line words with the flags that `serve` declares. */
function serveFlags(words: readonly string[]): ServeFlags {
  const command = new QaCommand();
  addFlags(command, serve.spec.flags ?? {});
  command.parse(words, { from: "user" });
  return command.opts();
}

function ofFlags(words: readonly string[], env: Io["env"] = {}) {
  return settingsOf({ cwd: "/nowhere", env, now: () => 0 } as Io, serveFlags(words));
}

const everything = {
  db: "shop.db",
  host: "::1",
  port: 4700,
  publicUrl: "https://pay.example.com",
  testKey: "qa_test_12345678",
  liveKey: "qa_live_12345678",
  webhookSecret: "0123456789abcdef".repeat(4),
  forwardTo: "http://localhost:3000/webhooks",
  events: ["charge.paid", "charge.expired"],
  allowHttp: ["shop", "*.internal"],
  allowHost: ["qa-pay"],
  frozen: true,
  startAt: "2026-01-31T12:00:00Z",
  randomSeed: "a shop",
  clockSpeed: 60,
  fees: { PIX: { platform: { fixed: 30, bps: 99 } }, PIX_OUT: { provider: { fixed: 5 } } },
  acquirerDelay: "1500ms",
  refundDelay: 3_000,
  settlementHold: "1d",
  retryBase: 0,
  maxAttempts: 3,
  signatureTime: "emulated",
  smtpUrl: "smtp://localhost:1025",
  otlp: "http://localhost:4318/",
  medOutcomeNotices: false,
  strictHttps: false,
  insecureWebhookTls: true,
  console: true,
  rateLimit: 60,
  customerVelocity: "5/60s",
  accountVelocity: "100/1h",
  qr: "base64",
  preview: ["charge-list"],
} as const satisfies Required<ServiceOptions>;

describe("options of a service", () => {
  it("have their flags at serve and at exec, which decides its own address and its database", () => {
    const namesAt = ({ spec }: typeof serve | typeof exec) => {
      const command = new QaCommand();
      addFlags(command, spec.flags ?? {});
      // A flag and its opposite are one option.
      return new Set(command.options.map((option) => option.attributeName()));
    };
    const names = Object.keys(SETTINGS);
    expect(names.filter((name) => !namesAt(serve).has(name))).toEqual([]);
    expect(names.filter((name) => !namesAt(exec).has(name))).toEqual(["host", "publicUrl", "db"]);
  });

  it("have an address of IPv6 without brackets, for the port and for the origins that may call alike", () => {
    expect(ofFlags(["--host", "[::1]"]).host).toBe("::1");
  });

  it("become what the service takes: milliseconds, counts and complete tables of fees", () => {
    const nothing = { fixed: 0, bps: 0 };
    expect(readSettings(everything, AS_OPTIONS)).toEqual({
      db: "shop.db",
      host: "::1",
      port: 4700,
      publicUrl: "https://pay.example.com",
      testKey: "qa_test_12345678",
      liveKey: "qa_live_12345678",
      webhookSecret: everything.webhookSecret,
      forwardTo: "http://localhost:3000/webhooks",
      events: ["charge.paid", "charge.expired"],
      randomSeed: "a shop",
      clockSpeed: 60,
      frozen: true,
      startAt: Date.UTC(2026, 0, 31, 12),
      smtpUrl: "smtp://localhost:1025",
      otlp: "http://localhost:4318",
      insecureWebhookTls: true,
      console: true,
      allowHost: ["qa-pay"],
      fees: {
        PIX: { provider: nothing, platform: { fixed: 30, bps: 99 } },
        PIX_OUT: { provider: { fixed: 5, bps: 0 }, platform: nothing },
      },
      acquirerDelayMs: 1_500,
      refundDelayMs: 3_000,
      settlementHoldMs: 86_400_000,
      retryBaseMs: 0,
      maxAttempts: 3,
      signatureTime: "emulated",
      medOutcomeNotices: false,
      strictHttps: false,
      allowHttp: ["shop", "*.internal"],
      rateLimit: 60,
      customerVelocity: { count: 5, windowMs: 60_000 },
      accountVelocity: { count: 100, windowMs: 3_600_000 },
      qr: "base64",
      preview: new Set(["charge-list"]),
    });
  });

  it("have the same effect as flags", () => {
    const { fees, ...others } = everything;
    const words = Object.entries(others).flatMap(([option, value]) => {
      const flag = `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      if (option === "medOutcomeNotices") return ["--no-med-outcome-notices"];
      if (typeof value === "boolean") return value ? [flag] : [];
      return [flag, option === "refundDelay" ? `${value}ms` : String(value)];
    });
    const { strictHttps, ...settings } = readSettings(everything, AS_OPTIONS);
    const asFlags = ofFlags([...words, "--fees", JSON.stringify(fees)]);
    expect(asFlags).toEqual({ ...settings, db: "/nowhere/shop.db" });
    expect(strictHttps).toBe(false);
  });

  it("that are left out or undefined have their defaults", () => {
    const undefinedOnes = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, undefined]));
    expect(readSettings({}, AS_OPTIONS)).toEqual({});
    expect(readSettings(undefinedOnes, AS_OPTIONS)).toEqual({});
    const defaults = completeSettings({});
    expect(completeSettings({ qr: undefined, retryBaseMs: undefined, host: undefined })).toEqual(defaults);
    expect(defaults).toMatchObject({ port: 0, db: ":memory:", qr: "url", retryBaseMs: 10_000, rateLimit: null });
    // The flags of serve have another port and another database.
    const { port, db, ...served } = ofFlags([]);
    expect([port, db]).toEqual([4600, "/nowhere/.qa-pay/qa-pay.db"]);
    expect(completeSettings(served)).toEqual(defaults);
  });

  it.each([
    ["console", { host: "0.0.0.0" }, false],
    ["console", { publicUrl: "https://pay.example.com" }, false],
    ["console", { host: "::1" }, true],
    ["signatureTime", { randomSeed: "a shop" }, "emulated"],
    ["signatureTime", { randomSeed: "a shop", signatureTime: "machine" }, "machine"],
  ] as const)("that others decide follow them: %s with %j", (name, given, value) => {
    expect(completeSettings(given)[name]).toBe(value);
  });

  it.each([
    ["0", 0],
    ["0s", 0],
    ["500ms", 500],
    ["1.5s", 1_500],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
  ])("accept the duration %s as an option and as a flag", (text, ms) => {
    expect(readSettings({ refundDelay: text }, AS_OPTIONS).refundDelayMs).toBe(ms);
    expect(ofFlags(["--refund-delay", text]).refundDelayMs).toBe(ms);
  });
});

describe("hosts of a container's network", () => {
  const given = (words: readonly string[], env: Io["env"]) => {
    const { allowHost, allowHttp } = ofFlags(words, env);
    return [allowHttp, allowHost];
  };

  it("come from flags, separated by commas or repeated, in one form", () => {
    const words = [
      "--allow-http",
      "SHOP, 10.0.0.7",
      "--allow-http",
      "*.Internal.,[fd00:0::7]",
      "--allow-host",
      "pay,fd00::7",
    ];
    expect(given(words, {})).toEqual([
      ["shop", "10.0.0.7", "*.internal", "[fd00::7]"],
      ["pay", "[fd00::7]"],
    ]);
  });

  it("come from variables where no flag names any, and an empty variable names none", () => {
    const env = { QA_PAY_ALLOW_HTTP: "shop,*.internal", QA_PAY_ALLOW_HOST: "pay" };
    expect(given([], env)).toEqual([["shop", "*.internal"], ["pay"]]);
    expect(given(["--allow-http", "other", "--allow-host", "own"], env)).toEqual([["other"], ["own"]]);
    expect(given([], { QA_PAY_ALLOW_HTTP: "", QA_PAY_ALLOW_HOST: "" })).toEqual([undefined, undefined]);
  });

  it("are refused in the name of the variable that has a wrong one", () => {
    expect(() => ofFlags([], { QA_PAY_ALLOW_HTTP: "http://shop" })).toThrow(
      "QA_PAY_ALLOW_HTTP takes hosts such as shop",
    );
    expect(() => ofFlags([], { QA_PAY_ALLOW_HOST: "pay:4600" })).toThrow(
      "QA_PAY_ALLOW_HOST takes hosts such as qa-pay",
    );
  });
});

it("the collector of traces can come from the environment, where a flag is stronger", () => {
  const env = { QA_PAY_OTLP: "http://127.0.0.1:4318" };
  expect(ofFlags([], env).otlp).toBe("http://127.0.0.1:4318");
  expect(ofFlags(["--otlp", "http://127.0.0.1:1"], env).otlp).toBe("http://127.0.0.1:1");
  expect(ofFlags([], { QA_PAY_OTLP: "" }).otlp).toBeUndefined();
});

describe("flags that are refused", () => {
  it.each([
    ["--port abc", "--port takes a whole number from 0 to 65535, not abc."],
    ["--port 1e3", "--port takes a whole number from 0 to 65535, not 1e3."],
    ["--port 65536", "--port takes a whole number from 0 to 65535, not 65536."],
    ["--host fe80::1%lo", "--host takes a host name or address such as 127.0.0.1, not fe80::1%lo."],
    ["--host http://localhost", "--host takes a host name or address such as 127.0.0.1, not http://localhost."],
    ["--db=", "--db takes a file, or :memory:, not an empty text."],
    ["--test-key qa_test_1234567", "--test-key takes a key that starts with qa_test_ and goes on with 8 or more of"],
    ["--live-key qa_live_x", "--live-key takes a key that starts with qa_live_ and goes on with 8 or more of"],
    ["--max-attempts 0", "--max-attempts takes a whole number from 1 to 1000, not 0."],
    ["--refund-delay 2", "--refund-delay takes a duration such as 500ms, 10s, 5m, 1h or 1d, not 2."],
    ["--acquirer-delay 2", "--acquirer-delay takes a duration such as 500ms, 10s, 5m, 1h or 1d, not 2."],
    ["--settlement-hold 1w", "--settlement-hold takes a duration such as 500ms, 10s, 5m, 1h or 1d, not 1w."],
    ["--smtp-url localhost:25", "--smtp-url takes an address such as smtp://localhost:1025."],
    ["--signature-time real", "--signature-time takes machine or emulated, not real."],
    ["--signature-time=", "--signature-time takes machine or emulated, not an empty text."],
    ["--qr png", "--qr takes url or base64, not png."],
    ["--preview charge-list,no", "--preview takes charge-list, not no."],
    ["--events charge.paid", "--events goes with --forward-to."],
    [
      "--forward-to http://x.test",
      "--forward-to must be https:// (http:// only on this machine; to allow x.test, start the server with --allow-http x.test).",
    ],
    [
      "--allow-http http://shop",
      "--allow-http takes hosts such as shop, 10.0.0.7 or *.internal, without scheme and port, not http://shop.",
    ],
    [
      "--allow-http shop,",
      "--allow-http takes hosts such as shop, 10.0.0.7 or *.internal, without scheme and port, not an empty text.",
    ],
    ["--allow-http shop --strict-https", "--allow-http and --strict-https contradict each other: leave one out."],
    [
      "--allow-host *.internal",
      "--allow-host takes hosts such as qa-pay or 10.0.0.7, without scheme and port, not *.internal.",
    ],
    ["--forward-to http://localhost --strict-https", "--forward-to must start with https://."],
    [
      "--forward-to http://localhost --events charge.payd",
      "--events: there is no event charge.payd; did you mean charge.paid? `qa-pay webhooks events` lists them.",
    ],
    [
      "--forward-to http://localhost --events a,b",
      "--events: there is no event a. `qa-pay webhooks events` lists them.",
    ],
    ["--fees {", "--fees takes JSON such as"],
    ["--fees @none.json", "The file none.json cannot be read: there is no such file."],
    ["--fees []", ": it must be an object with payment methods."],
    ['--fees {"PIX":1}', ": PIX must be an object with provider and platform."],
    ['--fees {"PIXX":{}}', ": PIXX is none of PIX, CREDIT_CARD, MBWAY, MULTIBANCO, BOLETO, CRYPTO, PIX_OUT."],
    ['--fees {"PIX":{"fixed":1}}', ": PIX must be an object with provider and platform, without fixed."],
    ['--fees {"PIX":{"platform":30}}', ": PIX.platform must be an object with fixed and bps."],
    [
      '--fees {"PIX":{"platform":{"percent":1}}}',
      ": PIX.platform must be an object with fixed and bps, without percent.",
    ],
    ['--fees {"PIX":{"platform":{"bps":10001}}}', ": PIX.platform.bps must be a whole number from 0 to 10000."],
    ['--fees {"PIX":{"platform":{"fixed":"x"}}}', ": PIX.platform.fixed must be a whole number from 0."],
  ])("%s", (line, message) => {
    const refusal = () => ofFlags(line.split(" "));
    expect(refusal).toThrow(expect.objectContaining({ name: "Failure", exitCode: 2, code: "usage" }));
    expect(refusal).toThrow(message);
  });

  it.each([
    ["--test-key", "qa_live_of-somebody", "--test-key takes a key that starts with qa_test_"],
    ["--webhook-secret", "of-somebody", "--webhook-secret takes 64 hexadecimal digits"],
    [
      "--otlp",
      "ftp://user:of-somebody@localhost",
      "--otlp takes the address of a collector such as http://localhost:4318",
    ],
    ["--otlp", "http://localhost/?key=of-somebody", "--otlp takes the address of a collector"],
    ["--smtp-url", "http://user:of-somebody@localhost", "--smtp-url takes an address such as smtp://localhost:1025."],
  ])("%s: the error never shows the value", (flag, secret, message) => {
    expect(() => ofFlags([flag, secret])).toThrow(message);
    expect(() => ofFlags([flag, secret])).not.toThrow(/of-somebody/);
  });
});
