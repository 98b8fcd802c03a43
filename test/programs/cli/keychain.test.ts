import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type Keychain, systemKeychain } from "../../../src/programs/cli/terminal/keychain.js";
import type { TestCli } from "../../support/cli.js";
import { freshCli } from "../../support/shared.js";

/** Live keys of profiles are kept in the system's keychain where there is one. */

const LIVE = "qa_live_0123456789abcdef";
const TEST = "qa_test_0123456789abcdef";

const cli = freshCli();
let secrets: Map<string, string>;
let reads: number;
let keychain: Keychain;

beforeEach(() => {
  secrets = new Map();
  reads = 0;
  keychain = {
    read(account) {
      reads++;
      return secrets.get(account) ?? null;
    },
    write: (account, secret) => void secrets.set(account, secret),
    remove: (account) => void secrets.delete(account),
  };
});

const file = () => join(cli.folder, "config", "profiles.json");
const add = (name: string, key: string, options: Parameters<TestCli["run"]>[1] = {}, ...more: string[]) =>
  cli.run(["profiles", "add", name, "--base-url", "https://pay.example", "--api-key", "-", ...more], {
    keychain,
    input: key,
    ...options,
  });
/** The key that a command would send. */
async function used(words: readonly string[] = []) {
  const { code, out, err } = await cli.run(["wallets", "list", "--dry-run", "--json", ...words], { keychain });
  return code === 0 ? JSON.parse(out).headers.apikey : JSON.parse(err).error;
}

describe("a live key of a profile", () => {
  it("is in the keychain and not in the file, which only names it", async () => {
    const { code, err } = await add("prod", LIVE);
    expect([code, err]).toEqual([0, expect.stringContaining("in the system's keychain")]);
    expect([...secrets.values()]).toEqual([LIVE]);
    const text = readFileSync(file(), "utf8");
    expect(text).not.toContain(LIVE);
    expect(JSON.parse(text).profiles.prod).toEqual({
      base_url: "https://pay.example",
      api_key: null,
      keychain: { account: [...secrets.keys()][0], key_prefix: "qa_live_0123…" },
    });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("is used for requests, and read only when it is needed", async () => {
    await add("prod", LIVE);
    await add("staging", TEST);
    reads = 0;
    expect(await used(["--profile", "staging"])).toBe("qa_test_0123…");
    const list = await cli.run(["profiles", "list"], { keychain });
    expect(list.out).toMatch(/prod +https:\/\/pay\.example +qa_live_0123… +live/);
    expect((await cli.run(["profiles", "use", "prod"], { keychain })).err).toContain("with a LIVE key");
    expect(await used(["--base-url", "http://127.0.0.1:9"])).toMatchObject({ code: "no_api_key" });
    expect(reads).toBe(0);
    expect(await used()).toBe("qa_live_0123…");
  });

  it("is removed with its profile, and replaced with it", async () => {
    await add("prod", LIVE);
    await add("prod", "qa_live_another-key", {}, "--yes");
    expect([...secrets.values()]).toEqual(["qa_live_another-key"]);
    await add("prod", TEST, {}, "--yes");
    expect(secrets.size).toBe(0);
    await add("prod", LIVE, {}, "--yes");
    expect((await cli.run(["profiles", "remove", "prod"], { keychain })).code).toBe(0);
    expect(secrets.size).toBe(0);
  });

  it.each([
    ["is gone", { read: () => null }, "no longer exists"],
    [
      "is behind a lock",
      {
        read: () => {
          throw new Error("locked");
        },
      },
      "that cannot be read: locked",
    ],
  ])("that %s is an error that says what to do", async (_how, broken, message) => {
    await add("prod", LIVE);
    await cli.run(["profiles", "use", "prod"], { keychain });
    keychain = { ...keychain, ...broken };
    const { code, out, err } = await cli.run(["wallets", "list"], { keychain });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toContain("--api-key");
  });
});

describe("the key is in the file, for its owner alone,", () => {
  const expectInFile = () => {
    expect(JSON.parse(readFileSync(file(), "utf8")).profiles.prod.api_key).toMatch(/^qa_/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(secrets.size).toBe(0);
  };

  it("without a keychain, with one note about that", async () => {
    const write = () => {
      throw new Error("Couldn't access platform storage");
    };
    const { code, err } = await add("prod", LIVE, { keychain: { ...keychain, write } });
    expect(code).toBe(0);
    expect(err).toContain("No keychain of the system can be used (Couldn't access platform storage): the key is in ");
    expectInFile();
    expect(await used(["--profile", "prod"])).toBe("qa_live_0123…");
    expect((await cli.run(["profiles", "use", "prod"])).err).not.toContain("keychain");
  });

  it("when the keychain does not keep it", async () => {
    const { code } = await add("prod", LIVE, { keychain: { ...keychain, write: () => undefined } });
    expect(code).toBe(0);
    expectInFile();
  });

  it("with QA_PAY_KEYCHAIN=0, and for a test key, without a note", async () => {
    for (const [key, env] of [
      [LIVE, { QA_PAY_KEYCHAIN: "0" }],
      [TEST, {}],
    ] as const) {
      expect((await add("prod", key, { env }, "--yes")).err).not.toContain("keychain");
      expectInFile();
    }
  });
});

it("a key that the keychain does not remove causes a note, and the profile is removed all the same", async () => {
  await add("prod", LIVE);
  const remove = () => {
    throw new Error("denied");
  };
  const { code, err } = await cli.run(["profiles", "remove", "prod"], { keychain: { ...keychain, remove } });
  expect([code, err]).toEqual([0, expect.stringContaining("could not be removed from the system's keychain (denied)")]);
  expect(JSON.parse(readFileSync(file(), "utf8")).profiles).toEqual({});
});

/** Other systems have a keychain, and this test must not touch it. */
it.runIf(process.platform === "linux" && process.env.DBUS_SESSION_BUS_ADDRESS === undefined)(
  "without a Secret Service, the library refuses at once and keeps nothing in the kernel's keyring",
  () => {
    const system = systemKeychain();
    expect(() => system.write("profile test", LIVE)).toThrow(Error);
    expect(() => system.read("profile test")).toThrow(Error);
  },
);
