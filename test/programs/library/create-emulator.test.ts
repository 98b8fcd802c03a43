import { existsSync } from "node:fs";
import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { createClient, createEmulator, type Emulator, type EmulatorOptions, OptionError } from "../../../src/index.js";
import { createEmulator as createUnchecked } from "../../../src/programs/start/emulator.js";
import { freshKey } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { closeAfterwards, fresh, ownReceiver } from "../../support/shared.js";
import { failureOf } from "../../support/thrown.js";

const folder = fresh(newFolder);
let db: string;
const start = closeAfterwards(createEmulator);

beforeEach(() => {
  db = folder.db;
});

const clientOf = ({ url }: Emulator, apiKey: string) => createClient({ baseUrl: url, apiKey });

async function modeOf(emulator: Emulator, apiKey: string): Promise<string> {
  return (await clientOf(emulator, apiKey)["sandbox.show"]()).mode;
}

/** Refused texts of flags are tested in test/service/features/read-settings.test.ts, which reads options as well. */
describe("an option that is refused", () => {
  const fees = "fees takes fees by payment method such as ";
  it.each<[option: string, given: unknown, message: string]>([
    ["froozen", true, "createEmulator has no option froozen: did you mean frozen?"],
    ["forward-to", "http://localhost", "createEmulator has no option forward-to: did you mean forwardTo?"],
    ["forwardEvents", ["charge.payd"], "createEmulator has no option forwardEvents. It has accountVelocity, "],
    ["settings", {}, "createEmulator has no option settings. It has accountVelocity, "],
    ["seed", "small-shop", "createEmulator has no option seed. It has accountVelocity, "],
    ["port", "abc", 'port takes a whole number from 0 to 65535, not "abc".'],
    ["port", "4600", 'port takes a whole number from 0 to 65535, not "4600".'],
    ["port", -1, "port takes a whole number from 0 to 65535, not -1."],
    ["port", 1.5, "port takes a whole number from 0 to 65535, not 1.5."],
    ["port", null, "port takes a whole number from 0 to 65535, not null."],
    ["host", "", 'host takes a host name or address such as 127.0.0.1, not "".'],
    ["db", 5, "db takes a file, or :memory:, not 5."],
    ["testKey", null, "testKey takes a key that starts with qa_test_ "],
    ["testKey", "qa_live_12345678", "testKey takes a key that starts with qa_test_ "],
    ["liveKey", "qa_test_12345678", "liveKey takes a key that starts with qa_live_ "],
    ["webhookSecret", "A".repeat(64), "webhookSecret takes 64 hexadecimal digits (0-9 a-f)"],
    ["forwardTo", "localhost:3000", "forwardTo has no scheme (http:// or https://): write http://localhost:3000/."],
    ["forwardTo", new URL("http://localhost"), "forwardTo takes a URL such as https://example.com/webhooks, not "],
    ["events", ["charge.paid"], "events goes with forwardTo."],
    ["frozen", "yes", 'frozen takes true or false, not "yes".'],
    ["frozen", 0, "frozen takes true or false, not 0."],
    ["startAt", "soon", 'startAt takes an instant from 1970 to 9999 such as 2026-01-31T12:00:00Z, not "soon".'],
    [
      "startAt",
      "1969-12-31T23:59:59Z",
      'startAt takes an instant from 1970 to 9999 such as 2026-01-31T12:00:00Z, not "1969-12-31T23:59:59Z".',
    ],
    ["fees", "none", fees],
    ["fees", { PIX: { platform: { fixed: 0.5 } } }, fees],
    ["fees", { PIX: { platfrom: {} } }, fees],
    ["refundDelay", -1, "refundDelay takes whole milliseconds, or a text such as 500ms, 10s, 5m, 1h or 1d, not -1."],
    ["settlementHold", 1.5, "settlementHold takes whole milliseconds, or a text such as "],
    ["retryBase", Number.POSITIVE_INFINITY, "retryBase takes whole milliseconds, or a text such as "],
    ["retryBase", {}, "retryBase takes whole milliseconds, or a text such as "],
    ["medOutcomeNotices", null, "medOutcomeNotices takes true or false, not null."],
    ["strictHttps", 1, "strictHttps takes true or false, not 1."],
    ["insecureWebhookTls", "true", 'insecureWebhookTls takes true or false, not "true".'],
    ["rateLimit", 0, "rateLimit takes a whole number from 1 to 1000000, not 0."],
    ["customerVelocity", 5, "customerVelocity takes how many charges in which time, such as 5/60s or 100/1h, not 5."],
    ["preview", "charge-list", 'preview takes a list with charge-list, not "charge-list".'],
    ["log", console.log, "log takes an object with warn and error, not a function."],
    ["log", { warn: () => undefined }, "log takes an object with warn and error, not an object."],
    ["runtime", {}, "runtime takes an object with random and real and log, not an object."],
  ])("is named in the error, and nothing is opened: %s: %j", async (option, given, message) => {
    const error = await failureOf(createEmulator({ db, [option]: given } as EmulatorOptions));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ name: "OptionError", option });
    expect(error.message).toContain(message);
    expect(error.stack?.split("\n    at ")[1]).toContain("create-emulator.test.ts");
    expect(existsSync(db)).toBe(false);
  });

  it.each([
    [["charge.payd"], 'events: there is no event "charge.payd"; did you mean charge.paid?'],
    [["charge.*"], 'events: there is no event "charge.*".'],
    [[7], "events: there is no event 7."],
    [[], "events takes a list of events, not a list."],
    ["charge.paid", 'events takes a list of events, not "charge.paid".'],
  ])("is named in the error, and nothing is opened: events: %j", async (events, message) => {
    const options = { db, forwardTo: "http://localhost:9", events } as EmulatorOptions;
    const error = await failureOf(createEmulator(options));
    expect(error).toMatchObject({ name: "OptionError", option: "events" });
    expect(error.message).toContain(message);
    expect(existsSync(db)).toBe(false);
  });

  it("is also an http:// URL of this machine when strictHttps is set", async () => {
    const error = await failureOf(createEmulator({ db, forwardTo: "http://localhost:9", strictHttps: true }));
    expect(error).toMatchObject({ option: "forwardTo", message: "forwardTo must start with https://." });
    expect(existsSync(db)).toBe(false);
  });

  it.each([[null], ["db"], [[]], [5]])("is %j in the place of the options object", async (options) => {
    const error = await failureOf(createEmulator(options as unknown as EmulatorOptions));
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toMatch(/^createEmulator takes an object of options, not /);
  });

  it.each(["testKey", "liveKey", "webhookSecret", "smtpUrl"])(
    "is reported without the secret of %s",
    async (option) => {
      const error = await failureOf(createEmulator({ [option]: "of-somebody" }));
      expect(error.message).toContain(option);
      expect(error.stack).not.toContain("of-somebody");
    },
  );

  it("is a type error, too", () => {
    expectTypeOf<{ froozen: boolean }>().not.toExtend<EmulatorOptions>();
    expectTypeOf<{ events: string[] }>().not.toExtend<EmulatorOptions>();
    expectTypeOf<{ port: string }>().not.toExtend<EmulatorOptions>();
    expectTypeOf<{ refundDelay: string; retryBase: number }>().toExtend<EmulatorOptions>();
    expectTypeOf<{ testKey: string | undefined }>().toExtend<EmulatorOptions>();
  });
});

describe("options", () => {
  it("decide how the service behaves", async () => {
    const receiver = await ownReceiver();
    const emulator = await start({
      forwardTo: receiver.url,
      events: ["charge.paid"],
      frozen: true,
      fees: { PIX: { platform: { fixed: 30 } } },
      qr: "base64",
      rateLimit: 100,
      preview: ["charge-list"],
    });
    const client = clientOf(emulator, emulator.testKey);
    const input = { body: { amount: 1990, payment_method: "pix" as const }, idempotencyKey: freshKey() };
    const charge = await client["charges.create"](input);
    await client["sandbox.charges.pay"]({ params: { id: charge.id } });
    await client["sandbox.clock.advance"]({ body: { seconds: 0 } });
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.paid"]);
    expect(charge).toMatchObject({ pix: { qr_code_base64: expect.any(String) } });
    expect((await client["wallets.balance"]()).available).toBe(1960);
    expect((await client["charges.list"]()).data).toHaveLength(1);
    expect((await client["sandbox.clock.show"]()).frozen).toBe(true);
  });

  it("can all be left out: no file is written, and a free port is taken", async () => {
    const [one, two] = [await start(), await start({})];
    expect([one.database, two.database]).toEqual([":memory:", ":memory:"]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(two.url).not.toBe(one.url);
  });
});

describe("the keys of a start", () => {
  it("are strings that work for their mode, whether generated or passed", async () => {
    expectTypeOf<Emulator["testKey"]>().toEqualTypeOf<string>();
    expectTypeOf<Emulator["liveKey"]>().toEqualTypeOf<string>();
    const made = await start();
    expect([await modeOf(made, made.testKey), await modeOf(made, made.liveKey)]).toEqual(["test", "live"]);
    const given = await start({ testKey: "qa_test_of-this-test", liveKey: "qa_live_of-this-test" });
    expect([given.testKey, given.liveKey]).toEqual(["qa_test_of-this-test", "qa_live_of-this-test"]);
    expect(await modeOf(given, "qa_test_of-this-test")).toBe("test");
    expect(made.testKey).not.toBe((await start()).testKey);
  });

  it("on the file of an earlier start are new, and the earlier keys still work", async () => {
    const first = await start({ db });
    const { id } = await clientOf(first, first.testKey)["charges.create"]({
      body: { amount: 5, payment_method: "pix" },
      idempotencyKey: freshKey(),
    });
    await first.close();
    const second = await start({ db });
    expect(second.testKey).not.toBe(first.testKey);
    for (const key of [first.testKey, second.testKey]) {
      expect((await clientOf(second, key)["charges.get"]({ params: { id } })).amount).toBe(5);
    }
    expect([await modeOf(second, first.liveKey), await modeOf(second, second.liveKey)]).toEqual(["live", "live"]);
  });

  it("that are passed are the same at every start", async () => {
    const options = { db, testKey: "qa_test_at-every-start", liveKey: "qa_live_at-every-start" };
    for (let round = 0; round < 2; round++) {
      const emulator = await start(options);
      expect(emulator).toMatchObject({ testKey: options.testKey, liveKey: options.liveKey });
      expect(await modeOf(emulator, options.testKey)).toBe("test");
      await emulator.close();
    }
  });

  it("are refused and logged when they were revoked in the file, and the file is closed again", async () => {
    const warnings: string[] = [];
    const log = { warn: (message: string) => void warnings.push(message), error: () => undefined };
    const emulator = await start({ db, testKey: "qa_test_12345678" });
    const user = emulator.users[0];
    const client = clientOf(emulator, emulator.testKey);
    const { token } = await client["auth.login"]({
      body: { email: user?.email ?? "", password: user?.password ?? "" },
    });
    const asUser = createClient({ baseUrl: emulator.url, apiKey: emulator.testKey, token });
    const { data } = await asUser["api-keys.list"]();
    for (const { id } of data) await asUser["api-keys.revoke"]({ params: { id } });
    await emulator.close();

    const error = await failureOf(createEmulator({ db, testKey: "qa_test_12345678", log }));
    const message = "testKey was revoked in this database, which cannot be undone: choose another.";
    expect(error).toMatchObject({ name: "OptionError", option: "testKey", message });
    expect(warnings).toHaveLength(1);
    const next = await start({ db });
    expect(await modeOf(next, next.testKey)).toBe("test");
  });
});

it("the log of a program gets more messages when it has debug and info, which are optional", async () => {
  const told = new Map<string, unknown>();
  const note = (message: string, facts: unknown) => void told.set(message, facts);
  const silent = { warn: () => undefined, error: () => undefined };
  const emulator = await start({ log: { ...silent, debug: note, info: note } });
  await clientOf(emulator, emulator.testKey)["charges.create"]({
    body: { amount: 1990, payment_method: "pix" },
    idempotencyKey: freshKey(),
  });
  expect(told.get("transaction committed")).toMatchObject({ units: expect.any(Number), undone: 0 });
  const quiet = await start({ log: silent });
  expect(await modeOf(quiet, quiet.testKey)).toBe("test");
});

describe("a start that fails", () => {
  it("names options in its advice, not flags, and shows the caller's own line", async () => {
    await start({ db });
    const error = await failureOf(createEmulator({ db }));
    expect(error.name).toBe("DatabaseError");
    expect(error.message).toContain("another qa-pay server is using it");
    expect(error.message).toContain("with the option db");
    expect(error.message).not.toContain("--");
    expect(error.stack).toContain(error.message);
    expect(error.stack).toContain("create-emulator.test.ts");
    expect(error.stack).not.toContain("/src/");
  });

  it("names the option of a port in use, too", async () => {
    const { port } = new URL((await start()).url);
    const error = await failureOf(createEmulator({ port: Number(port) }));
    const advice = "choose another with the option port, or take any with port: 0.";
    expect([error.name, error.message]).toEqual([
      "ListenError",
      `Port ${port} is in use. Stop what listens there, ${advice}`,
    ]);
    expect(error.stack).toContain("create-emulator.test.ts");
    expect(error.stack).not.toContain("/src/");
  });

  it.each([
    [0, "203.0.113.9"],
    [4_600, "203.0.113.9"],
  ])("says of port %d on %s that this machine has no such address", async (port, host) => {
    const error = await failureOf(createEmulator({ host, port }));
    const advice = "Choose one of its own with the option host, such as 127.0.0.1.";
    expect([error.name, error.message]).toEqual(["ListenError", `This machine has no address ${host}. ${advice}`]);
  });

  it("says of a host that is none, such as one with an underscore, that it is not there, and listens nowhere", async () => {
    const host = "my_host..";
    const advice = "Choose an address of this machine with the option host.";
    const error = await failureOf(createEmulator({ host }));
    expect([error.name, error.message]).toEqual(["ListenError", `There is no host ${host}. ${advice}`]);
  });

  it("because its port is in use creates no keys: the next start creates and shows them", async () => {
    const { port } = new URL((await start()).url);
    await failureOf(createEmulator({ db, port: Number(port) }));
    const next = await start({ db });
    expect(await modeOf(next, next.testKey)).toBe("test");
    expect(await modeOf(next, next.liveKey)).toBe("live");
    expect(next.users.map(({ password }) => typeof password)).toEqual(["string", "string", "string"]);
  });

  it("after it has taken its port frees the port again", async () => {
    const earlier = await start();
    const port = Number(new URL(earlier.url).port);
    await earlier.close();
    const forwardTo = "http://example.test/";
    expect((await failureOf(createUnchecked({ db, port, forwardTo }))).message).toContain("forward-to");
    expect((await start({ db, port })).url).toContain(`:${port}`);
  });

  it("for an unexpected reason keeps its whole stack", async () => {
    let broken: Error | undefined;
    const token = () => {
      broken = new Error("no entropy");
      throw broken;
    };
    const runtime = { random: { token }, real: {}, log: {} } as unknown as EmulatorOptions["runtime"];
    expect(await failureOf(createEmulator({ db, runtime }))).toBe(broken);
    expect(broken?.stack).toContain("/src/service/features/access/keys.ts");
    expect(existsSync(db)).toBe(false);
  });
});
